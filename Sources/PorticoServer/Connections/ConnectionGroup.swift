import PorticoConfig
import PorticoEventLoop
import PorticoUpstream
import PorticoWire

/// All connections of one loop, for what is done to all of them: ending, and serving another generation.
final class ConnectionGroup {
    let metrics: LoopMetrics
    private(set) var services: Services
    var deflated = DeflatedAnswers()
    var quick = QuickAnswers()
    var hints: HintBudget
    private let unfinished: UnfinishedBytes
    /// Storage for output, used by one connection after the other: an idle one has none.
    var spareOutput: [UInt8] = []
    private var connections: [Registration: Connection] = [:]
    private var goAway: [UInt8]?
    /// Called once, when the last connection has gone after ``drain(on:whenDone:)``.
    private var whenDone: (@Sendable () -> Void)?

    /// At most this much lies between two endings, however few connections there are.
    private static let largestStep = Duration.milliseconds(10)

    /// - Parameter unfinished: of all loops.
    init(services: Services, metrics: LoopMetrics, unfinished: UnfinishedBytes, at now: Instant) {
        self.services = services
        self.metrics = metrics
        self.unfinished = unfinished
        hints = HintBudget(at: now)
    }

    /// From the next event on, everything on this loop is served with `services`; calls in flight keep theirs.
    func adopt(_ services: Services, on reactor: Reactor) {
        self.services = services
        quick = QuickAnswers()
        for connection in connections.values { connection.observeAgain(on: reactor) }
    }

    var isDraining: Bool { goAway != nil }

    /// A connection keeps more or less of what has not ended; too much of all, and those that keep most are ended.
    func unfinishedChanged(by change: Int, on reactor: Reactor) {
        unfinished.add(change)
        guard change > 0, unfinished.excess > 0 else { return }
        let holders = connections.values.map { (owner: $0, bytes: $0.unfinishedBytes) }
        let shedding = UnfinishedShedding(
            holders, excessBytes: unfinished.excess, limitBytes: unfinished.limit)
        for connection in shedding.owners { connection.endForUnfinished(on: reactor) }
    }

    func opened(_ connection: Connection, _ registration: Registration) {
        connections[registration] = connection
    }

    func closed(_ registration: Registration) {
        connections[registration] = nil
        guard connections.isEmpty else { return }
        whenDone?()
        whenDone = nil
    }

    /// Takes storage that a connection has no use for any more, unless there is as much already.
    func takeBack(_ output: inout [UInt8]) {
        if output.capacity > spareOutput.capacity { swap(&output, &spareOutput) }
    }

    /// The encoded message for a client that wants to know; nil for others.
    func goAway(for client: ClientIdentity) -> [UInt8]? { client.hello.acceptsGoAway ? goAway : nil }

    /// Tells every client, ends the connections one after another as they fall idle, and all of them at the limit.
    ///
    /// The endings are spread over half of the limit at most, so that clients do not connect again all at once.
    func drain(on reactor: Reactor, whenDone: @escaping @Sendable () -> Void) {
        guard !isDraining else { return }
        let limit = services.limits.drain
        goAway =
            GoAway(
                reason: "the server is going away", drainMilliseconds: UInt32(clamping: limit.milliseconds)
            ).encoded()
        guard !connections.isEmpty else { return whenDone() }
        self.whenDone = whenDone
        let step = min(Self.largestStep, limit / (2 * connections.count))
        for (index, connection) in connections.values.enumerated() {
            connection.drain(on: reactor)
            _ = reactor.schedule(after: step * index) { [weak connection] reactor in
                connection?.endWhenIdle(on: reactor)
            }
        }
        _ = reactor.schedule(after: limit) { [self] reactor in
            for connection in Array(connections.values) { connection.endDrained(on: reactor) }
        }
    }
}
