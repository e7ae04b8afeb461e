import PorticoSchema
import PorticoConfig

/// `portico describe`
struct DescribeCommand: Equatable, Sendable {
    /// A service, method, message or enum.
    var name: String
    var remote = RemoteOptions()

    static let definition = CommandDefinition(
        name: "describe",
        summary: "Describe a service, method, message or enum of a running server.",
        details: "Asks the server for its schema and prints what NAME is made of.",
        operands: [.init(name: "NAME", help: "Its full name, starwars.v1.Person for example.")],
        options: RemoteOptions.options)

    init(_ parsed: ParsedArguments) {
        name = parsed.operands[0]
        remote = RemoteOptions(parsed)
    }

    func run(_ console: Console) async -> ExitStatus {
        await console.reporting { () async throws(RemoteServer.Fault) in
            let server = try await RemoteServer.connect(remote)
            let schema = SchemaText(schema: server.schema)
            guard let text = schema.text(of: name) else {
                let advice = Spelling.nearest(to: name, among: schema.names).map { "; did you mean \($0)?" }
                throw RemoteServer.Fault(
                    .usage,
                    "the server's schema has no \(name)\(advice ?? "; portico list shows the methods")")
            }
            console.print(text)
        }
    }
}
