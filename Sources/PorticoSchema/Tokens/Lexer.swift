/// Cuts the text of a schema file into tokens.
///
///     // Counted from 1.          → kept as the documentation of `int32`
///     int32 page = 0x1;           → identifier "int32", identifier "page", symbol =, integer 1, symbol ;
///
/// It never gives up: what cannot be a token is a fault, is skipped, and the next token follows. Literals are read in
/// Lexer+Literals.swift.
struct Lexer {
    let file: String
    let bytes: [UInt8]
    var offset = 0
    private var line = 1
    private var lineStart = 0
    /// Scalars of the current line up to `columnOffset`, so that a long line is not counted from its start each time.
    private var column = 1
    private var columnOffset = 0
    var faults = FaultList()
    /// Line on which the last token ended; a comment on that line belongs to it, not to the next token.
    private var lastTokenLine = 0

    init(file: SchemaFile) {
        self.file = file.path
        bytes = Array(file.text.utf8)
        if bytes.starts(with: [0xef, 0xbb, 0xbf]) { advance(by: 3) }
        (lineStart, columnOffset, column) = (offset, offset, 1)
    }

    /// All tokens; the last one is ``Token/Kind/end``.
    static func tokens(of file: SchemaFile) -> (tokens: [Token], faults: FaultList) {
        var lexer = Lexer(file: file)
        guard lexer.bytes.count <= SchemaLimits.fileBytes else {
            lexer.faults.add(
                lexer.location,
                "the file has \(lexer.bytes.count) bytes; at most \(SchemaLimits.fileBytes) are read")
            let end = Token(
                kind: .end, location: lexer.location, end: lexer.location, documentation: "")
            return ([end], lexer.faults)
        }
        var tokens: [Token] = []
        repeat { tokens.append(lexer.next()) } while tokens[tokens.count - 1].kind != .end
        return (tokens, lexer.faults)
    }

    /// Here. Columns count Unicode scalars from 1.
    var location: SourceLocation {
        mutating get {
            while columnOffset < offset {
                if bytes[columnOffset] & 0xc0 != 0x80 { column += 1 }
                columnOffset += 1
            }
            return SourceLocation(file: file, line: line, column: column)
        }
    }

    var current: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    func peek(_ distance: Int) -> UInt8? {
        offset + distance < bytes.count ? bytes[offset + distance] : nil
    }

    /// Steps over bytes, counting lines.
    mutating func advance(by count: Int = 1) {
        for _ in 0..<count where offset < bytes.count {
            offset += 1
            guard bytes[offset - 1] == UInt8(ascii: "\n") else { continue }
            line += 1
            (lineStart, columnOffset, column) = (offset, offset, 1)
        }
    }

    private mutating func next() -> Token {
        while true {
            let documentation = skipSpaceAndComments()
            let start = location
            guard let byte = current else {
                return Token(kind: .end, location: start, end: start, documentation: documentation)
            }
            guard let kind = readToken(startingWith: byte, at: start) else { continue }
            lastTokenLine = line
            return Token(kind: kind, location: start, end: location, documentation: documentation)
        }
    }

    /// Nil: what stood here was no token; the fault is recorded and the bytes are skipped.
    private mutating func readToken(startingWith byte: UInt8, at start: SourceLocation) -> Token.Kind? {
        if Self.isLetter(byte) { return .identifier(takeText(while: Self.isLetterOrDigit)) }
        if Self.isDigit(byte) { return number(at: start) }
        if byte == UInt8(ascii: "."), let after = peek(1), Self.isDigit(after) { return number(at: start) }
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") { return string(quote: byte, at: start) }
        if byte > 0x20, byte < 0x7f {
            advance()
            return .symbol(Character(UnicodeScalar(byte)))
        }
        // All bytes of the scalar, so that the fault names a character and not a fragment.
        var scalar = [byte]
        advance()
        while let following = current, following & 0xc0 == 0x80 {
            scalar.append(following)
            advance()
        }
        let code = String(decoding: scalar, as: UTF8.self).unicodeScalars.first?.value ?? 0
        faults.add(start, "the character U+\(Self.hex(code)) cannot stand here")
        return nil
    }

    mutating func takeText(while belongs: (UInt8) -> Bool) -> String {
        let start = offset
        while let byte = current, belongs(byte) { advance() }
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
    }

    static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    static func isLetterOrDigit(_ byte: UInt8) -> Bool { isLetter(byte) || isDigit(byte) }

    private static func hex(_ code: UInt32) -> String {
        let digits = String(code, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}

// MARK: - Space and comments

extension Lexer {
    /// - Returns: the text of the comment right above the next token. A blank line, or a token on the comment's own
    ///   line, parts the two.
    private mutating func skipSpaceAndComments() -> String {
        var comment: [String] = []
        var newlines = 0
        while let byte = current {
            switch byte {
            case UInt8(ascii: "\n"):
                newlines += 1
                if newlines > 1 { comment = [] }
                advance()
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), 0x0b, 0x0c:
                advance()
            case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "/"):
                let isTrailing = line == lastTokenLine
                let text = lineComment()
                newlines = 0
                if !isTrailing { comment.append(text) }
            case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"):
                let isTrailing = line == lastTokenLine
                let lines = blockComment()
                newlines = 0
                comment = isTrailing ? [] : lines
            default:
                return comment.joined(separator: "\n")
            }
        }
        return comment.joined(separator: "\n")
    }

    /// The line's text without `//` and one space; its newline stays.
    private mutating func lineComment() -> String {
        advance(by: 2)
        if current == UInt8(ascii: " ") { advance() }
        let text = takeText { $0 != UInt8(ascii: "\n") }
        return text.hasSuffix("\r") ? String(text.dropLast()) : text
    }

    /// The lines between `/*` and `*/`, each without leading blanks and star.
    private mutating func blockComment() -> [String] {
        let start = location
        advance(by: 2)
        let from = offset
        while current != nil, !(current == UInt8(ascii: "*") && peek(1) == UInt8(ascii: "/")) { advance() }
        let text = String(decoding: bytes[from..<offset], as: UTF8.self)
        if current == nil { faults.add(start, "the comment is not closed: \"*/\" is missing") }
        advance(by: 2)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            var rest = line.drop { $0 == " " || $0 == "\t" }
            if rest.first == "*" { rest = rest.dropFirst() }
            if rest.first == " " { rest = rest.dropFirst() }
            return String(rest)
        }
        return lines.filter { !$0.isEmpty }
    }
}
