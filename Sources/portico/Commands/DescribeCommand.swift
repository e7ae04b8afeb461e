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
        console.fail("describing is not part of this build")
        return .software
    }
}
