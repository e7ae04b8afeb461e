import PorticoUpstream
import Testing

/// The transports there are; each must pass every test here.
enum TransportKind: String, CaseIterable, Sendable {
    case urlSession, eventLoop

    func make() throws -> any HTTPTransport {
        switch self {
        case .urlSession: URLSessionTransport()
        case .eventLoop: try EventLoopTransport()
        }
    }
}

@Suite struct HTTPTransportTests {
    private func send(
        _ kind: TransportKind, _ steps: [LoopbackServer.Step], limit: Int = 1000,
        timeout: Duration = .seconds(60)
    ) async throws -> (Result<HTTPResponse, TransportError>, LoopbackServer) {
        let server = LoopbackServer { _ in steps }
        defer { server.stop() }
        let transport = try kind.make()
        do throws(TransportError) {
            return (.success(try await transport.send(request(server, limit, timeout))), server)
        } catch {
            return (.failure(error), server)
        }
    }

    private func request(_ server: LoopbackServer, _ limit: Int = 1000, _ timeout: Duration = .seconds(600))
        -> HTTPRequest
    {
        HTTPRequest(
            url: HTTPURL(
                scheme: .http, host: "127.0.0.1", port: server.port, path: "/a%2Fb/", query: "x=%20y"),
            fields: [HTTPField("X-Key", "k")], timeout: timeout, bodyLimitBytes: limit)
    }

    @Test(arguments: TransportKind.allCases) func anAnswerComesWhole(kind: TransportKind) async throws {
        let (result, server) = try await send(
            kind,
            [
                .write("HTTP/1.1 201 Made\r\nX-A: b\r\nContent-Length: 2\r\n\r\nok")
            ])
        let response = try result.get()
        #expect(response.status == 201)
        #expect(response["x-a"] == "b")
        #expect(response.body == Array("ok".utf8))
        let head = try #require(server.requests.first)
        #expect(head.hasPrefix("GET /a%2Fb/?x=%20y HTTP/1.1\r\n"))
        #expect(head.contains("X-Key: k"))
    }

    @Test(arguments: TransportKind.allCases) func aRedirectIsAnAnswerAndNotFollowed(kind: TransportKind)
        async throws
    {
        let (result, server) = try await send(
            kind,
            [
                .write("HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n")
            ])
        let response = try result.get()
        #expect(response.status == 302)
        #expect(response["Location"] == "/elsewhere")
        #expect(server.requests.count == 1)
    }

    @Test(arguments: TransportKind.allCases) func aBodyThatSaysItIsTooLongIsNotRead(kind: TransportKind)
        async throws
    {
        let (result, _) = try await send(
            kind, [.write("HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n"), .waitForPeerToLeave])
        #expect(throws: TransportError.bodyTooLong(limitBytes: 1000)) { try result.get() }
    }

    @Test(arguments: TransportKind.allCases) func anEndlessBodyIsCutAtTheLimit(kind: TransportKind)
        async throws
    {
        let chunk = "100\r\n" + String(repeating: "x", count: 256) + "\r\n"
        let (result, _) = try await send(
            kind,
            [
                .write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
                .write(String(repeating: chunk, count: 10)), .waitForPeerToLeave,
            ])
        #expect(throws: TransportError.bodyTooLong(limitBytes: 1000)) { try result.get() }
    }

    @Test(arguments: TransportKind.allCases) func aBodyOfExactlyTheLimitIsTaken(kind: TransportKind)
        async throws
    {
        let body = String(repeating: "x", count: 1000)
        let (result, _) = try await send(
            kind, [.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n" + body)])
        #expect(try result.get().body.count == 1000)
    }

    @Test(arguments: TransportKind.allCases) func aBodyThatEndsEarlyIsTruncated(kind: TransportKind)
        async throws
    {
        let (result, _) = try await send(kind, [.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")])
        #expect(throws: TransportError.truncated(atByte: 3)) { try result.get() }
    }

    @Test(arguments: TransportKind.allCases) func aChunkedBodyThatEndsEarlyIsTruncated(kind: TransportKind)
        async throws
    {
        let (result, _) = try await send(
            kind,
            [
                .write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n")
            ])
        #expect(throws: TransportError.truncated(atByte: 3)) { try result.get() }
    }

    @Test(arguments: TransportKind.allCases) func aResetConnectionIsUnreachable(kind: TransportKind)
        async throws
    {
        let (result, _) = try await send(kind, [.reset])
        #expect(throws: TransportError.unreachable) { try result.get() }
    }

    @Test(arguments: TransportKind.allCases) func aPortNobodyListensOnIsUnreachable(kind: TransportKind)
        async throws
    {
        let server = LoopbackServer { _ in [] }
        server.stop()
        let request = request(server)
        await #expect(throws: TransportError.unreachable) { try await kind.make().send(request) }
    }

    @Test(arguments: TransportKind.allCases) func whatIsNotHTTPIsAFailure(kind: TransportKind) async throws {
        let (result, _) = try await send(kind, [.write("SSH-2.0-OpenSSH_9\r\n\r\n")])
        #expect(throws: TransportError.self) { try result.get() }
    }

    @Test(arguments: TransportKind.allCases) func anAttemptEndsAtItsTimeout(kind: TransportKind) async throws
    {
        let (result, _) = try await send(kind, [.waitForPeerToLeave], timeout: .milliseconds(50))
        #expect(throws: TransportError.timedOut) { try result.get() }
    }

    @Test func urlSessionsTimeoutIsThatOfItsClock() async {
        let clock = ManualClock()
        let server = LoopbackServer { _ in [.waitForPeerToLeave] }
        defer { server.stop() }
        let request = request(server, 1000, .seconds(5))
        let call = Task { try await URLSessionTransport(clock: clock).send(request) }
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(5))
        await #expect(throws: TransportError.timedOut) { try await call.value }
    }

    @Test(arguments: TransportKind.allCases) func cancellingTheTaskEndsTheExchange(kind: TransportKind)
        async throws
    {
        let server = LoopbackServer { _ in [.waitForPeerToLeave] }
        defer { server.stop() }
        let request = request(server)
        let transport = try kind.make()
        let call = Task { try await transport.send(request) }
        call.cancel()
        await #expect(throws: TransportError.cancelled) { try await call.value }
    }

    @Test(arguments: TransportKind.allCases) func nothingIsRememberedFromOneExchangeToTheNext(
        kind: TransportKind
    ) async throws {
        let server = LoopbackServer { _ in
            [
                .write(
                    "HTTP/1.1 200 OK\r\nSet-Cookie: a=b\r\nCache-Control: max-age=600\r\nETag: \"x\"\r\n"
                        + "Content-Length: 2\r\nConnection: close\r\n\r\nok")
            ]
        }
        defer { server.stop() }
        let transport = try kind.make()
        for _ in 0..<2 { _ = try await transport.send(request(server)) }
        #expect(server.requests.count == 2)
        #expect(!server.requests.contains { $0.contains("Cookie") || $0.contains("If-None-Match") })
    }

    @Test(
        arguments: TransportKind.allCases,
        ["Basic realm=\"x\"", "Bearer", "Digest realm=\"x\", nonce=\"y\"", "Negotiate", "", "?"])
    func aChallengeIsAnAnswerLikeOthers(kind: TransportKind, scheme: String) async throws {
        let (result, server) = try await send(
            kind,
            [
                .write("HTTP/1.1 401 No\r\nWWW-Authenticate: \(scheme)\r\nContent-Length: 2\r\n\r\nno")
            ])
        let response = try result.get()
        #expect(response.status == 401)
        #expect(response.body == Array("no".utf8))
        #expect(server.requests.count == 1)
    }
}
