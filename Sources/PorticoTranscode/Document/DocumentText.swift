import PorticoSchema

/// The characters of a document and a place among them: what ``DocumentReader`` reads from.
struct DocumentText {
    private let bytes: [UInt8]
    private let file: String
    private var offset = 0
    private var line = 1
    /// Offset of the current line's first byte.
    private var lineStart = 0
    /// Of the bytes since there, those that do not begin a character.
    private var continuations = 0

    init(_ bytes: [UInt8], file: String) {
        self.bytes = bytes
        self.file = file
    }

    var peek: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    var location: SourceLocation {
        SourceLocation(file: file, line: line, column: offset - lineStart - continuations + 1)
    }

    /// Nil: all of it is UTF-8.
    var firstMalformedOffset: Int? {
        var codec = UTF8()
        var iterator = bytes.makeIterator()
        var read = 0
        while true {
            switch codec.decode(&iterator) {
            case .scalarValue(let scalar): read += UTF8.width(scalar)
            case .emptyInput: return nil
            case .error: return read
            }
        }
    }

    func location(ofOffset target: Int) -> SourceLocation {
        var line = 1
        var start = 0
        for index in 0..<min(target, bytes.count) where bytes[index] == UInt8(ascii: "\n") {
            line += 1
            start = index + 1
        }
        let continuations = bytes[start..<target].count { $0 & 0xc0 == 0x80 }
        return SourceLocation(file: file, line: line, column: target - start - continuations + 1)
    }

    mutating func advance() {
        let byte = bytes[offset]
        offset += 1
        if byte == UInt8(ascii: "\n") {
            line += 1
            lineStart = offset
            continuations = 0
        } else if byte & 0xc0 == 0x80 {
            continuations += 1
        }
    }

    mutating func skipByteOrderMark() {
        guard bytes.starts(with: [0xef, 0xbb, 0xbf]) else { return }
        offset = 3
        lineStart = 3
    }

    mutating func skipWhiteSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { advance() }
    }

    enum CommentEnd { case skipped, notAComment, unterminated }

    /// At a `/`.
    mutating func skipComment() -> CommentEnd {
        guard offset + 1 < bytes.count else { return .notAComment }
        switch bytes[offset + 1] {
        case UInt8(ascii: "/"):
            while let byte = peek, byte != UInt8(ascii: "\n") { advance() }
            return .skipped
        case UInt8(ascii: "*"):
            offset += 2
            while peek != nil {
                if bytes[offset...].starts(with: [UInt8(ascii: "*"), UInt8(ascii: "/")]) {
                    offset += 2
                    return .skipped
                }
                advance()
            }
            return .unterminated
        default:
            return .notAComment
        }
    }

    /// A run of what numbers, literals and forgotten quotes are made of; nil: none here.
    mutating func takeWord() -> String? {
        let start = offset
        while let byte = peek, isWordByte(byte) { offset += 1 }
        return offset == start ? nil : String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    private func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "$"):
            true
        default: false
        }
    }

    /// The character here, for an error's text; the text has been found to be UTF-8.
    mutating func takeScalar() -> Character {
        let end = bytes[(offset + 1)...].firstIndex { $0 & 0xc0 != 0x80 } ?? bytes.count
        let character = String(decoding: bytes[offset..<end], as: UTF8.self).first ?? "?"
        continuations += end - offset - 1
        offset = end
        return character
    }

    /// At an opening quote. Wrong escapes are reported and left out.
    /// - Returns: nil if the text does not end on its line.
    mutating func takeString(reportingTo faults: inout [DocumentFault]) -> String? {
        advance()
        var content: [UInt8] = []
        while let byte = peek {
            switch byte {
            case UInt8(ascii: "\""):
                advance()
                return String(decoding: content, as: UTF8.self)
            case UInt8(ascii: "\\"):
                let start = location
                advance()
                if let scalar = takeEscape() {
                    content.append(contentsOf: UTF8.encode(scalar).map(Array.init) ?? [])
                } else {
                    faults.append(DocumentFault(start, "a wrong escape; a backslash itself is written \\\\"))
                }
            case UInt8(ascii: "\n"):
                return nil
            case 0..<0x20:
                faults.append(
                    DocumentFault(location, "a control character inside a text; write it as an escape"))
                advance()
            default:
                content.append(byte)
                advance()
            }
        }
        return nil
    }

    /// Behind a backslash. What is wrong is not taken.
    private mutating func takeEscape() -> Unicode.Scalar? {
        guard let byte = peek else { return nil }
        let scalar: Unicode.Scalar
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): scalar = Unicode.Scalar(byte)
        case UInt8(ascii: "b"): scalar = "\u{8}"
        case UInt8(ascii: "f"): scalar = "\u{c}"
        case UInt8(ascii: "n"): scalar = "\n"
        case UInt8(ascii: "r"): scalar = "\r"
        case UInt8(ascii: "t"): scalar = "\t"
        case UInt8(ascii: "u"): return takeUnicodeEscape()
        default: return nil
        }
        advance()
        return scalar
    }

    /// At the `u`; two of them when the first is a high surrogate.
    private mutating func takeUnicodeEscape() -> Unicode.Scalar? {
        guard let first = hexadecimal(at: offset + 1) else { return nil }
        if let scalar = Unicode.Scalar(first) {
            offset += 5
            return scalar
        }
        guard first < 0xdc00, bytes[(offset + 5)...].starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]),
            let second = hexadecimal(at: offset + 7), (0xdc00..<0xe000).contains(second)
        else { return nil }
        offset += 11
        return Unicode.Scalar(0x10000 + (first - 0xd800) << 10 + (second - 0xdc00))
    }

    /// Four hexadecimal digits.
    private func hexadecimal(at start: Int) -> UInt32? {
        guard start + 4 <= bytes.count else { return nil }
        let digits = String(decoding: bytes[start..<start + 4], as: UTF8.self)
        guard digits.utf8.allSatisfy({ UnicodeScalar($0).properties.isASCIIHexDigit }) else { return nil }
        return UInt32(digits, radix: 16)
    }
}
