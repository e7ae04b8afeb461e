import PorticoEventLoop
import PorticoServer

/// One page of people under every path, where there is no nginx to serve it.
final class PageServer: HTTPHandler {
    private let reply: HTTPReply

    private init(_ page: [UInt8]) {
        reply = .send(HTTPResponse(contentType: "application/json", body: page))
    }

    func reply(to request: HTTPRequest) -> HTTPReply { reply }

    /// - Returns: its port; it ends with the process.
    static func start() async throws -> UInt16 {
        let loop = try EventLoop()
        try loop.start()
        let page = UpstreamBenchmark.page()
        let server = try await HTTPServer.start(on: SocketAddress(parsing: "127.0.0.1:0"), loop: loop) { _ in
            PageServer(page)
        }
        return UInt16(server.address.port ?? 0)
    }
}
