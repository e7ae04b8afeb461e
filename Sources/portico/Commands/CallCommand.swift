import PorticoClient
import PorticoSchema

/// `portico call`
struct CallCommand: Equatable, Sendable {
    /// `package.Service/Method`
    var method: String
    /// The request in proto3 JSON; nil: an empty one.
    var request: String?
    var remote = RemoteOptions()
    /// Ask for the current answer and each different one that follows.
    var observes = false
    /// Where the answer is written; nil: standard output.
    var output: String?

    static let definition = CommandDefinition(
        name: "call",
        summary: "Call a method of a running server, JSON in, JSON out.",
        details: """
            Asks the server for its schema, sends the request and prints the answer as JSON. For example:
              portico call starwars.v1.Characters/GroupByEyeColor '{"eyeColor": "brown"}'
            """,
        operands: [
            .init(name: "METHOD", help: "package.Service/Method"),
            .init(name: "JSON", help: "The request message; {} if left out.", isRequired: false),
        ],
        options: RemoteOptions.options + [
            .init(
                name: "observe", value: nil,
                help: "Print the answer and then each different one, until you interrupt it."),
            .init(name: "output", value: "FILE", help: "Write the answer there."),
        ])

    init(_ parsed: ParsedArguments) throws(UsageError) {
        method = parsed.operands[0]
        request = parsed.operands.count > 1 ? parsed.operands[1] : nil
        remote = RemoteOptions(parsed)
        observes = parsed.has("observe")
        output = parsed.value("output")
        guard method.split(separator: "/", omittingEmptySubsequences: false).count == 2 else {
            throw UsageError("a method is written package.Service/Method, not \(method)", command: "call")
        }
    }

    func run(_ console: Console) async -> ExitStatus {
        await console.reporting { () async throws(RemoteServer.Fault) in
            let server = try await RemoteServer.connect(remote)
            let method = try server.method(self.method)
            let request = RequestText(json: request ?? "{}", schema: server.schema)
            let message = try request.encoded(as: method.input)
            let printer = ReplyPrinter(method: method, schema: server.schema, file: output, console: console)
            if observes { return try await observe(server, method.route, message, printer) }
            try await console.announcing("waiting for \(method.route)") {
                () async throws(RemoteServer.Fault) in
                try await ask(server, method.route, message, printer)
            }
        }
    }

    private func ask(
        _ server: RemoteServer, _ route: String, _ message: [UInt8], _ printer: ReplyPrinter
    ) async throws(RemoteServer.Fault) {
        do {
            try printer.show(await server.client.call(route, request: message))
        } catch let fault as RemoteServer.Fault {
            throw fault
        } catch {
            throw RemoteServer.Fault(error)
        }
    }

    /// Until the user interrupts it or the server goes.
    private func observe(
        _ server: RemoteServer, _ route: String, _ message: [UInt8], _ printer: ReplyPrinter
    ) async throws(RemoteServer.Fault) {
        do {
            for try await reply in try server.client.observe(route, request: message) {
                try printer.show(reply)
            }
        } catch let fault as RemoteServer.Fault {
            throw fault
        } catch {
            throw RemoteServer.Fault(error)
        }
    }
}
