import Foundation
import PorticoConfig
import PorticoEventLoop
import PorticoSchema
import PorticoServer
import PorticoTranscode
import PorticoUpstream
import Testing

/// The sandbox of the Test environment on a port of its own, told over HTTP what to get wrong.
struct FaultySandbox {
    let port: Int
    private let loop: EventLoop

    static func start(
        _ content: SandboxContent, _ settings: Configuration.Sandbox
    ) async throws -> FaultySandbox {
        let loop = try EventLoop()
        try loop.start()
        let server = try await SandboxServer.start(
            serving: content, configuration: settings, loop: loop)
        return FaultySandbox(port: server.port, loop: loop)
    }

    func stop() async {
        loop.stop()
        await loop.join()
    }

    /// Requests met since ``forgetRequests()``, by path.
    var requests: [String: Int] {
        get async throws {
            let body = try await send(.get, "_sandbox/requests")
            let counts = try DocumentReader.read(body, file: "requests").value
            guard case .object(let members) = counts else { return [:] }
            return members.reduce(into: [:]) { found, member in
                if case .number(let text) = member.value { found[member.name] = Int(text) }
            }
        }
    }

    func forgetRequests() async throws { _ = try await send(.delete, "_sandbox/requests") }

    /// - Parameter fault: its name in quotes, and what else belongs to it.
    func misbehave(_ fault: String, at path: String) async throws {
        _ = try await send(.post, "_sandbox/faults", #"{"path": "\#(path)", "fault": \#(fault)}"#)
    }

    func behave() async throws { _ = try await send(.delete, "_sandbox/faults") }

    /// Changes the list of employees.
    func rename(_ name: String) async throws {
        _ = try await send(
            .put, "directory/employees/2b2cf465-1e6d-4307-ade6-e839991e43d0",
            #"{"full_name": "\#(name)", "email_address": "b@parcel.example", "team": "IT", "employee_type": "FULL_TIME"}"#
        )
    }

    private func send(_ method: HTTPMethod, _ path: String, _ body: String? = nil) async throws -> [UInt8] {
        let url = try #require(HTTPURL("http://127.0.0.1:\(port)/\(path)"))
        let request = HTTPRequest(
            method: method, url: url, body: body.map { Array($0.utf8) }, timeout: .seconds(60),
            bodyLimitBytes: 1 << 20)
        // One for each, so that no connection is left over.
        let response = try await EventLoopTransport().send(request)
        try #require((200..<300).contains(response.status))
        return response.body
    }
}
