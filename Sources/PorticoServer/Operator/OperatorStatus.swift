import PorticoConfig
import PorticoTranscode
package import PorticoUpstream
import Synchronization

/// What an operator may know about the running program: whether it takes calls, and where it listens.
package final class OperatorStatus: Sendable {
    package enum Phase: Int, Sendable {
        case starting, ready, draining

        var name: String {
            switch self {
            case .starting: "starting"
            case .ready: "ready"
            case .draining: "draining"
            }
        }
    }

    /// The addresses as they were bound, for people and for tests that asked for port 0.
    package struct Addresses: Sendable, Equatable {
        package var listen: String?
        package var sandbox: String?
        package init(listen: String? = nil, sandbox: String? = nil) {
            self.listen = listen
            self.sandbox = sandbox
        }
    }

    private struct State {
        var phase = Phase.starting
        var addresses = Addresses()
        var configuration: ConfigurationStatus?
        var reload: (@Sendable () async -> ReloadReport)?
        var upstreams: @Sendable () -> [UpstreamHealth] = { [] }
    }

    private let environment: String
    private let started: ContinuousClock.Instant
    private let state = Mutex(State())

    package init(environment: String, started: ContinuousClock.Instant) {
        self.environment = environment
        self.started = started
    }

    package var phase: Phase { state.withLock { $0.phase } }

    /// The server takes calls.
    package func becameReady(at addresses: Addresses) {
        state.withLock { state in
            state.phase = .ready
            state.addresses = addresses
        }
    }

    /// The server ends: whoever spreads calls over several servers should pass this one by.
    package func beganDraining() { state.withLock { $0.phase = .draining } }

    /// Another configuration runs, or an attempt to replace it has failed.
    package func became(_ configuration: ConfigurationStatus) {
        state.withLock { $0.configuration = configuration }
    }

    /// What `POST /reload` does.
    package func reloads(by reload: @escaping @Sendable () async -> ReloadReport) {
        state.withLock { $0.reload = reload }
    }

    /// How the upstreams do. Called on the operator's loop: it must not block.
    package func sees(_ upstreams: @escaping @Sendable () -> [UpstreamHealth]) {
        state.withLock { $0.upstreams = upstreams }
    }

    var reload: (@Sendable () async -> ReloadReport)? { state.withLock { $0.reload } }

    /// `GET /readyz`
    var readiness: ServerReadiness {
        let (phase, rule, upstreams) = state.withLock {
            ($0.phase, $0.configuration?.readyNeeds ?? .server, $0.upstreams)
        }
        return ServerReadiness(phase, upstreams: upstreams(), needing: rule)
    }

    /// `GET /config`
    var configurationDocument: JSONValue {
        state.withLock { $0.configuration }?.document ?? .object([])
    }

    func document(
        at now: ContinuousClock.Instant, operatorAddress: String, openConnections: Int
    ) -> JSONValue {
        let (addresses, configuration) = state.withLock { ($0.addresses, $0.configuration) }
        let readiness = readiness
        func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
        return .object([
            .init("environment", .string(environment)), .init("phase", .string(readiness.phase.name)),
            .init("ready", .bool(readiness.isReady)),
            .init("listen", text(addresses.listen)), .init("operator", .string(operatorAddress)),
            .init("sandbox", text(addresses.sandbox)),
            .init("uptimeSeconds", .number("\((now - started).components.seconds)")),
            .init("connections", .number("\(openConnections)")),
            .init("generation", configuration.map { .number("\($0.generation)") } ?? .null),
            .init("failedReload", configuration?.failure?.document ?? .null),
            .init("upstreams", .object(readiness.upstreams.map { .init($0.name, .string($0.text)) })),
        ])
    }
}
