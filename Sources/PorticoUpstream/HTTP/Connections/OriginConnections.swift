internal import PorticoEventLoop

/// The connections of one loop to one origin: performs what its ``ConnectionPool`` decides.
final class OriginConnections {
    let limits: ClientLimits
    private let addresses: OriginAddresses
    private var pool: ConnectionPool
    private var connections: [ConnectionPool.ConnectionID: ClientConnection] = [:]
    /// In line.
    private var exchanges: [ConnectionPool.ExchangeID: HTTPExchange] = [:]
    private var nextExchange: ConnectionPool.ExchangeID = 0

    init(_ addresses: OriginAddresses, limits: ClientLimits) {
        self.addresses = addresses
        self.limits = limits
        pool = ConnectionPool(limit: limits.connectionsPerOrigin)
    }

    var connectionCount: Int { pool.connectionCount }

    func start(
        _ exchange: HTTPExchange, waiter: CheckedContinuation<HTTPExchange.Outcome, Never>,
        on reactor: Reactor
    ) {
        nextExchange += 1
        guard exchange.begin(id: nextExchange, origin: self, waiter: waiter, on: reactor) else { return }
        exchanges[exchange.id] = exchange
        perform(pool.requested(exchange.id), on: reactor)
    }

    /// Takes an exchange out of the line, or closes the connection it is on.
    func abort(_ exchange: HTTPExchange, on reactor: Reactor) {
        exchanges[exchange.id] = nil
        guard !pool.withdrew(exchange.id) else { return }
        guard let connection = connections.values.first(where: { $0.exchange === exchange }) else { return }
        busyEnded(connection, on: reactor)
    }

    /// The loop or the client ends. Nothing begins here any more, and nothing holds a connection after that: one that is
    /// listed here has a hold on this list.
    func endAll(on reactor: Reactor) {
        let ended = Array(exchanges.values) + connections.values.compactMap(\.exchange)
        for connection in connections.values { connection.close(on: reactor) }
        connections = [:]
        exchanges = [:]
        for exchange in ended { exchange.end(.failure(.cancelled), on: reactor) }
    }

    // MARK: What connections report

    func connected(_ connection: ClientConnection, on reactor: Reactor) {
        perform(pool.connected(connection.id), on: reactor)
    }

    func connectFailed(_ connection: ClientConnection, _ error: TransportError, on reactor: Reactor) {
        forget(connection, on: reactor)
        addresses.failed()
        attemptFailed(error, on: reactor)
    }

    func becameFree(_ connection: ClientConnection, on reactor: Reactor) {
        perform(pool.becameFree(connection.id), on: reactor)
    }

    func busyEnded(_ connection: ClientConnection, on reactor: Reactor) {
        if let exchange = connection.exchange { exchanges[exchange.id] = nil }
        forget(connection, on: reactor)
        perform(pool.busyEnded(), on: reactor)
    }

    func idleEnded(_ connection: ClientConnection, on reactor: Reactor) {
        forget(connection, on: reactor)
        pool.idleEnded(connection.id)
    }

    private func forget(_ connection: ClientConnection, on reactor: Reactor) {
        connection.close(on: reactor)
        connections[connection.id] = nil
    }

    // MARK: What the pool decides

    private func perform(_ action: ConnectionPool.Action, on reactor: Reactor) {
        switch action {
        case .none: break
        case .start(let exchange, let connection):
            guard let exchange = exchanges.removeValue(forKey: exchange),
                let connection = connections[connection]
            else { preconditionFailure("the pool names an exchange or a connection that is gone") }
            connection.start(exchange, on: reactor)
        case .connect(let connection):
            addresses.next(on: reactor) { [weak self] address, reactor in
                self?.connect(connection, to: address, on: reactor)
            }
        }
    }

    private func connect(
        _ id: ConnectionPool.ConnectionID, to address: Result<SocketAddress, TransportError>,
        on reactor: Reactor
    ) {
        switch address {
        case .failure(let error): attemptFailed(error, on: reactor)
        case .success(let address):
            if let connection = try? ClientConnection(id: id, to: address, origin: self, on: reactor) {
                connections[id] = connection
            } else {
                addresses.failed()
                attemptFailed(.unreachable, on: reactor)
            }
        }
    }

    private func attemptFailed(_ error: TransportError, on reactor: Reactor) {
        let (failed, action) = pool.connectFailed()
        if let failed, let exchange = exchanges.removeValue(forKey: failed) {
            exchange.end(.failure(error), on: reactor)
        }
        perform(action, on: reactor)
    }
}
