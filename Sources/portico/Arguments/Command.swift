import PorticoSchema
import PorticoConfig
import PorticoServer

/// What a command line asks for.
enum Command: Equatable {
    case serve(ServeCommand)
    case call(CallCommand)
    case list(ListCommand)
    case describe(DescribeCommand)
    case check(CheckCommand)
    case config(ConfigCommand)
    case convert(ConvertCommand)
    case reload(ReloadCommand)
    case images(ImagesCommand)
    /// Text for standard output.
    case help(String)

    /// In the order in which the help lists them.
    static let definitions: [CommandDefinition] = [
        ServeCommand.definition, CallCommand.definition, ListCommand.definition, DescribeCommand.definition,
        CheckCommand.definition, ConfigCommand.definition, ReloadCommand.definition,
        ConvertCommand.definition, ImagesCommand.definition,
    ]

    /// - Parameter arguments: without the program's name. No command is `serve`; nothing at all serves Development.
    init(_ arguments: [String]) throws(UsageError) {
        var rest = arguments[...]
        if rest.first == "--help" || rest.first == "-h" {
            self = .help(Self.overview)
            return
        }
        if rest.first == "--version" {
            self = .help("portico \(Server.version)")
            return
        }
        var name = ServeCommand.definition.name
        if let first = rest.first, !first.hasPrefix("-") {
            name = first
            rest.removeFirst()
        }
        if name == "help" {
            self = .help(try Self.help(on: rest.first))
            return
        }
        guard let definition = Self.definitions.first(where: { $0.name == name }) else {
            let names = Self.definitions.map(\.name) + ["help"]
            throw UsageError("no command \(name)", suggestion: Spelling.nearest(to: name, among: names))
        }
        let parsed = try ParsedArguments(rest, for: definition)
        self = parsed.asksForHelp ? .help(definition.help) : try Self.command(name, parsed)
    }

    private static func command(_ name: String, _ parsed: ParsedArguments) throws(UsageError) -> Command {
        switch name {
        case ServeCommand.definition.name: .serve(try ServeCommand(parsed))
        case CallCommand.definition.name: .call(try CallCommand(parsed))
        case ListCommand.definition.name: .list(ListCommand(parsed))
        case DescribeCommand.definition.name: .describe(DescribeCommand(parsed))
        case CheckCommand.definition.name: .check(try CheckCommand(parsed))
        case ConfigCommand.definition.name: .config(try ConfigCommand(parsed))
        case ConvertCommand.definition.name: .convert(try ConvertCommand(parsed))
        case ReloadCommand.definition.name: .reload(ReloadCommand(parsed))
        case ImagesCommand.definition.name: .images(try ImagesCommand(parsed))
        default: preconditionFailure("a command is defined but never made: a mistake in Command")
        }
    }

    private static func help(on name: String?) throws(UsageError) -> String {
        guard let name else { return overview }
        guard let definition = definitions.first(where: { $0.name == name }) else {
            let nearest = Spelling.nearest(to: name, among: definitions.map(\.name))
            throw UsageError("no command \(name)", suggestion: nearest)
        }
        return definition.help
    }

    private static var overview: String {
        """
        usage: portico [serve] [--env NAME] …
               portico COMMAND --help
               portico --version

        One small, fast door in front of several REST services: schemas say what it serves, environments say from
        where.

        \(HelpTable.text(definitions.map { ($0.name, $0.summary) }))

        Without a command it serves; without --env, in the environment Development.
        Exit codes: 0 done, 1 the server answered with an error, 64 usage, 65 bad input, 69 no server to be reached,
        74 output cannot be written, 78 configuration.
        """
    }
}
