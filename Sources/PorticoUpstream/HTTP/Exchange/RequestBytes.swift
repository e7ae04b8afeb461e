internal import PorticoConfig
internal import PorticoSchema

/// A request as it goes over the connection (RFC 9112 section 3).
///
/// Worked example: `GET` of `http://a:8080/x?y=1` with the field `Accept: */*` is
/// `GET /x?y=1 HTTP/1.1\r\nHost: a:8080\r\nAccept-Encoding: gzip, deflate\r\nAccept: */*\r\n\r\n`.
///
/// Whatever could end a line early, or frame the message differently, is refused and never repaired: field values come
/// from clients and from environment files.
enum RequestBytes {
    /// - Throws: ``TransportError/unsendable``.
    static func write(_ request: HTTPRequest) throws(TransportError) -> [UInt8] {
        let url = request.url
        guard url.path.utf8.first == UInt8(ascii: "/"), url.path.utf8.allSatisfy(isVisible),
            url.query?.utf8.allSatisfy(isVisible) ?? true, url.host.utf8.allSatisfy(isVisible)
        else { throw .unsendable }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(512 + (request.body?.count ?? 0))
        bytes += request.method.rawValue.utf8
        bytes.append(UInt8(ascii: " "))
        bytes += url.path.utf8
        if let query = url.query {
            bytes.append(UInt8(ascii: "?"))
            bytes += query.utf8
        }
        bytes += " HTTP/1.1\r\n".utf8
        try writeFields(of: request, to: &bytes)
        if let body = request.body {
            append("Content-Length", "\(body.count)", to: &bytes)
        } else if !request.method.isIdempotent || request.method == .put {
            append("Content-Length", "0", to: &bytes)
        }
        bytes += "\r\n".utf8
        if let body = request.body { bytes += body }
        return bytes
    }

    private static func writeFields(of request: HTTPRequest, to bytes: inout [UInt8]) throws(TransportError) {
        var hasHost = false
        var hasAcceptEncoding = false
        for field in request.fields {
            let isHost = field.isNamed("host")
            guard !field.name.isEmpty, field.name.utf8.allSatisfy(\.isTokenCharacter),
                !Configuration.Upstream.reservedHeaders.contains(where: field.isNamed),
                field.value.utf8.allSatisfy(isFieldCharacter),
                !(isHost && hasHost)
            else { throw .unsendable }
            if isHost { hasHost = true }
            if field.isNamed("accept-encoding") { hasAcceptEncoding = true }
            append(field.name, field.value, to: &bytes)
        }
        let url = request.url
        if !hasHost {
            let host = url.port == url.scheme.defaultPort ? url.host : "\(url.host):\(url.port)"
            append("Host", host, to: &bytes)
        }
        if !hasAcceptEncoding { append("Accept-Encoding", "gzip, deflate", to: &bytes) }
    }

    private static func append(_ name: String, _ value: String, to bytes: inout [UInt8]) {
        bytes += name.utf8
        bytes += ": ".utf8
        bytes += value.utf8
        bytes += "\r\n".utf8
    }

    private static func isVisible(_ byte: UInt8) -> Bool { byte > 0x20 && byte < 0x7f }

    /// Visible characters, blanks and opaque bytes above 0x7f (RFC 9110 section 5.5).
    private static func isFieldCharacter(_ byte: UInt8) -> Bool {
        byte == 0x09 || byte >= 0x20 && byte != 0x7f
    }
}

extension UInt8 {
    /// RFC 9110 section 5.6.2.
    var isTokenCharacter: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "!"), UInt8(ascii: "#")...UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"),
            UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"),
            UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
