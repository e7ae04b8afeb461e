import TestSupport
import Testing

@testable import PorticoServer

@Suite struct HTTPRequestParserTests {
    private static let example =
        "POST /a%20b/?page=2&q=x+y HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\nbody"

    private static func parse(
        _ text: String, limits: HTTPLimits = HTTPLimits()
    ) throws(HTTPFault) -> [HTTPRequest] {
        var parser = HTTPRequestParser(limits: limits)
        parser.append(Array(text.utf8).span)
        var requests: [HTTPRequest] = []
        while let request = try parser.next() { requests.append(request) }
        return requests
    }

    @Test func aRequestIsTakenApart() throws {
        let request = try #require(try Self.parse(Self.example).first)
        #expect(request.method == "POST")
        #expect(request.segments == ["a b"])
        #expect(request[query: "page"] == "2")
        #expect(request[query: "q"] == "x y")
        #expect(request[field: "content-length"] == "4")
        #expect(request.body == Array("body".utf8))
        #expect(request.isKeptAlive)
    }

    @Test(arguments: 0...example.utf8.count) func aRequestSplitAnywhereIsTheSame(cut: Int) throws {
        let bytes = Array(Self.example.utf8)
        var parser = HTTPRequestParser(limits: HTTPLimits())
        parser.append(bytes.span.extracting(first: cut))
        let early = try parser.next()
        #expect((early == nil) == (cut < bytes.count))
        parser.append(bytes.span.extracting(droppingFirst: cut))
        let late = try parser.next()
        #expect([early ?? late] == (try Self.parse(Self.example)))
    }

    @Test func aRequestByteByByteIsTheSame() throws {
        var parser = HTTPRequestParser(limits: HTTPLimits())
        var requests: [HTTPRequest] = []
        for byte in Array((Self.example + Self.example).utf8) {
            parser.append([byte].span)
            while let request = try parser.next() { requests.append(request) }
        }
        #expect(requests == (try Self.parse(Self.example + Self.example)))
        #expect(requests.count == 2)
        #expect(!parser.isMidRequest)
    }

    @Test func pipelinedRequestsComeOneAfterAnother() throws {
        let one = "GET /1 HTTP/1.1\r\nHost: h\r\n\r\n"
        let requests = try Self.parse(one + "\r\n" + Self.example + one)
        #expect(requests.map(\.method) == ["GET", "POST", "GET"])
    }

    @Test(arguments: [
        ("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", false),
        ("GET / HTTP/1.1\r\nHost: h\r\nConnection: Keep-Alive\r\n\r\n", true),
        ("GET / HTTP/1.0\r\n\r\n", false),
        ("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", true),
    ])
    func keepAliveFollowsTheVersionAndTheConnectionField(text: String, isKept: Bool) throws {
        #expect(try Self.parse(text).first?.isKeptAlive == isKept)
    }

    @Test(arguments: [
        ("http://h:1/people/?page=2", ["people"]), ("http://h", []), ("*", []), ("//a///b/", ["a", "b"]),
        ("/w92/%2Fposter.jpg", ["w92", "poster.jpg"]),
    ])
    func targetsComeInSeveralForms(target: String, segments: [String]) throws {
        #expect(try Self.parse("GET \(target) HTTP/1.1\r\nHost: h\r\n\r\n").first?.segments == segments)
    }

    @Test(arguments: [
        ("GET  / HTTP/1.1\r\nHost: h\r\n\r\n", HTTPFault.malformed(.requestLine, offset: 0)),
        ("GET /\r\nHost: h\r\n\r\n", .malformed(.requestLine, offset: 0)),
        ("G(T / HTTP/1.1\r\nHost: h\r\n\r\n", .malformed(.method, offset: 0)),
        ("GET /%zz HTTP/1.1\r\nHost: h\r\n\r\n", .malformed(.target, offset: 4)),
        ("GET /%ff HTTP/1.1\r\nHost: h\r\n\r\n", .malformed(.target, offset: 4)),
        ("GET /a#b HTTP/1.1\r\nHost: h\r\n\r\n", .malformed(.target, offset: 4)),
        ("GET a HTTP/1.1\r\nHost: h\r\n\r\n", .malformed(.target, offset: 4)),
        ("GET / HTTP/2.0\r\nHost: h\r\n\r\n", .versionUnsupported),
        ("GET / FTP/1.1\r\nHost: h\r\n\r\n", .malformed(.requestLine, offset: 0)),
        ("GET / HTTP/1.1\r\nHost : h\r\n\r\n", .malformed(.fieldName, offset: 16)),
        ("GET / HTTP/1.1\r\nHost: h\r\n folded\r\n\r\n", .malformed(.fieldLine, offset: 25)),
        ("GET / HTTP/1.1\r\nHost: h\nA: b\r\n\r\n", .malformed(.lineEnding, offset: 23)),
        ("GET / HTTP/1.1\r\nHost: h\0\r\n\r\n", .malformed(.fieldValue, offset: 22)),
        ("GET / HTTP/1.1\r\n\r\n", .malformed(.host, offset: 18)),
        ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", .malformed(.host, offset: 36)),
        ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: -1\r\n\r\n", .malformed(.contentLength, offset: 48)),
        (
            "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1, 1\r\n\r\n",
            .malformed(.contentLength, offset: 50)
        ),
        (
            "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n",
            .malformed(.contentLength, offset: 66)
        ),
        (
            "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n",
            .transferEncodingUnsupported
        ),
    ])
    func aHostileHeadIsRefused(text: String, fault: HTTPFault) {
        #expect(throws: fault) { try Self.parse(text) }
    }

    @Test func whatIsTooLongIsRefusedBeforeItIsBuffered() throws {
        var limits = HTTPLimits()
        limits.requestLineBytes = 64
        limits.headerBytes = 128
        limits.bodyBytes = 10
        let long = String(repeating: "a", count: 200)
        #expect(throws: HTTPFault.requestLineTooLong(limit: 64)) {
            try Self.parse("GET /\(long)", limits: limits)
        }
        #expect(throws: HTTPFault.headersTooLong(limit: 128)) {
            try Self.parse("GET / HTTP/1.1\r\nHost: h\r\nA: \(long)", limits: limits)
        }
        #expect(throws: HTTPFault.bodyTooLong(declared: 11, limit: 10)) {
            try Self.parse("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 11\r\n\r\n", limits: limits)
        }
        let edge = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\n0123456789"
        #expect(try Self.parse(edge, limits: limits).count == 1)
    }

    @Test func randomBytesNeverTrap() {
        var random = SeededGenerator(seed: 0x417)
        let alphabet = Array("GET /%2 HTTP/1.1\r\n\r\n:aHost\u{0}\u{ff}".utf8)
        for _ in 0..<3000 {
            var parser = HTTPRequestParser(limits: HTTPLimits())
            for _ in 0..<4 {
                let length = Int.random(in: 0..<40, using: &random)
                let bytes = (0..<length).map { _ in alphabet.randomElement(using: &random) ?? 0 }
                parser.append(bytes.span)
                guard (try? parser.next()) != nil else { break }
            }
        }
    }
}
