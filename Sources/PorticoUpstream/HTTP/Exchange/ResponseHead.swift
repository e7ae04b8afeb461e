internal import PorticoWire

/// Status line and fields of an answer (RFC 9112 sections 4 and 5).
///
/// Worked example: `HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n` is version 1.1, status 200, one field, and the empty
/// line. The reason and the blank before it may be missing.
///
/// Strict: lines end in CRLF and nothing else, a colon follows its name at once, fields are not folded.
struct ResponseHead: Sendable, Equatable {
    /// The 1 of `HTTP/1.1`.
    let minorVersion: Int
    let status: Int
    let fields: [HTTPField]

    /// - Parameter bytes: up to and with the empty line.
    /// - Throws: ``TransportError/malformed``.
    init(_ bytes: Span<UInt8>) throws(TransportError) {
        var lines = HeadLines()
        guard let line = try lines.next(in: bytes) else { throw .malformed }
        (minorVersion, status) = try Self.statusLine(bytes.extracting(line))
        var fields: [HTTPField] = []
        fields.reserveCapacity(16)
        while let line = try lines.next(in: bytes), !line.isEmpty {
            fields.append(try Self.field(bytes.extracting(line)))
        }
        self.fields = fields
    }

    /// All values of the fields of that name, their list elements apart, lower case.
    func elements(of name: String) -> [String] {
        var elements: [String] = []
        for field in fields where field.isNamed(name) {
            let value = field.value.lowercased()
            if value.utf8.contains(UInt8(ascii: ",")) {
                elements += value.split(separator: ",", omittingEmptySubsequences: false).map {
                    String($0.trimmingBlanks)
                }
            } else {
                // A field's value has no blanks around it.
                elements.append(value)
            }
        }
        return elements
    }

    private static let prefix = [UInt8]("HTTP/1.".utf8)

    private static func statusLine(_ line: Span<UInt8>) throws(TransportError) -> (version: Int, status: Int)
    {
        guard line.count >= 12, line.extracting(first: prefix.count).isEqual(to: prefix.span),
            line[7] == UInt8(ascii: "0") || line[7] == UInt8(ascii: "1"), line[8] == 0x20,
            line.count == 12 || line[12] == 0x20
        else { throw .malformed }
        var status = 0
        for index in 9..<12 {
            guard let digit = line[index].decimalDigit else { throw .malformed }
            status = status * 10 + digit
        }
        guard (100...599).contains(status) else { throw .malformed }
        return (Int(line[7] - UInt8(ascii: "0")), status)
    }

    private static func field(_ line: Span<UInt8>) throws(TransportError) -> HTTPField {
        var colon = 0
        while colon < line.count, line[colon].isTokenCharacter { colon += 1 }
        guard colon > 0, colon < line.count, line[colon] == UInt8(ascii: ":") else { throw .malformed }
        var start = colon + 1
        var end = line.count
        while start < end, line[start].isBlank { start += 1 }
        while end > start, line[end - 1].isBlank { end -= 1 }
        for index in start..<end {
            guard line[index].isBlank || line[index] > 0x20 && line[index] != 0x7f else { throw .malformed }
        }
        // Bytes above 0x7f have no meaning of their own (RFC 9110 section 5.5); what is not UTF-8 is repaired.
        return HTTPField(line.text(0..<colon), line.text(start..<end))
    }
}

/// The lines of a head or of trailers, each ended by CRLF.
private struct HeadLines {
    private var offset = 0

    /// Nil: no bytes are left.
    mutating func next(in bytes: Span<UInt8>) throws(TransportError) -> Range<Int>? {
        guard offset < bytes.count else { return nil }
        let start = offset
        while offset < bytes.count, bytes[offset] != 13, bytes[offset] != 10 { offset += 1 }
        guard offset + 1 < bytes.count, bytes[offset] == 13, bytes[offset + 1] == 10 else {
            throw .malformed
        }
        defer { offset += 2 }
        return start..<offset
    }
}

extension Span<UInt8> {
    fileprivate func text(_ range: Range<Int>) -> String {
        let part = extracting(range)
        return String(validating: part) ?? String(decoding: [UInt8](copying: part), as: UTF8.self)
    }
}

extension UInt8 {
    fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 }

    var decimalDigit: Int? {
        self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") ? Int(self - UInt8(ascii: "0")) : nil
    }
}

extension Substring {
    var trimmingBlanks: Substring {
        var text = drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}

extension StringProtocol {
    /// 1 to 18 decimal digits, which an `Int` holds; nil: anything else.
    var decimalNumber: Int? {
        guard (1...18).contains(utf8.count), utf8.allSatisfy({ $0.decimalDigit != nil }) else { return nil }
        return Int(self)
    }
}
