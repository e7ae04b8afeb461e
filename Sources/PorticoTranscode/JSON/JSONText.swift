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
        let letter = json.byte(at: offset + 1)
        if let byte = byte(behindBackslash: letter) { return Escape(scalar: UInt32(byte), length: 2) }
        guard letter == UInt8(ascii: "u") else { throw faultInEscape(at: offset + 1, in: json) }
        return try unicodeEscape(at: offset, in: json)
    }

    /// What a backslash and a letter stand for; nil: `u`, or no escape.
    static func byte(behindBackslash letter: UInt8) -> UInt8? {
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): letter
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0c
        case UInt8(ascii: "n"): 0x0a
        case UInt8(ascii: "r"): 0x0d
        case UInt8(ascii: "t"): 0x09
        default: nil
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
        let word = UInt32(truncatingIfNeeded: json.word(at: offset))
        if let value = word.asHexDigits { return value }
        var index = offset
        while json.byte(at: index).isHexDigit { index += 1 }
        throw faultInEscape(at: index, in: json)
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

extension UInt8 {
    fileprivate var isHexDigit: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}

extension UInt32 {
    /// The value of four hexadecimal digits, the first in the lowest byte; nil: they are none. Without a branch for each
    /// digit, because text that is all escapes has nothing to predict them by: `00e9` is 39 65 30 30, its letter marks
    /// 00 01 00 00, its digits 09 0e 00 00, 0x00e9.
    var asHexDigits: UInt32? {
        let letters = self &>> 6 & 0x0101_0101
        let digits = self & 0x0f0f_0f0f &+ letters &* 9
        // 3x for digits, 4x or 6x for letters; digits end at 9, letters lie between 10 and 15.
        let kinds = self & (0xf0f0_f0f0 &- letters &* 0x20) ^ (0x3030_3030 &+ letters &* 0x10)
        let ends = (digits &+ 0x0606_0606) & 0xf0f0_f0f0 ^ letters &* 0x10
        guard kinds | ends | digits & 0xf0f0_f0f0 == 0 else { return nil }
        let pairs = digits &<< 4 | digits &>> 8
        return (pairs & 0xff) &<< 8 | pairs &>> 16 & 0xff
    }
}
