import Foundation
import PorticoUpstream

/// `peers/upstream.go`, built and running.
struct GoPeer {
    private let program: ChildProgram
    let client: GoClient

    /// Nil: Go is not installed.
    static func start(upstream: String, transport: EventLoopTransport) throws(BenchmarkFault) -> GoPeer? {
        guard let go = ChildProgram.path(of: "go") else { return nil }
        let source = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "peers/upstream.go").path
        let binary = FileManager.default.temporaryDirectory.appending(path: "portico-peer-\(UUID())").path
        guard try ChildProgram(go, ["build", "-o", binary, source]).succeeded() else {
            throw .release("`go build \(source)` failed.")
        }
        let program = try ChildProgram(binary, [upstream])
        guard let port = Int(program.line()) else { throw .wrongResult("The Go server did not start.") }
        return GoPeer(program: program, client: GoClient(transport: transport, port: port))
    }

    var memory: Int { program.memory }

    func stop() { program.stop() }
}

/// Calls the Go server.
struct GoClient: Sendable {
    let transport: EventLoopTransport
    let port: Int

    func call(_ number: Int) async throws -> [UInt8] {
        let url = HTTPURL(scheme: .http, host: "127.0.0.1", port: port, path: "/", query: "page=\(number)")
        let request = HTTPRequest(url: url, timeout: .seconds(10), bodyLimitBytes: 1 << 20)
        let response = try await transport.send(request)
        guard response.status == 200 else {
            throw BenchmarkFault.wrongResult("The Go server answered \(response.status).")
        }
        return response.body
    }
}
