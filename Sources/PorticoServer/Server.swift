package import PorticoConfig
package import PorticoEventLoop
package import PorticoSchema
package import PorticoUpstream
import Synchronization

/// The RSocket server: one event loop a core, each with its own listener and its own connections.
///
/// ``start()``, then ``drain()``; a server does not start twice.
package final class Server: Sendable {
    /// Of the program, semantic.
    package static let version = "0.1.0"

    private let address: String
    private let loopCount: Int
    private let log: Log
    private let metrics: Metrics
    private let places: ConnectionLimit
    private let unfinished: UnfinishedBytes
    private let state: Mutex<State>
    package let generations = GenerationCount()

    private struct State {
        /// The running generation.
        var services: Services
        var loops: [ServerLoop] = []
        var isAccepting = false
    }

    /// - Parameters:
    ///   - source: answers every method except those of `portico.v1.Control`.
    ///   - log: of connections and their ends.
    ///   - metrics: each loop counts there for itself.
    package init(
        configuration: Configuration, schema: Schema, source: any AnswerSource, log: Log,
        metrics: Metrics = Metrics()
    ) {
        self.metrics = metrics
        address = configuration.listen.address
        loopCount = configuration.listen.loops == 0 ? Host.coreCount : configuration.listen.loops
        places = ConnectionLimit(maximum: configuration.limits.connections)
        unfinished = UnfinishedBytes(limit: configuration.limits.unfinishedBytes)
        self.log = log
        state = Mutex(
            State(
                services: Services(
                    configuration: configuration, schema: schema, source: source, log: log,
                    generations: generations)))
        metrics.add { [generations, unfinished] in generations.families + [unfinished.family] }
    }

    /// Connections are being accepted.
    package var isReady: Bool { state.withLock { $0.isAccepting } }

    /// Listens and serves.
    /// - Returns: the address it listens on, with the port the system chose for port 0.
    /// - Throws: ``SystemError/addressInUse(_:)``, ``SystemError/badAddress(_:)`` or what the kernel says.
    package func start() async throws(SystemError) -> SocketAddress {
        let first = try ListeningSocket(try SocketAddress(parsing: address))
        let bound = first.address
        // A Unix domain socket is one queue: one loop takes from it.
        let others = bound.unixPath == nil ? loopCount - 1 : 0
        do throws(SystemError) {
            for _ in 0..<others { try await add(try first.another()) }
            try await add(first)
        } catch {
            await stop()
            throw error
        }
        state.withLock { $0.isAccepting = true }
        return bound
    }

    /// Serves with another configuration, schema and source from now on, except for what needs a restart.
    ///
    /// Each loop takes them up between two events: connections live on, and calls in flight end with what they began
    /// with. Returns when every loop has.
    package func adopt(configuration: Configuration, schema: Schema, source: any AnswerSource) async {
        let services = Services(
            configuration: configuration, schema: schema, source: source, log: log, generations: generations)
        let loops = state.withLock { state in
            state.services = services
            return state.loops
        }
        places.maximum = configuration.limits.connections
        unfinished.limit = configuration.limits.unfinishedBytes
        for loop in loops { await loop.adopt(services) }
    }

    private func add(_ socket: consuming ListeningSocket) async throws(SystemError) {
        let loop = try await ServerLoop.start(
            socket, limit: places, unfinished: unfinished, services: state.withLock { $0.services },
            metrics: metrics.makeLoopMetrics())
        state.withLock { $0.loops.append(loop) }
    }

    /// Stops accepting, tells the clients, lets calls in flight finish up to the limit, and stops.
    package func drain() async {
        let loops = state.withLock { state in
            state.isAccepting = false
            return state.loops
        }
        await withTaskGroup(of: Void.self) { group in
            for loop in loops { group.addTask { await loop.drain() } }
        }
        await stop()
    }

    /// Stops at once: connections are closed in the middle of whatever they do.
    package func stop() async {
        let loops = state.withLock { state in
            state.isAccepting = false
            return exchange(&state.loops, with: [])
        }
        for loop in loops { await loop.stop() }
    }
}
