import Foundation
import PorticoConfig

/// `portico check`
struct CheckCommand: Equatable, Sendable {
    var environment: EnvironmentOptions
    /// Ask the upstreams too.
    var asksUpstreams: Bool

    static let definition = CommandDefinition(
        name: "check",
        summary: "Check schemas and environment as starting would, without starting.",
        details: """
            Prints every fault with its file, line and column, and exits 78 if there is one. Asks no upstream, unless --live is
            given: then it calls the base URL of each one once and prints its status and time. Any status is an answer. It exits
            69 only if there are upstreams and none of them answers: one that is down keeps no server from starting.
            """,
        operands: [],
        options: EnvironmentOptions.options + [
            .init(name: "live", value: nil, help: "Resolve and call each upstream once, too.")
        ])

    init(_ parsed: ParsedArguments) throws(UsageError) {
        environment = try EnvironmentOptions(parsed, command: Self.definition.name)
        asksUpstreams = parsed.has("live")
    }

    func run(_ console: Console, in process: ProcessContext = .current) async -> ExitStatus {
        let startUp: StartUp
        do {
            startUp = try await StartUp.check(environment, in: process)
        } catch {
            console.report(error)
            return .configuration
        }
        console.print("portico: \(startUp.summary)")
        guard asksUpstreams else { return .success }
        do {
            return try await LiveCheck(startUp).run(console)
        } catch {
            console.fail("\(error)")
            return .unavailable
        }
    }
}

extension Console {
    /// Each fault on its own line, as compilers print them, then how many there were.
    func report(_ faults: ConfigurationFaults) {
        for fault in faults.faults { complain(fault.description) }
        let count = faults.faults.count
        fail(count == 1 ? "1 fault in the configuration" : "\(count) faults in the configuration")
    }
}
