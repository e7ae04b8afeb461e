// Strings: RFC 8259 section 7 and the well-formed byte sequences of UTF-8 (Unicode 15, table 3-7). Worked example,
// the string `"é\n\ud83d\ude00"`:
//
//     22 c3 a9 5c 6e 5c 75 64 38 33 64 5c 75 64 65 30 30 22
//     "  é     \  n  \  u  d  8  3  d  \  u  d  e  0  0  "
//
// c3 a9 is a valid pair; `\n` is one byte 0a; the two `\u` escapes are one scalar U+1F600, f0 9f 98 80.
enum JSONText {
    /// One escape sequence, decoded.
    struct Escape: Equatable {
        let scalar: UInt32
        /// Bytes of the sequence in the JSON: 2, 6, or 12 for a surrogate pair.
        let length: Int
    }

    /// - Parameter offset: of the backslash.
    static func escape(at offset: Int, in json: Span<UInt8>) throws(ReadingFault) -> Escape {
        switch json.byte(at: offset + 1) {
        case UInt8(ascii: "\""): return Escape(scalar: 0x22, length: 2)
        case UInt8(ascii: "\\"): return Escape(scalar: 0x5c, length: 2)
        case UInt8(ascii: "/"): return Escape(scalar: 0x2f, length: 2)
        case UInt8(ascii: "b"): return Escape(scalar: 0x08, length: 2)
        case UInt8(ascii: "f"): return Escape(scalar: 0x0c, length: 2)
        case UInt8(ascii: "n"): return Escape(scalar: 0x0a, length: 2)
        case UInt8(ascii: "r"): return Escape(scalar: 0x0d, length: 2)
        case UInt8(ascii: "t"): return Escape(scalar: 0x09, length: 2)
        case UInt8(ascii: "u"): return try unicodeEscape(at: offset, in: json)
        default: throw faultInEscape(at: offset + 1, in: json)
        }
    }

    private static func unicodeEscape(at offset: Int, in json: Span<UInt8>) throws(ReadingFault) -> Escape {
        let first = try fourHexDigits(at: offset + 2, in: json)
        switch first {
        case 0xd800...0xdbff:
            guard offset + 6 < json.count else { throw ReadingFault(.unexpectedEnd, at: json.count) }
            guard json[offset + 6] == UInt8(ascii: "\\"), json.byte(at: offset + 7) == UInt8(ascii: "u")
            else {
                throw ReadingFault(.loneSurrogate, at: offset)
            }
            let second = try fourHexDigits(at: offset + 8, in: json)
            guard (0xdc00...0xdfff).contains(second) else { throw ReadingFault(.loneSurrogate, at: offset) }
            return Escape(scalar: 0x10000 + (first - 0xd800) << 10 + (second - 0xdc00), length: 12)
        case 0xdc00...0xdfff: throw ReadingFault(.loneSurrogate, at: offset)
        default: return Escape(scalar: first, length: 6)
        }
    }

    private static func fourHexDigits(at offset: Int, in json: Span<UInt8>) throws(ReadingFault) -> UInt32 {
        var value: UInt32 = 0
        for index in offset..<offset + 4 {
            switch json.byte(at: index) {
            case let digit where (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit):
                value = value << 4 | UInt32(digit - UInt8(ascii: "0"))
            case let letter where (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(letter | 0x20):
                value = value << 4 | UInt32((letter | 0x20) - UInt8(ascii: "a") + 10)
            default: throw faultInEscape(at: index, in: json)
            }
        }
        return value
    }

    private static func faultInEscape(at offset: Int, in json: Span<UInt8>) -> ReadingFault {
        offset < json.count
            ? ReadingFault(.invalidEscape, at: offset) : ReadingFault(.unexpectedEnd, at: json.count)
    }

    /// Length of the well-formed multi-byte sequence at `offset`; 0: the bytes there are not UTF-8.
    static func sequenceLength(at offset: Int, in text: Span<UInt8>) -> Int {
        let word = text.word(at: offset)
        let second = UInt8(truncatingIfNeeded: word &>> 8)
        // Marks of "is 10xxxxxx" for bytes 1, 2 and 3; zero past the end is none.
        let two = word & 0xc000 == 0x8000
        let three = word & 0xc0_c000 == 0x80_8000
        let four = word & 0xc0c0_c000 == 0x8080_8000
        switch UInt8(truncatingIfNeeded: word) {
        case 0xc2...0xdf: return two ? 2 : 0
        case 0xe0: return three && second >= 0xa0 ? 3 : 0
        case 0xed: return three && second <= 0x9f ? 3 : 0
        case 0xe1...0xef: return three ? 3 : 0
        case 0xf0: return four && second >= 0x90 ? 4 : 0
        case 0xf4: return four && second <= 0x8f ? 4 : 0
        case 0xf1...0xf3: return four ? 4 : 0
        default: return 0
        }
    }

    /// Offset of the first byte of `range` that is not UTF-8; nil: all of it is. Sequences must end inside the range.
    static func firstInvalidUTF8(in range: Range<Int>, of text: Span<UInt8>) -> Int? {
        var offset = range.lowerBound
        while offset < range.upperBound {
            let marks = text.word(at: offset) & UInt64(repeatingByte: 0x80)
            guard marks != 0 else {
                offset += 8
                continue
            }
            offset += marks.firstMarkedByte
            guard offset < range.upperBound else { return nil }
            let length = sequenceLength(at: offset, in: text)
            guard length > 0, offset + length <= range.upperBound else { return offset }
            offset += length
        }
        return nil
    }

    /// Decodes the inside of a string that ``JSONCursor/skipString(in:)`` has accepted.
    static func unescaped(_ range: Range<Int>, in json: Span<UInt8>) throws(ReadingFault) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(range.count)
        var offset = range.lowerBound
        while offset < range.upperBound {
            guard json[offset] == UInt8(ascii: "\\") else {
                text.append(json[offset])
                offset += 1
                continue
            }
            let escape = try escape(at: offset, in: json)
            append(scalar: escape.scalar, to: &text)
            offset += escape.length
        }
        return text
    }

    private static func append(scalar: UInt32, to text: inout [UInt8]) {
        let (bytes, length) = utf8(of: scalar)
        for index in 0..<length { text.append(UInt8(truncatingIfNeeded: bytes &>> UInt32(8 * index))) }
    }

    /// The UTF-8 form of a scalar, its first byte lowest, and the number of its bytes.
    static func utf8(of scalar: UInt32) -> (bytes: UInt32, length: Int) {
        switch scalar {
        case 0..<0x80: return (scalar, 1)
        case 0x80..<0x800: return (0x80c0 | scalar >> 6 | (scalar & 0x3f) << 8, 2)
        case 0x800..<0x10000:
            return (0x8080e0 | scalar >> 12 | (scalar >> 6 & 0x3f) << 8 | (scalar & 0x3f) << 16, 3)
        default:
            let tail = (scalar >> 12 & 0x3f) << 8 | (scalar >> 6 & 0x3f) << 16 | (scalar & 0x3f) << 24
            return (0x808080f0 | scalar >> 18 | tail, 4)
        }
    }
}

extension Span where Element == UInt8 {
    /// The bytes of `range` as text; ill-formed UTF-8 is replaced.
    func string(_ range: Range<Int>) -> String {
        String(decoding: array(range), as: UTF8.self)
    }

    func array(_ range: Range<Int>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count)
        for index in range { bytes.append(self[index]) }
        return bytes
    }
}
