import PorticoConfig

/// `portico check`
struct CheckCommand: Equatable, Sendable {
    var environment: EnvironmentOptions

    static let definition = CommandDefinition(
        name: "check",
        summary: "Check schemas and environment as starting would, without starting.",
        details: """
            Prints every fault with its file, line and column, and exits 78 if there is one. Asks no upstream.
            """,
        operands: [],
        options: EnvironmentOptions.options)

    init(_ parsed: ParsedArguments) throws(UsageError) {
        environment = try EnvironmentOptions(parsed, command: Self.definition.name)
    }

    func run(_ console: Console, in process: ProcessContext = .current) -> ExitStatus {
        do {
            let startUp = try StartUp.check(environment, in: process)
            console.print("portico: \(startUp.summary)")
            return .success
        } catch {
            console.report(error)
            return .configuration
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
