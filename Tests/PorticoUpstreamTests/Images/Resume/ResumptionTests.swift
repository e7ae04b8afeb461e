import PorticoUpstream
import Synchronization
import Testing

/// Downloads that break off, from servers that let them be resumed and from some that only seem to.
@Suite struct ResumptionTests {
    private static let body = Array("0123456789".utf8)
    private static let limit = 10

    /// What one request is answered with; the connection ends behind it.
    private struct Reply: Sendable {
        var head: String
        var body: ArraySlice<UInt8>
    }

    /// The whole, broken off behind `count` bytes.
    private static func broken(
        at count: Int, _ fields: String = "ETag: \"a\"\r\nAccept-Ranges: bytes\r\n"
    ) -> Reply {
        Reply(head: "200 OK\r\n\(fields)Content-Length: 10\r\n", body: body.prefix(count))
    }

    private static func rest(
        _ range: String = "4-9/10", tag: String = "ETag: \"a\"\r\n", _ bytes: ArraySlice<UInt8> = body[4...],
        length: Int? = nil
    ) -> Reply {
        Reply(
            head:
                "206 Partial Content\r\n\(tag)Content-Range: bytes \(range)\r\nContent-Length: \(length ?? bytes.count)\r\n",
            body: bytes)
    }

    private static let whole = Reply(head: "200 OK\r\nETag: \"b\"\r\nContent-Length: 10\r\n", body: body[...])

    /// What came of each attempt, in their order, and the requests' heads.
    private func attempts(
        _ count: Int, _ kind: TransportKind, _ replies: [Reply], limit: Int = ResumptionTests.limit
    ) async throws -> (outcomes: [Result<HTTPResponse, TransportError>], requests: [String], saved: Int) {
        let left = Mutex(replies[...])
        let server = LoopbackServer { _ in
            guard let reply = left.withLock({ $0.popFirst() }) else { return [] }
            return [
                .write("HTTP/1.1 \(reply.head)Connection: close\r\n\r\n"), .writeBytes(Array(reply.body)),
            ]
        }
        defer { server.stop() }
        let transport = try kind.make()
        let saved = Atomic(0)
        let resumption = Resumption { saved.add($0, ordering: .relaxed) }
        let request = HTTPRequest(
            url: HTTPURL(scheme: .http, host: "127.0.0.1", port: server.port, path: "/p"),
            timeout: .seconds(60), bodyLimitBytes: limit)
        var outcomes: [Result<HTTPResponse, TransportError>] = []
        for _ in 0..<count {
            do throws(TransportError) {
                outcomes.append(.success(try await resumption.send(request, over: transport)))
            } catch {
                outcomes.append(.failure(error))
            }
        }
        return (outcomes, server.requests, saved.load(ordering: .relaxed))
    }

    private func ranges(_ heads: [String]) -> [String?] {
        heads.map { head in
            head.split(separator: "\r\n").first { $0.hasPrefix("Range: ") }.map { String($0.dropFirst(7)) }
        }
    }

    @Test(arguments: TransportKind.allCases) func theRestIsAskedForAndJoined(kind: TransportKind) async throws
    {
        let (outcomes, requests, saved) = try await attempts(2, kind, [Self.broken(at: 4), Self.rest()])
        #expect(throws: TransportError.truncated(atByte: 4)) { try outcomes[0].get() }
        let response = try outcomes[1].get()
        #expect(response.status == 200)
        #expect(response.body == Self.body)
        #expect(response["ETag"] == "\"a\"")
        #expect(ranges(requests) == [nil, "bytes=4-"])
        #expect(requests[1].contains("\r\nIf-Range: \"a\"\r\n"))
        #expect(requests.allSatisfy { $0.contains("\r\nAccept-Encoding: identity\r\n") })
        #expect(saved == 4)
    }

    @Test(arguments: TransportKind.allCases) func aRestThatBreaksOffTooIsGoneOnFrom(kind: TransportKind)
        async throws
    {
        let (outcomes, requests, saved) = try await attempts(
            3, kind,
            [
                Self.broken(at: 4), Self.rest("4-9/10", Self.body[4..<7], length: 6),
                Self.rest("7-9/10", Self.body[7...]),
            ])
        #expect(try outcomes[2].get().body == Self.body)
        #expect(ranges(requests) == [nil, "bytes=4-", "bytes=7-"])
        #expect(saved == 7)
    }

    /// The whole is asked for in the same attempt.
    @Test(arguments: [
        // Another picture by now, by its tag; a part that does not say whose it is.
        rest(tag: "ETag: \"b\"\r\n"), rest(tag: ""), rest(tag: "ETag: W/\"a\"\r\n"),
        // Another part, another whole, a part of the rest, or one that says nothing.
        rest("3-9/10"), rest("5-9/10"), rest("4-8/10"), rest("4-9/11"), rest("4-9/*"), rest("*/10"),
        rest("4-8/10", body[4...8]), rest("9-4/10"), rest("-4-9/10"), rest("4-9/10, 4-9/10"),
        rest("99999999999999999999-9/10"),
        // Fewer and more bytes than it says.
        rest("4-9/10", body[5...]), rest("4-9/10", body[4...] + [0]),
        // Not the bytes that were counted.
        rest(tag: "ETag: \"a\"\r\nContent-Encoding: br\r\n"),
        Reply(head: "206 Partial Content\r\nContent-Length: 6\r\n", body: body[4...]),
        Reply(head: "416 Range Not Satisfiable\r\nContent-Length: 0\r\n", body: []),
        Reply(head: "412 Precondition Failed\r\nContent-Length: 0\r\n", body: []),
    ])
    private func whatIsNotTheRestIsThrownAway(reply: Reply) async throws {
        let (outcomes, requests, saved) = try await attempts(
            2, .eventLoop, [Self.broken(at: 4), reply, Self.whole])
        #expect(try outcomes[1].get().body == Self.body)
        #expect(try outcomes[1].get()["ETag"] == "\"b\"")
        #expect(ranges(requests) == [nil, "bytes=4-", nil])
        #expect(saved == 0)
    }

    @Test(arguments: TransportKind.allCases) func anUpstreamMaySendTheWholeInstead(kind: TransportKind)
        async throws
    {
        let (outcomes, requests, _) = try await attempts(
            2, kind, [Self.broken(at: 4), Self.whole, Self.whole], limit: 20)
        #expect(try outcomes[1].get().body == Self.body)
        #expect(requests.count == 2)
    }

    /// The part and what comes behind it are never more together than the limit, so a whole that comes instead is asked for
    /// once more, without the part.
    @Test(arguments: TransportKind.allCases) func thePartCountsTowardsTheLimit(kind: TransportKind)
        async throws
    {
        let (outcomes, requests, _) = try await attempts(
            2, kind, [Self.broken(at: 4), Self.whole, Self.whole])
        #expect(try outcomes[1].get().body == Self.body)
        #expect(ranges(requests) == [nil, "bytes=4-", nil])
    }

    @Test(arguments: TransportKind.allCases) func aRestWithoutAnEndIsNotReadToIt(kind: TransportKind)
        async throws
    {
        let endless = Reply(
            head: "206 Partial Content\r\nETag: \"a\"\r\nContent-Range: bytes 4-9/10\r\n",
            body: ArraySlice(repeating: 7, count: 1 << 20))
        let long = Reply(head: "200 OK\r\n", body: ArraySlice(repeating: 7, count: 1 << 20))
        let (outcomes, _, _) = try await attempts(2, kind, [Self.broken(at: 4), endless, long])
        #expect(throws: TransportError.bodyTooLong(limitBytes: 10)) { try outcomes[1].get() }
    }

    @Test(arguments: [
        "", "ETag: \"a\"\r\n", "Accept-Ranges: bytes\r\n", "ETag: W/\"a\"\r\nAccept-Ranges: bytes\r\n",
        "ETag: \"a\"\r\nAccept-Ranges: none\r\n",
        "ETag: \"a\"\r\nAccept-Ranges: bytes\r\nContent-Encoding: br\r\n",
        // A weak tag beside it, no time to compare with, changed in the minute that it was sent in.
        "ETag: W/\"a\"\r\nLast-Modified: Mon, 02 Nov 2026 00:00:00 GMT\r\nDate: Tue, 03 Nov 2026 00:00:00 GMT\r\nAccept-Ranges: bytes\r\n",
        "Last-Modified: Mon, 02 Nov 2026 00:00:00 GMT\r\nAccept-Ranges: bytes\r\n",
        "Last-Modified: Mon, 02 Nov 2026 00:00:00 GMT\r\nDate: Mon, 02 Nov 2026 00:00:59 GMT\r\nAccept-Ranges: bytes\r\n",
    ])
    func withoutRangesOrAStrongValidatorTheWholeIsAskedForAgain(fields: String) async throws {
        let (outcomes, requests, _) = try await attempts(
            2, .eventLoop, [Self.broken(at: 4, fields), Self.whole])
        #expect(throws: TransportError.truncated(atByte: 4)) { try outcomes[0].get() }
        #expect(try outcomes[1].get().body == Self.body)
        #expect(ranges(requests) == [nil, nil])
    }

    @Test(arguments: ["", "Last-Modified: Mon, 02 Nov 2026 00:00:00 GMT\r\n"])
    func aDateThatIsOldEnoughIsAStrongValidator(said: String) async throws {
        let date = "Mon, 02 Nov 2026 00:00:00 GMT"
        let fields =
            "Last-Modified: \(date)\r\nDate: Mon, 02 Nov 2026 00:01:00 GMT\r\nAccept-Ranges: bytes\r\n"
        let (outcomes, requests, _) = try await attempts(
            2, .eventLoop, [Self.broken(at: 4, fields), Self.rest(tag: said)])
        #expect(try outcomes[1].get().body == Self.body)
        #expect(requests[1].contains("\r\nIf-Range: \(date)\r\n"))
        #expect(try outcomes[1].get()["Last-Modified"] == date)
    }

    @Test func anUpstreamThatFailsInBetweenIsStillAskedForTheRest() async throws {
        let busy = Reply(head: "503 Busy\r\nContent-Length: 0\r\n", body: [])
        let (outcomes, requests, _) = try await attempts(
            3, .eventLoop, [Self.broken(at: 4), busy, Self.rest()])
        #expect(try outcomes[1].get().status == 503)
        #expect(try outcomes[2].get().body == Self.body)
        #expect(ranges(requests) == [nil, "bytes=4-", "bytes=4-"])
    }
}
