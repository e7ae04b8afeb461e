import PorticoTranscode
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

    func document(
        at now: ContinuousClock.Instant, operatorAddress: String, openConnections: Int
    ) -> JSONValue {
        let (phase, addresses) = state.withLock { ($0.phase, $0.addresses) }
        func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
        return .object([
            .init("environment", .string(environment)), .init("phase", .string(phase.name)),
            .init("listen", text(addresses.listen)), .init("operator", .string(operatorAddress)),
            .init("sandbox", text(addresses.sandbox)),
            .init("uptimeSeconds", .number("\((now - started).components.seconds)")),
            .init("connections", .number("\(openConnections)")),
        ])
    }
}
