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
        /// The same for editors.
        case jsonSchema
        /// What is not the same in two environments.
        case difference(String, String)
    }

    var environment: EnvironmentOptions
    var subject: Subject

    static let definition = CommandDefinition(
        name: "config",
        summary:
            "Print the configuration in force, where each value comes from, or how two environments differ.",
        details: """
            built-in default < environment file, its base first < environment variable PORTICO_… < --set
            Secrets are printed as «secret». Of two environments, those from variables are told apart by the variables'
            names, which need not be set:
              portico config diff TEST PRODUCTION
            """,
        operands: [
            .init(name: "diff", help: "Compare two environments.", isRequired: false),
            .init(name: "ENV", help: "The one.", isRequired: false),
            .init(name: "ENV", help: "The other.", isRequired: false),
        ],
        options: EnvironmentOptions.options + [
            .init(name: "origins", value: nil, help: "Print behind each value where it comes from."),
            .init(name: "keys", value: nil, help: "Print every key with its type, default and variable."),
            .init(name: "json-schema", value: nil, help: "Print the JSON Schema of environment files."),
        ])

    init(_ parsed: ParsedArguments) throws(UsageError) {
        environment = try EnvironmentOptions(parsed, command: Self.definition.name)
        let chosen = ["origins", "keys", "json-schema"].filter(parsed.has)
        guard chosen.count + (parsed.operands.isEmpty ? 0 : 1) <= 1 else {
            let names = chosen.map { "--\($0)" } + (parsed.operands.isEmpty ? [] : ["diff"])
            throw UsageError(
                "\(names[0]) and \(names[1]) do not go together", command: Self.definition.name)
        }
        switch chosen.first {
        case "origins": subject = .origins
        case "keys": subject = .keys
        case "json-schema": subject = .jsonSchema
        default: subject = try Self.subject(of: parsed)
        }
    }

    private static func subject(of parsed: ParsedArguments) throws(UsageError) -> Subject {
        guard let word = parsed.operands.first else { return .values }
        guard word == "diff" else {
            throw UsageError("unexpected argument \(word)", command: definition.name)
        }
        guard parsed.operands.count == 3 else {
            throw UsageError(
                "diff takes two environments: config diff TEST PRODUCTION", command: definition.name)
        }
        guard !parsed.has("env") else {
            throw UsageError("--env and diff do not go together", command: definition.name)
        }
        return .difference(parsed.operands[1], parsed.operands[2])
    }

    func run(_ console: Console, in process: ProcessContext = .current) -> ExitStatus {
        do {
            switch subject {
            case .keys: console.print(KeyDocumentation.text)
            case .jsonSchema:
                console.write(JSONIndenter.indented(Array(EnvironmentSchema.text.utf8)) + [0x0a])
            case .values, .origins:
                let (loaded, _) = try StartUp.loadEnvironment(environment, in: process)
                console.print("# \(loaded.configuration.environment)")
                for line in lines(loaded.values) { console.print(line) }
            case .difference(let one, let other):
                try compare(one, other, console, in: process)
            }
            return .success
        } catch {
            console.report(error)
            return .configuration
        }
    }

    private func compare(
        _ one: String, _ other: String, _ console: Console, in process: ProcessContext
    ) throws(ConfigurationFaults) {
        var options = environment
        options.environment = one
        let before = try StartUp.loadEnvironment(options, in: process, secrets: .byName)
        options.environment = other
        let after = try StartUp.loadEnvironment(options, in: process, secrets: .byName)
        let names = [before, after].map(\.configuration.configuration.environment)
        console.print("# \(names[0]) → \(names[1])")
        for difference in before.configuration.differences(to: after.configuration) {
            console.print(difference.text)
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
