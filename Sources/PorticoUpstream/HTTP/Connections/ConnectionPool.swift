/// Who of one origin's exchanges gets which connection. Pure: connections and exchanges are numbers here.
///
/// An exchange takes the connection that was idle last (the others may then grow old and go), else waits in line; as
/// many connections are made as there are exchanges in line, up to the limit. A connection that becomes free before
/// a new one is ready serves the line, and the new one is kept for later.
struct ConnectionPool: Sendable {
    typealias ConnectionID = Int
    typealias ExchangeID = Int

    enum Action: Equatable {
        case none
        case start(ExchangeID, on: ConnectionID)
        case connect(ConnectionID)
    }

    private let limit: Int
    private var nextConnection: ConnectionID = 0
    /// Being made.
    private(set) var connectingCount = 0
    /// With an exchange.
    private(set) var busyCount = 0
    /// The one used last stands last.
    private var idle: [ConnectionID] = []
    private var line: [ExchangeID] = []

    /// - Parameter limit: connections at once, at least 1.
    init(limit: Int) {
        precondition(limit > 0, "a pool without connections serves nobody: a bug in the caller")
        self.limit = limit
    }

    var idleCount: Int { idle.count }
    var waitingCount: Int { line.count }
    var connectionCount: Int { connectingCount + busyCount + idle.count }

    mutating func requested(_ exchange: ExchangeID) -> Action {
        if let connection = idle.popLast() {
            busyCount += 1
            return .start(exchange, on: connection)
        }
        line.append(exchange)
        return connectIfNeeded()
    }

    /// The exchange was ended from outside.
    /// - Returns: whether it was still in line.
    mutating func withdrew(_ exchange: ExchangeID) -> Bool {
        guard let index = line.firstIndex(of: exchange) else { return false }
        line.remove(at: index)
        return true
    }

    mutating func connected(_ connection: ConnectionID) -> Action {
        precondition(connectingCount > 0, "connected() for a connection that was not asked for")
        connectingCount -= 1
        return serve(connection)
    }

    /// - Returns: the exchange that fails with the attempt, the one that waited longest: none when enough other attempts
    ///   are under way; and what is to be done for the rest.
    mutating func connectFailed() -> (failed: ExchangeID?, then: Action) {
        precondition(connectingCount > 0, "connectFailed() for a connection that was not asked for")
        connectingCount -= 1
        let failed = line.count > connectingCount ? line.removeFirst() : nil
        return (failed, connectIfNeeded())
    }

    /// A connection's exchange is over and it can serve another.
    mutating func becameFree(_ connection: ConnectionID) -> Action {
        precondition(busyCount > 0, "becameFree() for a connection that was not busy")
        busyCount -= 1
        return serve(connection)
    }

    /// A connection ended with its exchange.
    mutating func busyEnded() -> Action {
        precondition(busyCount > 0, "busyEnded() for a connection that was not busy")
        busyCount -= 1
        return connectIfNeeded()
    }

    /// A connection that nobody used ended.
    mutating func idleEnded(_ connection: ConnectionID) {
        idle.removeAll { $0 == connection }
    }

    private mutating func serve(_ connection: ConnectionID) -> Action {
        guard !line.isEmpty else {
            idle.append(connection)
            return .none
        }
        busyCount += 1
        return .start(line.removeFirst(), on: connection)
    }

    private mutating func connectIfNeeded() -> Action {
        guard line.count > connectingCount, connectionCount < limit else { return .none }
        connectingCount += 1
        nextConnection += 1
        return .connect(nextConnection)
    }
}
