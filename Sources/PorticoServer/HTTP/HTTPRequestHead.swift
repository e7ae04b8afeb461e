import PorticoWire

/// A request's head: everything before its body.
struct HTTPRequestHead: Sendable {
    private let method: String
    private let target: String
    private let segments: [String]
    private let query: [HTTPRequest.QueryItem]
    private let fields: [HTTPRequest.Field]
    private let isKeptAlive: Bool
    /// Bytes of body that follow.
    let contentLength: Int

    /// - Parameter bytes: the request line and field lines with the empty line at the end.
    init(_ bytes: Span<UInt8>) throws(HTTPFault) {
        var lines = HTTPLines(end: bytes.count - 2)
        guard let requestLine = try lines.next(in: bytes) else {
            throw .malformed(.requestLine, offset: 0)
        }
        let minorVersion: Int
        (method, target, minorVersion) = try Self.splitRequestLine(requestLine, in: bytes)
        guard let parts = HTTPRequest.split(target: target) else {
            throw .malformed(.target, offset: method.utf8.count + 1)
        }
        (segments, query) = parts
        var fields: [HTTPRequest.Field] = []
        while let line = try lines.next(in: bytes) { fields.append(try Self.field(line, in: bytes)) }
        self.fields = fields
        contentLength = try Self.contentLength(of: fields, headBytes: bytes.count)
        let hosts = fields.count { $0.name == "host" }
        guard hosts == 1 || (hosts == 0 && minorVersion == 0) else {
            throw .malformed(.host, offset: bytes.count)
        }
        let options = fields.filter { $0.name == "connection" }.map { $0.value.lowercased() }
        let isClosing = options.contains { $0.contains("close") }
        isKeptAlive = !isClosing && (minorVersion > 0 || options.contains { $0.contains("keep-alive") })
    }

    func request(with body: [UInt8]) -> HTTPRequest {
        HTTPRequest(
            method: method, target: target, segments: segments, query: query, fields: fields, body: body,
            isKeptAlive: isKeptAlive)
    }

    private static func splitRequestLine(
        _ line: Range<Int>, in bytes: Span<UInt8>
    ) throws(HTTPFault) -> (method: String, target: String, minorVersion: Int) {
        let text = bytes.text(line)
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw .malformed(.requestLine, offset: line.lowerBound) }
        guard !parts[0].isEmpty, parts[0].utf8.allSatisfy(\.isTokenCharacter) else {
            throw .malformed(.method, offset: line.lowerBound)
        }
        guard !parts[1].isEmpty, parts[1].utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else {
            throw .malformed(.target, offset: line.lowerBound + parts[0].utf8.count + 1)
        }
        switch parts[2] {
        case "HTTP/1.1": return (String(parts[0]), String(parts[1]), 1)
        case "HTTP/1.0": return (String(parts[0]), String(parts[1]), 0)
        case let other where other.hasPrefix("HTTP/"): throw .versionUnsupported
        default: throw .malformed(.requestLine, offset: line.lowerBound)
        }
    }

    private static func field(
        _ line: Range<Int>, in bytes: Span<UInt8>
    ) throws(HTTPFault) -> HTTPRequest.Field {
        guard let colon = line.first(where: { bytes[$0] == UInt8(ascii: ":") }) else {
            throw .malformed(.fieldLine, offset: line.lowerBound)
        }
        let name = line.lowerBound..<colon
        guard !name.isEmpty, name.allSatisfy({ bytes[$0].isTokenCharacter }) else {
            throw .malformed(.fieldName, offset: line.lowerBound)
        }
        var value = colon + 1..<line.upperBound
        while let first = value.first, bytes[first].isBlank { value = first + 1..<value.upperBound }
        while let last = value.last, bytes[last].isBlank { value = value.lowerBound..<last }
        // Field values are visible characters, blanks and opaque bytes above 0x7f (RFC 9110 section 5.5).
        guard value.allSatisfy({ bytes[$0].isBlank || bytes[$0] > 0x20 && bytes[$0] != 0x7f }) else {
            throw .malformed(.fieldValue, offset: value.lowerBound)
        }
        return HTTPRequest.Field(name: bytes.text(name).lowercased(), value: bytes.text(value))
    }

    private static func contentLength(
        of fields: [HTTPRequest.Field], headBytes: Int
    ) throws(HTTPFault) -> Int {
        guard !fields.contains(where: { $0.name == "transfer-encoding" }) else {
            throw .transferEncodingUnsupported
        }
        let declared = fields.filter { $0.name == "content-length" }
        guard let first = declared.first else { return 0 }
        guard declared.count == 1, !first.value.isEmpty, let length = Int(first.value),
            first.value.utf8.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") })
        else { throw .malformed(.contentLength, offset: headBytes) }
        return length
    }
}

/// The lines of a head, each ended by CRLF; no other carriage return or line feed is allowed.
private struct HTTPLines {
    private var offset = 0
    private let end: Int
    init(end: Int) { self.end = end }

    mutating func next(in bytes: Span<UInt8>) throws(HTTPFault) -> Range<Int>? {
        guard offset < end else { return nil }
        let start = offset
        while bytes[offset] != 13 && bytes[offset] != 10 { offset += 1 }
        guard bytes[offset] == 13, bytes[offset + 1] == 10 else {
            throw .malformed(.lineEnding, offset: offset)
        }
        defer { offset += 2 }
        return start..<offset
    }
}

extension Span<UInt8> {
    /// Heads are ASCII where it matters; anything else is repaired here and refused by the checks above.
    fileprivate func text(_ range: Range<Int>) -> String {
        String(decoding: [UInt8](copying: extracting(range)), as: UTF8.self)
    }
}

extension UInt8 {
    fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 }

    /// RFC 9110 section 5.6.2.
    fileprivate var isTokenCharacter: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: Self.tokenMarks.contains(self)
        }
    }

    private static let tokenMarks = [UInt8]("!#$%&'*+-.^_`|~".utf8)
}
