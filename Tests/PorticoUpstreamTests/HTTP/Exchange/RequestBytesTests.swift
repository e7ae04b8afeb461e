import PorticoSchema
import Testing

@testable import PorticoUpstream

@Suite struct RequestBytesTests {
    private func request(
        _ method: HTTPMethod = .get, _ fields: [HTTPField] = [], body: [UInt8]? = nil, path: String = "/x"
    ) -> HTTPRequest {
        HTTPRequest(
            method: method, url: HTTPURL(scheme: .http, host: "a", port: 8080, path: path, query: "y=1"),
            fields: fields, body: body, timeout: .seconds(1), bodyLimitBytes: 1)
    }

    private func text(_ request: HTTPRequest) throws -> String {
        String(decoding: try RequestBytes.write(request), as: UTF8.self)
    }

    @Test func aGetHasNoBodyAndNoLength() throws {
        #expect(
            try text(request(.get, [HTTPField("Accept", "*/*")]))
                == "GET /x?y=1 HTTP/1.1\r\nAccept: */*\r\nHost: a:8080\r\nAccept-Encoding: gzip, deflate\r\n\r\n"
        )
    }

    @Test func aBodyComesWithItsLength() throws {
        let bytes = try text(request(.post, [HTTPField("Accept-Encoding", "br")], body: Array("hi".utf8)))
        #expect(
            bytes
                == "POST /x?y=1 HTTP/1.1\r\nAccept-Encoding: br\r\nHost: a:8080\r\nContent-Length: 2\r\n\r\nhi"
        )
        #expect(try text(request(.post)).contains("\r\nContent-Length: 0\r\n"))
    }

    @Test func theDefaultPortIsLeftOutAndAGivenHostKept() throws {
        let url = HTTPURL(scheme: .http, host: "b")
        let plain = HTTPRequest(url: url, timeout: .seconds(1), bodyLimitBytes: 1)
        #expect(try text(plain).contains("\r\nHost: b\r\n"))
        let named = HTTPRequest(
            url: url, fields: [HTTPField("host", "c")], timeout: .seconds(1), bodyLimitBytes: 1)
        #expect(try text(named) == "GET / HTTP/1.1\r\nhost: c\r\nAccept-Encoding: gzip, deflate\r\n\r\n")
    }

    @Test(arguments: [
        HTTPField("A", "b\r\nX: y"), HTTPField("A", "b\nX: y"), HTTPField("A", "b\0"), HTTPField("A", "\r"),
        HTTPField("A\r\nB", "c"), HTTPField("", "c"), HTTPField("A b", "c"), HTTPField("A:", "c"),
        HTTPField("Content-Length", "3"), HTTPField("transfer-encoding", "chunked"),
        HTTPField("Connection", "close"), HTTPField("Upgrade", "h2c"), HTTPField("TE", "trailers"),
        HTTPField("Expect", "100-continue"),
    ]) func aFieldThatCouldFrameTheMessageDifferentlyIsNotSent(field: HTTPField) {
        #expect(throws: TransportError.unsendable) { try RequestBytes.write(request(.get, [field])) }
    }

    @Test(arguments: ["x", "/a b", "/a\r\nHost: b", "/ä"]) func aTargetThatIsNoneIsNotSent(path: String) {
        #expect(throws: TransportError.unsendable) { try RequestBytes.write(request(path: path)) }
    }

    @Test func twoHostsAreOneTooMany() {
        let fields = [HTTPField("Host", "a"), HTTPField("host", "b")]
        #expect(throws: TransportError.unsendable) { try RequestBytes.write(request(.get, fields)) }
    }
}
