import PorticoConfig

/// `portico config`
struct ConfigCommand: Equatable, Sendable {
    enum Subject: Equatable, Sendable {
        /// The values in force.
        case values
        /// And where each came from.
        case origins
        /// What can be configured at all.
        case keys
    }

    var environment: EnvironmentOptions
    var subject: Subject

    static let definition = CommandDefinition(
        name: "config",
        summary: "Print the configuration in force, and where each value comes from.",
        details: """
            built-in default < environment file, its base first < environment variable PORTICO_… < --set
            Secrets are printed as «secret».
            """,
        operands: [],
        options: EnvironmentOptions.options + [
            .init(name: "origins", value: nil, help: "Print behind each value where it comes from."),
            .init(name: "keys", value: nil, help: "Print every key with its type, default and variable."),
        ])

    init(_ parsed: ParsedArguments) throws(UsageError) {
        environment = try EnvironmentOptions(parsed, command: Self.definition.name)
        switch (parsed.has("origins"), parsed.has("keys")) {
        case (false, false): subject = .values
        case (true, false): subject = .origins
        case (false, true): subject = .keys
        case (true, true):
            throw UsageError("--origins and --keys do not go together", command: Self.definition.name)
        }
    }

    func run(_ console: Console, in process: ProcessContext = .current) -> ExitStatus {
        if subject == .keys {
            console.print(KeyDocumentation.text)
            return .success
        }
        do {
            let (loaded, _) = try StartUp.loadEnvironment(environment, in: process)
            console.print("# \(loaded.configuration.environment)")
            for line in lines(loaded.values) { console.print(line) }
            return .success
        } catch {
            console.report(error)
            return .configuration
        }
    }

    private func lines(_ values: [LoadedConfiguration.Value]) -> [String] {
        let settings = values.map { "\($0.key) = \($0.shown)" }
        guard subject == .origins else { return settings }
        // A few long values (rules of flags) do not push every origin to the right.
        let width = settings.map(\.count).filter { $0 <= 64 }.max() ?? 0
        return zip(settings, values).map { setting, value in
            let gap = String(repeating: " ", count: max(0, width - setting.count))
            return "\(setting)\(gap)  # \(value.origin)"
        }
    }
}
