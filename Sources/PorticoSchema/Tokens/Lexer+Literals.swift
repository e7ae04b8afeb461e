/// Numbers and strings.
///
///     10, 0x1F, 017        integers: decimal, hexadecimal, octal
///     1.5, 2., .5, 1e-3    floats
///     "a\tb" 'c'           strings, in either quotes; two in a row are joined by the parser
extension Lexer {
    /// Nil: the number is broken; the fault is recorded.
    mutating func number(at start: SourceLocation) -> Token.Kind? {
        let from = offset
        if current == UInt8(ascii: "0"), let mark = peek(1), mark | 0x20 == UInt8(ascii: "x") {
            advance(by: 2)
            let digits = takeText(while: Self.isLetterOrDigit)
            return integer(digits, radix: 16, of: "0x" + digits, at: start)
        }
        let isFloat = skipDecimal()
        let digits = String(decoding: bytes[from..<offset], as: UTF8.self)
        if let byte = current, Self.isLetter(byte) {
            let rest = takeText(while: Self.isLetterOrDigit)
            faults.add(start, "\"\(digits)\(rest)\" is no number")
            return nil
        }
        if isFloat { return float(digits, at: start) }
        let isOctal = digits.count > 1 && digits.hasPrefix("0")
        return integer(digits, radix: isOctal ? 8 : 10, of: digits, at: start)
    }

    /// - Returns: whether a point or an exponent makes it a float.
    private mutating func skipDecimal() -> Bool {
        var isFloat = false
        _ = takeText(while: Self.isDigit)
        if current == UInt8(ascii: ".") {
            isFloat = true
            advance()
            _ = takeText(while: Self.isDigit)
        }
        guard let mark = current, mark | 0x20 == UInt8(ascii: "e") else { return isFloat }
        let isSigned = peek(1) == UInt8(ascii: "+") || peek(1) == UInt8(ascii: "-")
        guard let digit = peek(isSigned ? 2 : 1), Self.isDigit(digit) else { return isFloat }
        advance(by: isSigned ? 2 : 1)
        _ = takeText(while: Self.isDigit)
        return true
    }

    private mutating func integer(
        _ digits: String, radix: Int, of text: String, at start: SourceLocation
    ) -> Token.Kind? {
        if let value = UInt64(digits, radix: radix) { return .integer(value) }
        let isValid = !digits.isEmpty && digits.allSatisfy { $0.hexDigitValue.map { $0 < radix } ?? false }
        faults.add(start, isValid ? "\(text) does not fit into 64 bits" : "\"\(text)\" is no number")
        return nil
    }

    private mutating func float(_ digits: String, at start: SourceLocation) -> Token.Kind? {
        var text = digits.hasPrefix(".") ? "0" + digits : digits
        // The library wants a digit behind the point: `2.` and `2.e3`.
        if let point = text.firstIndex(of: ".") {
            let after = text.index(after: point)
            if after == text.endIndex || !text[after].isNumber { text.insert("0", at: after) }
        }
        if let value = Double(text) { return .float(value) }
        faults.add(start, "\"\(digits)\" is no number")
        return nil
    }

    /// Nil: the string does not end on its line; the fault is recorded.
    mutating func string(quote: UInt8, at start: SourceLocation) -> Token.Kind? {
        advance()
        var content: [UInt8] = []
        while let byte = current, byte != UInt8(ascii: "\n") {
            if byte == quote {
                advance()
                return .string(content)
            }
            if byte == UInt8(ascii: "\\") {
                escape(into: &content)
            } else {
                content.append(byte)
                advance()
            }
        }
        faults.add(start, "the string is not closed on its line")
        return nil
    }

    /// One escape, from its backslash on.
    private mutating func escape(into content: inout [UInt8]) {
        let start = location
        advance()
        guard let mark = current, mark != UInt8(ascii: "\n") else { return }
        if let byte = Self.simpleEscapes[mark] {
            advance()
            return content.append(byte)
        }
        switch mark {
        case UInt8(ascii: "0")...UInt8(ascii: "7"):
            let value = takeDigits(radix: 8, atMost: 3)
            if value > 0xff { faults.add(start, "the escape is larger than a byte") }
            content.append(UInt8(truncatingIfNeeded: value))
        case UInt8(ascii: "x"), UInt8(ascii: "X"):
            advance()
            guard let digit = current, Self.isHexDigit(digit) else {
                return faults.add(start, "\"\\x\" must be followed by one or two hexadecimal digits")
            }
            content.append(UInt8(truncatingIfNeeded: takeDigits(radix: 16, atMost: 2)))
        case UInt8(ascii: "u"), UInt8(ascii: "U"):
            scalarEscape(into: &content, at: start)
        default:
            advance()
            faults.add(start, "unknown escape in a string; write a backslash as \"\\\\\"")
        }
    }

    /// `\u20AC` or `\U0001F600`; two halves of a surrogate pair make one scalar.
    private mutating func scalarEscape(into content: inout [UInt8], at start: SourceLocation) {
        guard let first = scalarDigits(at: start) else { return }
        var code = first
        if (0xd800..<0xdc00).contains(first), current == UInt8(ascii: "\\"), peek(1) == UInt8(ascii: "u") {
            advance()
            guard let second = scalarDigits(at: start) else { return }
            if (0xdc00..<0xe000).contains(second) {
                code = 0x10000 + (first - 0xd800) << 10 + (second - 0xdc00)
            }
        }
        guard let scalar = UnicodeScalar(code) else {
            return faults.add(start, "the escape is no Unicode character")
        }
        content.append(contentsOf: String(Character(scalar)).utf8)
    }

    /// The 4 or 8 digits behind `u` or `U`.
    private mutating func scalarDigits(at start: SourceLocation) -> UInt32? {
        let count = current == UInt8(ascii: "u") ? 4 : 8
        let areDigits = (1...count).allSatisfy { peek($0).map(Self.isHexDigit) ?? false }
        advance()
        guard areDigits else {
            faults.add(start, "the escape must have \(count) hexadecimal digits")
            return nil
        }
        return UInt32(takeDigits(radix: 16, atMost: count))
    }

    private mutating func takeDigits(radix: Int, atMost count: Int) -> Int {
        var value = 0
        for _ in 0..<count {
            guard let byte = current, let digit = Character(UnicodeScalar(byte)).hexDigitValue,
                digit < radix
            else { break }
            value = value * radix + digit
            advance()
        }
        return value
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool { Character(UnicodeScalar(byte)).isHexDigit }

    private static let simpleEscapes: [UInt8: UInt8] = [
        UInt8(ascii: "a"): 0x07, UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0c, UInt8(ascii: "n"): 0x0a,
        UInt8(ascii: "r"): 0x0d, UInt8(ascii: "t"): 0x09, UInt8(ascii: "v"): 0x0b,
        UInt8(ascii: "\\"): 0x5c, UInt8(ascii: "?"): 0x3f, UInt8(ascii: "'"): 0x27, UInt8(ascii: "\""): 0x22,
    ]
}
