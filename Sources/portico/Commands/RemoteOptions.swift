/// The options of every command that talks to a running server.
struct RemoteOptions: Equatable, Sendable {
    /// `HOST:PORT` or `unix:PATH`
    var address = "127.0.0.1:7400"
    /// A bearer token; nil: none is sent.
    var token: String?

    static let options: [CommandDefinition.Option] = [
        .init(
            name: "to", value: "ADDRESS",
            help: "The server, HOST:PORT or unix:PATH; 127.0.0.1:7400 if left out."),
        .init(name: "token", value: "TOKEN", help: "The bearer token that lets this client in."),
    ]

    init() {}

    init(_ parsed: ParsedArguments) {
        address = parsed.value("to") ?? address
        token = parsed.value("token")
    }
}
