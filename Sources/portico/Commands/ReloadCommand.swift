import PorticoConfig
import PorticoEventLoop
import PorticoSchema
import PorticoTranscode
import PorticoUpstream

/// `portico reload`
struct ReloadCommand: Equatable, Sendable {
    /// The operator's, `HOST:PORT` or `unix:PATH`.
    var address = "127.0.0.1:7401"

    static let definition = CommandDefinition(
        name: "reload",
        summary: "Let a running server read its environment and schemas again.",
        details: """
            Asks the server at its operator address; connections and calls in flight live on. Prints what has changed and what
            needs a restart. A faulty file changes nothing: its faults are printed, and the exit code is 78.
            """,
        operands: [],
        options: [
            .init(
                name: "to", value: "OPERATOR",
                help: "The server's operator.address, HOST:PORT or unix:PATH; 127.0.0.1:7401 if left out.")
        ])

    init(_ parsed: ParsedArguments) { address = parsed.value("to") ?? address }

    func run(_ console: Console) async -> ExitStatus {
        guard let place = try? SocketAddress(parsing: address), let url = HTTPURL("http://operator/reload")
        else {
            console.fail("\(address) is not HOST:PORT or unix:PATH")
            return .usage
        }
        let request = HTTPRequest(
            method: .post, url: url, body: [], timeout: .seconds(60), bodyLimitBytes: 16 << 20)
        do {
            let response = try await EventLoopTransport(address: place).send(request)
            return report(try answer(response), to: console)
        } catch let fault as RemoteServer.Fault {
            console.fail(fault.message)
            return fault.status
        } catch {
            console.fail(
                "no operator answers at \(address); the server's operator.address says where it does")
            return .unavailable
        }
    }

    private func answer(_ response: HTTPResponse) throws(RemoteServer.Fault) -> JSONValue {
        guard [200, 409].contains(response.status),
            let document = try? DocumentReader.read(response.body, file: address)
        else {
            throw RemoteServer.Fault(.unavailable, "\(address) answered \(response.status) to POST /reload")
        }
        return document.value
    }

    private func report(_ answer: JSONValue, to console: Console) -> ExitStatus {
        let faults = answer.texts("faults")
        guard faults.isEmpty else {
            for fault in faults { console.complain(fault) }
            console.fail(
                "nothing was changed: the configuration has \(faults.count == 1 ? "a fault" : "faults")")
            return .configuration
        }
        guard case .number(let generation)? = answer["generation"] else { return .unavailable }
        console.print("portico: generation \(generation) runs")
        for change in answer.texts("applied") { console.print("  \(change)") }
        for change in answer.texts("needRestart") { console.print("  needs a restart: \(change)") }
        return .success
    }
}

extension JSONValue {
    /// The texts in a member's list.
    fileprivate func texts(_ name: String) -> [String] {
        guard case .array(let elements)? = self[name] else { return [] }
        return elements.compactMap { if case .string(let text) = $0 { text } else { nil } }
    }
}
