/// `portico list`
struct ListCommand: Equatable, Sendable {
    var remote = RemoteOptions()

    static let definition = CommandDefinition(
        name: "list",
        summary: "List the methods of a running server.",
        details: "Asks the server for its schema; one method a line.",
        operands: [],
        options: RemoteOptions.options)

    init(_ parsed: ParsedArguments) { remote = RemoteOptions(parsed) }

    func run(_ console: Console) async -> ExitStatus {
        console.fail("listing is not part of this build")
        return .software
    }
}
