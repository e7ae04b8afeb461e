import PorticoConfig

/// The options of every command that reads an environment: which one, from where, and what to change in it.
struct EnvironmentOptions: Equatable, Sendable {
    var environment = "development"
    var overrides: [Override] = []
    /// Nil: found by ``Directories``.
    var schemas: String?
    var environments: String?

    static let options: [CommandDefinition.Option] = [
        .init(name: "env", value: "NAME", help: "The environment, in any case; Development if left out."),
        .init(
            name: "set", value: "KEY=VALUE", help: "Set one key; wins over variables and files.",
            isRepeatable: true),
        .init(
            name: "schemas", value: "DIR", help: "The schemas; ./Schemas, or beside the program, if left out."
        ),
        .init(
            name: "environments", value: "DIR",
            help: "The environment files; ./Environments, or beside the program, if left out."),
    ]

    init() {}

    init(_ parsed: ParsedArguments, command: String) throws(UsageError) {
        environment = parsed.value("env") ?? environment
        schemas = parsed.value("schemas")
        environments = parsed.value("environments")
        for text in parsed.values("set") {
            guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
                throw UsageError("--set takes KEY=VALUE, not \(text)", command: command)
            }
            let value = text[text.index(after: equals)...]
            overrides.append(Override(key: String(text[..<equals]), value: String(value)))
        }
    }
}
