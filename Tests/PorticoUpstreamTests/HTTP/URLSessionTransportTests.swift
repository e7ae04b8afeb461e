import PorticoUpstream
import Testing

@Suite struct URLSessionTransportTests {
    private func send(
        _ steps: [LoopbackServer.Step], limit: Int = 1000, timeout: Duration = .seconds(3)
    ) async -> (Result<HTTPResponse, TransportError>, LoopbackServer) {
        let server = LoopbackServer { _ in steps }
        defer { server.stop() }
        do throws(TransportError) {
            return (.success(try await URLSessionTransport().send(request(server, limit, timeout))), server)
        } catch {
            return (.failure(error), server)
        }
    }

    private func request(_ server: LoopbackServer, _ limit: Int = 1000, _ timeout: Duration = .seconds(20))
        -> HTTPRequest
    {
        HTTPRequest(
            url: HTTPURL(
                scheme: .http, host: "127.0.0.1", port: server.port, path: "/a%2Fb/", query: "x=%20y"),
            fields: [HTTPField("X-Key", "k")], timeout: timeout, bodyLimitBytes: limit)
    }

    @Test func anAnswerComesWhole() async throws {
        let (result, server) = await send([
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

    @Test func aRedirectIsAnAnswerAndNotFollowed() async throws {
        let (result, server) = await send([
            .write("HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n")
        ])
        let response = try result.get()
        #expect(response.status == 302)
        #expect(response["Location"] == "/elsewhere")
        #expect(server.requests.count == 1)
    }

    @Test func aBodyThatSaysItIsTooLongIsNotRead() async {
        let (result, _) = await send(
            [.write("HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n"), .waitForPeerToLeave])
        #expect(throws: TransportError.bodyTooLong(limitBytes: 1000)) { try result.get() }
    }

    @Test func anEndlessBodyIsCutAtTheLimit() async {
        let chunk = "100\r\n" + String(repeating: "x", count: 256) + "\r\n"
        let (result, _) = await send([
            .write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
            .write(String(repeating: chunk, count: 10)), .waitForPeerToLeave,
        ])
        #expect(throws: TransportError.bodyTooLong(limitBytes: 1000)) { try result.get() }
    }

    @Test func aBodyOfExactlyTheLimitIsTaken() async throws {
        let body = String(repeating: "x", count: 1000)
        let (result, _) = await send([.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n" + body)])
        #expect(try result.get().body.count == 1000)
    }

    @Test func aBodyThatEndsEarlyIsTruncated() async {
        let (result, _) = await send([.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")])
        #expect(throws: TransportError.truncated(atByte: 3)) { try result.get() }
    }

    @Test func aChunkedBodyThatEndsEarlyIsTruncated() async {
        let (result, _) = await send([
            .write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n")
        ])
        #expect(throws: TransportError.truncated(atByte: 3)) { try result.get() }
    }

    @Test func aResetConnectionIsUnreachable() async {
        let (result, _) = await send([.reset])
        #expect(throws: TransportError.unreachable) { try result.get() }
    }

    @Test func aPortNobodyListensOnIsUnreachable() async {
        let server = LoopbackServer { _ in [] }
        server.stop()
        let request = request(server)
        await #expect(throws: TransportError.unreachable) { try await URLSessionTransport().send(request) }
    }

    @Test func whatIsNotHTTPIsAFailure() async {
        let (result, _) = await send([.write("SSH-2.0-OpenSSH_9\r\n\r\n")])
        #expect(throws: TransportError.self) { try result.get() }
    }

    @Test func anAttemptEndsAtItsTimeout() async {
        let clock = ManualClock()
        let server = LoopbackServer { _ in [.waitForPeerToLeave] }
        defer { server.stop() }
        let request = request(server, 1000, .seconds(5))
        let call = Task { try await URLSessionTransport(clock: clock).send(request) }
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(5))
        await #expect(throws: TransportError.timedOut) { try await call.value }
    }

    @Test func cancellingTheTaskEndsTheExchange() async {
        let server = LoopbackServer { _ in [.waitForPeerToLeave] }
        defer { server.stop() }
        let request = request(server)
        let call = Task { try await URLSessionTransport().send(request) }
        call.cancel()
        await #expect(throws: TransportError.cancelled) { try await call.value }
    }

    @Test func nothingIsRememberedFromOneExchangeToTheNext() async throws {
        let server = LoopbackServer { _ in
            [
                .write(
                    "HTTP/1.1 200 OK\r\nSet-Cookie: a=b\r\nCache-Control: max-age=600\r\nETag: \"x\"\r\n"
                        + "Content-Length: 2\r\nConnection: close\r\n\r\nok")
            ]
        }
        defer { server.stop() }
        let transport = URLSessionTransport()
        for _ in 0..<2 { _ = try await transport.send(request(server)) }
        #expect(server.requests.count == 2)
        #expect(!server.requests.contains { $0.contains("Cookie") || $0.contains("If-None-Match") })
    }

    @Test(arguments: ["Basic realm=\"x\"", "Bearer", "Digest realm=\"x\", nonce=\"y\"", "Negotiate", "", "?"])
    func aChallengeIsAnAnswerLikeOthers(scheme: String) async throws {
        let (result, server) = await send([
            .write("HTTP/1.1 401 No\r\nWWW-Authenticate: \(scheme)\r\nContent-Length: 2\r\n\r\nno")
        ])
        let response = try result.get()
        #expect(response.status == 401)
        #expect(response.body == Array("no".utf8))
        #expect(server.requests.count == 1)
    }
}
