import TestSupport
import Testing

@testable import PorticoUpstream

private typealias Persistence = ResponseFraming.Persistence

private func parser(_ method: String = "GET", head: Int = 500, body: Int = 100) -> ResponseParser {
    ResponseParser(to: method, limits: .init(headBytes: head, bodyBytes: body))
}

extension ResponseParser {
    fileprivate mutating func append(_ text: some StringProtocol) throws(TransportError) {
        try append(Array(text.utf8).span)
    }

    fileprivate mutating func append(_ bytes: some Sequence<UInt8>) throws(TransportError) {
        try append(Array(bytes).span)
    }
}

/// An answer, what it says, and whether its end is known without the connection's end.
struct WholeAnswer: Sendable, CustomTestStringConvertible {
    var method = "GET"
    var bytes: String
    var status = 200
    var body = ""
    var endsItself = true
    var testDescription: String { bytes }
}

@Suite struct ResponseParserTests {
    static let answers: [WholeAnswer] = [
        .init(bytes: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", body: "ok"),
        .init(bytes: "HTTP/1.1 200\r\ncontent-length:2\r\n\r\nok", body: "ok"),
        .init(bytes: "HTTP/1.1 200 \r\nContent-Length: 0\r\n\r\n"),
        .init(bytes: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok", body: "ok"),
        .init(bytes: "HTTP/1.1 200 OK\r\nContent-Length: 2, 2\r\n\r\nok", body: "ok"),
        .init(bytes: "HTTP/1.0 200 OK\r\n\r\nto the end", body: "to the end", endsItself: false),
        .init(bytes: "HTTP/1.1 200 OK\r\n\r\n", endsItself: false),
        .init(bytes: "HTTP/1.1 204 No\r\n\r\n", status: 204),
        .init(bytes: "HTTP/1.1 304 Same\r\nContent-Length: 9\r\n\r\n", status: 304),
        .init(bytes: "HTTP/1.1 304 Same\r\nTransfer-Encoding: chunked\r\n\r\n", status: 304),
        .init(method: "HEAD", bytes: "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"),
        .init(
            bytes: "HTTP/1.1 100 Go on\r\n\r\nHTTP/1.1 103 Hints\r\nLink: x\r\n\r\n"
                + "HTTP/1.1 404 No\r\nContent-Length: 1\r\n\r\nx", status: 404, body: "x"),
        .init(
            bytes: "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n"
                + "4;a=\"b;c\"\r\nWiki\r\n00b ; x\r\npedia\r\n\r\n12\r\n0;last\r\nExpires: 0\r\nX:\r\n\r\n",
            body: "Wikipedia\r\n\r\n12"),
        .init(bytes: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    ]

    @Test(arguments: answers) func anAnswerIsReadWhole(answer: WholeAnswer) throws {
        var parser = parser(answer.method)
        try parser.append(answer.bytes)
        try expectEnd(of: parser, answer)
    }

    @Test(arguments: answers) func anAnswerSplitAtAnyByteIsTheSame(answer: WholeAnswer) throws {
        let bytes = Array(answer.bytes.utf8)
        for split in 0...bytes.count {
            var parser = parser(answer.method)
            try parser.append(bytes.prefix(split))
            try parser.append(bytes.dropFirst(split))
            try expectEnd(of: parser, answer)
        }
    }

    @Test(arguments: answers) func anAnswerByteByByteIsTheSame(answer: WholeAnswer) throws {
        var parser = parser(answer.method)
        for byte in answer.bytes.utf8 { try parser.append([byte]) }
        try expectEnd(of: parser, answer)
    }

    @Test(arguments: answers.filter(\.endsItself)) func anAnswerThatEndsEarlyIsTruncated(
        answer: WholeAnswer
    ) throws {
        let bytes = Array(answer.bytes.utf8)
        for count in 0..<bytes.count {
            var parser = parser(answer.method)
            try parser.append(bytes.prefix(count))
            #expect(!parser.isComplete, "after \(count) bytes")
            #expect(throws: TransportError.self, "after \(count) bytes") { try parser.endOfStream() }
        }
    }

    private func expectEnd(of parser: ResponseParser, _ answer: WholeAnswer) throws {
        var parser = parser
        #expect(parser.isComplete == answer.endsItself)
        try parser.endOfStream()
        let response = parser.response()
        #expect(response.status == answer.status)
        #expect(String(decoding: response.body, as: UTF8.self) == answer.body)
    }

    @Test(arguments: [
        "SSH-2.0-OpenSSH_9\r\n", "HTTP/2 200 OK\r\n\r\n", "HTTP/1.2 200 OK\r\n\r\n", "HTTP/1.1 20 OK\r\n\r\n",
        "HTTP/1.1  200 OK\r\n\r\n", "HTTP/1.1 2000 OK\r\n\r\n", "HTTP/1.1 2x0 OK\r\n\r\n",
        "HTTP/1.1 099 OK\r\n\r\n", "HTTP/1.1 600 OK\r\n\r\n", "HTTP/1.1 101 Switch\r\n\r\n",
        "HTTP/1.1 200 OK\r\n folded: x\r\n\r\n", "HTTP/1.1 200 OK\r\nA: b\r\n c\r\n\r\n",
        "HTTP/1.1 200 OK\r\nA : b\r\n\r\n", "HTTP/1.1 200 OK\r\n: b\r\n\r\n", "HTTP/1.1 200 OK\r\nAb\r\n\r\n",
        "HTTP/1.1 200 OK\nA: b\r\n\r\n", "HTTP/1.1 200 OK\r\nA: b\rc\r\n\r\n",
        "HTTP/1.1 200 OK\r\nA: \0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 2, 3\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: +2\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: -2\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 2 2\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 0x2\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n",
        "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, chunked\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\n\r\n",
    ]) func whatIsNotPlainHTTPIsMalformed(bytes: String) {
        var parser = parser()
        #expect(throws: TransportError.malformed) { try parser.append(bytes) }
    }

    @Test(arguments: [
        "\r\n", "x\r\n", "-1\r\n", "0x1\r\na", "1 1\r\na\r\n".replacing(" 1", with: "\u{b}"), "1\na",
        "1\r\nab\r\n",
        "1\r\na\n", "1;\n", "1;\0\r\n", "fffffffffffffffff\r\n", "0\r\nA: b\n", "0\r\n\n", "0\r\n\rx",
    ]) func brokenChunksAreMalformed(chunks: String) throws {
        var parser = parser()
        try parser.append("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        #expect(throws: TransportError.malformed) { try parser.append(chunks) }
    }

    @Test func aHeadOfTheLimitIsTakenAndOneByteMoreIsNot() throws {
        let start = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nA: "
        let fill = String(repeating: "x", count: 200 - start.utf8.count - 4)
        var exact = parser(head: 200)
        try exact.append(start + fill + "\r\n\r\n")
        #expect(exact.isComplete)
        for piece in [start + fill + "x\r\n\r\n", start + fill + "xxxxx"] {
            var long = parser(head: 200)
            #expect(throws: TransportError.headTooLong(limitBytes: 200)) { try long.append(piece) }
        }
    }

    @Test func endlessInformationalHeadsMeetTheLimit() {
        var parser = parser(head: 200)
        let heads = String(repeating: "HTTP/1.1 100 Go on\r\n\r\n", count: 10)
        #expect(throws: TransportError.headTooLong(limitBytes: 200)) { try parser.append(heads) }
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 101\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n65\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n64\r\n",
        "HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "x", count: 101),
    ]) func aBodyPastTheLimitIsRefusedAsSoonAsThatIsKnown(bytes: String) {
        var parser = parser(body: 100)
        #expect(throws: TransportError.bodyTooLong(limitBytes: 100)) { try parser.append(bytes) }
    }

    @Test(arguments: [
        "1;" + String(repeating: "x", count: 501), "0\r\n" + String(repeating: "A: b\r\n", count: 130),
    ])
    func endlessChunkExtensionsAndTrailersMeetTheLimit(chunks: String) throws {
        var parser = parser(head: 500)
        try parser.append("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        #expect(throws: TransportError.malformed) { try parser.append(chunks) }
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\n", Persistence.keep(nil)), ("HTTP/1.1 200 OK\r\nConnection: close\r\n", .close),
        ("HTTP/1.1 200 OK\r\nConnection: x, Close\r\n", .close), ("HTTP/1.0 200 OK\r\n", .close),
        ("HTTP/1.0 200 OK\r\nConnection: keep-alive\r\n", .keep(nil)),
        ("HTTP/1.1 200 OK\r\nKeep-Alive: timeout=5, max=100\r\n", .keep(.seconds(5))),
        ("HTTP/1.1 200 OK\r\nKeep-Alive: max=0\r\n", .close),
        ("HTTP/1.1 200 OK\r\nKeep-Alive: timeout=x\r\n", .keep(nil)),
    ]) fileprivate func theHeadSaysWhetherTheConnectionLives(head: String, persistence: Persistence) throws {
        var parser = parser()
        try parser.append(head + "Content-Length: 0\r\n\r\n")
        #expect(parser.persistence == persistence)
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1", "HTTP/1.1 204 No\r\n\r\nx",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nx",
    ]) func bytesNobodyAskedForEndTheConnectionButNotTheAnswer(bytes: String) throws {
        var parser = parser()
        try parser.append(bytes)
        #expect(parser.isComplete)
        #expect(parser.persistence == .close)
    }

    @Test func mutatedAnswersNeverTrap() {
        var random = SeededGenerator(seed: 7)
        for answer in Self.answers {
            for _ in 0..<300 {
                var bytes = Array(answer.bytes.utf8)
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(
                        in: 0...255, using: &random)
                }
                var parser = parser(answer.method)
                let split = Int.random(in: 0...bytes.count, using: &random)
                try? parser.append(bytes.prefix(split))
                guard !parser.isComplete else { continue }
            }
        }
    }
}
