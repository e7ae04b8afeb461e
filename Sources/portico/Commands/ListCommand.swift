/// `portico list`
struct ListCommand: Equatable, Sendable {
    var remote = RemoteOptions()

    static let definition = CommandDefinition(
        name: "list",
        summary: "List the methods of a running server.",
        details: "One method a line, with the first sentence of what its schema says about it.",
        operands: [],
        options: RemoteOptions.options)

    init(_ parsed: ParsedArguments) { remote = RemoteOptions(parsed) }

    func run(_ console: Console) async -> ExitStatus {
        await console.reporting { () async throws(RemoteServer.Fault) in
            let server = try await RemoteServer.connect(remote)
            let methods = try await server.methods()
            console.print(HelpTable.text(methods.map { ($0.route, $0.summary) }, widestTerm: 60))
        }
    }
}
