// A place in JSON text and the small steps that move it: RFC 8259 without building anything. Worked example,
// `{"a": 1}`:
//
//     offset 0  expect("{")        → 1
//     offset 1  skipString()       → 4      "a"
//     offset 4  expect(":")        → 5
//     offset 5  skipSpace()        → 6
//     offset 6  number()           → 7      the range 6..<7
//     offset 7  expect("}")        → 8, the end
struct JSONCursor {
    var offset = 0

    init(_ offset: Int = 0) { self.offset = offset }

    /// The byte here, 0 at the end.
    func peek(in json: Span<UInt8>) -> UInt8 { json.byte(at: offset) }

    /// Compact JSON has no white space: the test alone is worth having in line (called, it took a fifth of
    /// the samples of `Benchmarks decode` that fell into this module).
    @inline(__always)
    mutating func skipSpace(in json: Span<UInt8>) {
        if offset < json.count, json[offset] <= 0x20 { skipSpaceRun(in: json) }
    }

    private mutating func skipSpaceRun(in json: Span<UInt8>) {
        while offset < json.count {
            let byte = json[offset]
            guard byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 else { return }
            offset &+= 1
        }
    }

    mutating func expect(_ byte: Unicode.Scalar, in json: Span<UInt8>) throws(ReadingFault) {
        guard peek(in: json) == UInt8(truncatingIfNeeded: byte.value) else { throw unexpected(in: json) }
        offset &+= 1
    }

    /// The fault of whatever stands here where something else should.
    func unexpected(in json: Span<UInt8>) -> ReadingFault {
        offset < json.count
            ? ReadingFault(.unexpectedByte(json[offset]), at: offset)
            : ReadingFault(.unexpectedEnd, at: json.count)
    }

    /// Steps over white space to the first value. A byte order mark and an empty body are refused.
    mutating func start(in json: Span<UInt8>) throws(ReadingFault) {
        if json.word(at: 0) & 0xff_ffff == 0xbf_bbef { throw ReadingFault(.byteOrderMark, at: 0) }
        skipSpace(in: json)
    }

    /// Only white space may follow the value.
    mutating func finish(in json: Span<UInt8>) throws(ReadingFault) {
        skipSpace(in: json)
        if offset < json.count { throw ReadingFault(.trailingBytes, at: offset) }
    }

    /// Steps over `true`, `false` or `null`, of which the first letter has been seen.
    mutating func literal(_ literal: JSONLiteral, in json: Span<UInt8>) throws(ReadingFault) {
        let mask: UInt64 = 1 << UInt64(8 * literal.count) - 1
        let differences = (json.word(at: offset) ^ literal.word) & mask
        guard differences == 0 else {
            offset += differences.firstMarkedByte
            throw unexpected(in: json)
        }
        offset += literal.count
    }

    /// Steps over a string, checking it. The cursor stands at its opening quote.
    /// - Returns: true when it holds an escape, so that its text is not its bytes.
    @discardableResult
    mutating func skipString(in json: Span<UInt8>) throws(ReadingFault) -> Bool {
        var at = offset &+ 1
        var hasEscapes = false
        while true {
            let specials = json.word(at: at).stringSpecials
            guard specials != 0 else {
                at &+= 8
                continue
            }
            at &+= specials.firstMarkedByte
            guard at < json.count else { throw ReadingFault(.unexpectedEnd, at: json.count) }
            switch json[at] {
            case UInt8(ascii: "\""):
                offset = at &+ 1
                return hasEscapes
            case UInt8(ascii: "\\"):
                hasEscapes = true
                at &+= try JSONText.escape(at: at, in: json).length
            case let byte where byte < 0x20: throw ReadingFault(.controlCharacter(byte), at: at)
            default:
                let length = JSONText.sequenceLength(at: at, in: json)
                guard length > 0 else { throw ReadingFault(.invalidUTF8, at: at) }
                at &+= length
            }
        }
    }

    /// The text of the string here, decoded.
    mutating func string(in json: Span<UInt8>) throws(ReadingFault) -> String {
        let start = offset + 1
        let hasEscapes = try skipString(in: json)
        let inside = start..<offset - 1
        guard hasEscapes else { return json.string(inside) }
        return String(decoding: try JSONText.unescaped(inside, in: json), as: UTF8.self)
    }

    /// Steps over a number, checking it: `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?`
    /// - Returns: the range of its text.
    mutating func number(in json: Span<UInt8>) throws(ReadingFault) -> Range<Int> {
        let start = offset
        if peek(in: json) == UInt8(ascii: "-") { offset &+= 1 }
        if peek(in: json) == UInt8(ascii: "0") {
            offset &+= 1
            if Self.isDigit(peek(in: json)) { throw ReadingFault(.invalidNumber, at: offset) }
        } else {
            try digits(in: json)
        }
        if peek(in: json) == UInt8(ascii: ".") {
            offset &+= 1
            try digits(in: json)
        }
        if peek(in: json) | 0x20 == UInt8(ascii: "e") {
            offset &+= 1
            let sign = peek(in: json)
            if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { offset &+= 1 }
            try digits(in: json)
        }
        return start..<offset
    }

    private mutating func digits(in json: Span<UInt8>) throws(ReadingFault) {
        let start = offset
        while Self.isDigit(peek(in: json)) { offset &+= 1 }
        guard offset == start else { return }
        throw offset < json.count
            ? ReadingFault(.invalidNumber, at: offset) : ReadingFault(.unexpectedEnd, at: json.count)
    }

    static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
}

/// One of JSON's three names, as a word to compare with.
struct JSONLiteral {
    static let `true` = JSONLiteral("true")
    static let `false` = JSONLiteral("false")
    static let null = JSONLiteral("null")

    fileprivate let word: UInt64
    fileprivate let count: Int

    private init(_ text: String) {
        word = Array(text.utf8).span.word(at: 0)
        count = text.utf8.count
    }
}
