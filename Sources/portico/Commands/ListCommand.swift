import PorticoSchema

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
        await console.reporting { () async throws(RemoteServer.Fault) in
            let server = try await RemoteServer.connect(remote)
            for method in server.schema.methods { console.print(method.route) }
        }
    }
}
