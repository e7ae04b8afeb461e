import PorticoEventLoop
import Testing

@testable import PorticoServer

@Suite struct HTTPServerTests {
    /// Answers by path, so that a test can ask for each kind of reply.
    private final class Scripted: HTTPHandler {
        func reply(to request: HTTPRequest) -> HTTPReply {
            switch request.segments.first {
            case "echo": .send(HTTPResponse(contentType: "text/plain", body: request.body))
            case "later": .sendLater(.text("late"), after: .milliseconds(1))
            case "half": .sendHalf(.text("0123456789"))
            case "silent": .keepSilent
            case "reset": .reset
            case "large":
                .send(HTTPResponse(contentType: "a/b", body: [UInt8](repeating: 97, count: 3_000_000)))
            default: .send(.text(request.target))
            }
        }
    }

    private func withServer(
        limits: HTTPLimits = HTTPLimits(), address: String = "127.0.0.1:0",
        _ body: (SocketAddress) throws -> Void
    ) async throws {
        let loop = try EventLoop()
        try loop.start()
        let server = try await HTTPServer.start(
            on: SocketAddress(parsing: address), loop: loop, limits: limits
        ) { _ in
            Scripted()
        }
        let result = Result { try body(server.address) }
        loop.stop()
        await loop.join()
        try result.get()
    }

    @Test func aConnectionIsKeptForTheNextRequest() async throws {
        try await withServer { address in
            let client = try RawClient(address)
            #expect(client.get("/one")?.body == "/one")
            #expect(client.get("/two")?.body == "/two")
        }
    }

    @Test func pipelinedRequestsAreAnsweredInOrderAlsoWhenOneIsLate() async throws {
        try await withServer { address in
            let client = try RawClient(address)
            let paths = ["/1", "/later", "/2"]
            client.send(paths.map { "GET \($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
            client.send("GET /3 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            let text = client.readToEnd()
            let bodies = text.split(separator: "\r\n\r\n").dropFirst().map { $0.prefix(while: { $0 != "H" }) }
            #expect(bodies == ["/1", "late", "/2", "/3"])
        }
    }

    @Test func headGetsTheLengthWithoutTheBody() async throws {
        try await withServer { address in
            let client = try RawClient(address)
            client.send("HEAD /abc HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            let text = client.readToEnd()
            #expect(text.contains("Content-Length: 4\r\n"))
            #expect(text.hasSuffix("\r\n\r\n"))
        }
    }

    @Test func aBodyIsReadByItsLength() async throws {
        try await withServer { address in
            let client = try RawClient(address)
            client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhel")
            client.send("lo")
            #expect(client.readResponse()?.body == "hello")
        }
    }

    @Test func aFaultyRequestIsAnsweredAndTheConnectionCloses() async throws {
        try await withServer { address in
            let client = try RawClient(address)
            client.send("GET / HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n")
            let text = client.readToEnd()
            #expect(text.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
            #expect(text.contains("Connection: close\r\n"))
            #expect(!text.contains("200"))
        }
    }

    @Test func aPeerThatHasFinishedSendingStillGetsLargeAnswersWhole() async throws {
        try await withServer { address in
            let client = try RawClient(address)
            client.send("GET /large HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            #expect(client.readToEnd().utf8.count > 3_000_000)
        }
    }

    @Test func halfAnAnswerPromisesTheWhole() async throws {
        try await withServer { address in
            let client = try RawClient(address)
            client.send("GET /half HTTP/1.1\r\nHost: a\r\n\r\n")
            let text = client.readToEnd()
            #expect(text.contains("Content-Length: 10\r\n"))
            #expect(text.hasSuffix("\r\n\r\n01234"))
        }
    }

    @Test func aResetIsNoAnswer() async throws {
        try await withServer { address in
            let client = try RawClient(address)
            client.send("GET /reset HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(client.readToEnd().isEmpty)
        }
    }

    @Test func aRequestThatIsNotFinishedInTimeIsTold() async throws {
        var limits = HTTPLimits()
        limits.requestTimeout = .milliseconds(5)
        try await withServer(limits: limits) { address in
            let client = try RawClient(address)
            client.send("GET / HTTP/1.1\r\nHo")
            #expect(client.readToEnd().hasPrefix("HTTP/1.1 408 "))
        }
    }

    @Test(arguments: ["/silent", ""]) func aConnectionWithNothingToDoIsClosed(path: String) async throws {
        var limits = HTTPLimits()
        limits.idleTimeout = .milliseconds(5)
        try await withServer(limits: limits) { address in
            let client = try RawClient(address)
            if !path.isEmpty { client.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n") }
            #expect(client.readToEnd().isEmpty)
        }
    }

    @Test func overTheLimitConnectionsWaitForAPlace() async throws {
        var limits = HTTPLimits()
        limits.connections = 1
        try await withServer(limits: limits) { address in
            do {
                let first = try RawClient(address)
                #expect(first.get("/1")?.body == "/1")
            }
            let second = try RawClient(address)
            #expect(second.get("/2")?.body == "/2")
        }
    }

    @Test func itListensOnIPv6AndOnUnixSockets() async throws {
        let path = "/tmp/portico-test-\(UInt64.random(in: 0 ... .max)).sock"
        for address in ["[::1]:0", "unix:\(path)"] {
            try await withServer(address: address) { bound in
                let client = try RawClient(bound)
                #expect(client.get("/x")?.body == "/x")
            }
        }
    }

    @Test func aPortInUseIsSaid() async throws {
        try await withServer { address in
            #expect(throws: SystemError.addressInUse("\(address)")) { _ = try ListeningSocket(address) }
        }
    }
}
