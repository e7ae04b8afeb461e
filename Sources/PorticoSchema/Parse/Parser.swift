/// Reads the tokens of one file into its tree.
///
///     message Page { int32 count 1; Person person = 2; }
///                                ^ expected "=", found "1": recorded, skipped up to the `;`, and `person` is read
///
/// Each kind of statement is a method that throws the first fault in it; the loop around it records the fault, skips to
/// the statement's end, and goes on, so that one pass finds them all. The grammar is protobuf's
/// (https://protobuf.dev/reference/protobuf/proto3-spec); what a statement is decides its first word.
struct Parser {
    private let tokens: [Token]
    private var position = 0
    /// Braces opened and not yet closed, to find a statement's end after a fault.
    private var openBraces = 0
    var faults: FaultList
    var file: FileNode
    /// google/protobuf/descriptor.proto is proto2; no other file may be.
    let acceptsProto2: Bool

    static func parse(_ file: SchemaFile, acceptsProto2: Bool = false) -> (file: FileNode, faults: FaultList)
    {
        let (tokens, faults) = Lexer.tokens(of: file)
        var parser = Parser(tokens: tokens, faults: faults, path: file.path, acceptsProto2: acceptsProto2)
        parser.parseFile()
        parser.file.isDamaged = !parser.faults.faults.isEmpty
        return (parser.file, parser.faults)
    }

    private init(tokens: [Token], faults: FaultList, path: String, acceptsProto2: Bool) {
        self.tokens = tokens
        self.faults = faults
        self.acceptsProto2 = acceptsProto2
        file = FileNode(path: path)
    }

    // MARK: Tokens

    var token: Token { tokens[position] }

    /// Just behind the last token that was taken.
    private var lastEnd: SourceLocation { position == 0 ? token.location : tokens[position - 1].end }

    @discardableResult
    mutating func take() -> Token {
        let taken = token
        if taken.kind == .symbol("{") { openBraces += 1 }
        if taken.kind == .symbol("}") { openBraces = max(0, openBraces - 1) }
        if position < tokens.count - 1 { position += 1 }
        return taken
    }

    func isNext(_ symbol: Character) -> Bool { token.kind == .symbol(symbol) }

    func isNext(word: String) -> Bool { token.kind == .identifier(word) }

    /// The token after the next one.
    func isSecond(_ symbol: Character) -> Bool {
        position + 1 < tokens.count && tokens[position + 1].kind == .symbol(symbol)
    }

    func isSecondIdentifier() -> Bool {
        guard position + 1 < tokens.count, case .identifier = tokens[position + 1].kind else { return false }
        return true
    }

    /// Takes the symbol if it is next.
    mutating func took(_ symbol: Character) -> Bool {
        guard isNext(symbol) else { return false }
        take()
        return true
    }

    mutating func took(word: String) -> Bool {
        guard isNext(word: word) else { return false }
        take()
        return true
    }

    func unexpected(_ wanted: String) -> SchemaFault {
        SchemaFault(location: token.location, message: "expected \(wanted), found \(token.described)")
    }

    mutating func expect(_ symbol: Character) throws(SchemaFault) {
        guard took(symbol) else { throw unexpected("\"\(symbol)\"") }
    }

    mutating func expect(word: String) throws(SchemaFault) {
        guard took(word: word) else { throw unexpected("\"\(word)\"") }
    }

    /// The `;` behind a statement. Forgetting it at a line's end harms nothing else: the fault is recorded and reading
    /// goes on.
    mutating func expectSemicolon(after statement: String) throws(SchemaFault) {
        if took(";") { return }
        guard token.location.line > lastEnd.line else { throw unexpected("\";\"") }
        faults.add(lastEnd, "\";\" is missing after the \(statement)")
    }

    // MARK: Small phrases

    mutating func identifier(_ meaning: String) throws(SchemaFault) -> Name {
        guard case .identifier(let text) = token.kind else { throw unexpected(meaning) }
        return Name(text: text, location: take().location)
    }

    /// `Person`, `portico.v1.Image`, `.portico.v1.Image`
    mutating func dottedName(_ meaning: String) throws(SchemaFault) -> Name {
        let location = token.location
        var text = took(".") ? "." : ""
        text += try identifier(meaning).text
        var parts = 1
        while took(".") {
            parts += 1
            guard parts <= SchemaLimits.nameParts else {
                throw SchemaFault(
                    location: location, message: "a name has at most \(SchemaLimits.nameParts) parts")
            }
            text += "." + (try identifier("a name behind \".\"").text)
        }
        return Name(text: text, location: location)
    }

    /// Strings in a row are one string.
    mutating func string(_ meaning: String) throws(SchemaFault) -> (bytes: [UInt8], location: SourceLocation)
    {
        guard case .string = token.kind else { throw unexpected(meaning) }
        let location = token.location
        var bytes: [UInt8] = []
        while case .string(let piece) = token.kind {
            bytes += piece
            take()
        }
        return (bytes, location)
    }

    mutating func text(_ meaning: String) throws(SchemaFault) -> Name {
        let (bytes, location) = try string(meaning)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw SchemaFault(location: location, message: "\(meaning) must be valid UTF-8")
        }
        return Name(text: text, location: location)
    }

    /// A whole number within bounds.
    mutating func integer(_ meaning: String, in bounds: ClosedRange<Int>) throws(SchemaFault) -> Int {
        let location = token.location
        let isNegative = took("-")
        guard case .integer(let magnitude) = token.kind else { throw unexpected(meaning) }
        take()
        let value = Int(exactly: magnitude).map { isNegative ? -$0 : $0 }
        guard let value, bounds.contains(value) else {
            let sign = isNegative ? "-" : ""
            throw SchemaFault(
                location: location,
                message: "\(sign)\(magnitude) is out of range; \(meaning) lies within "
                    + "\(bounds.lowerBound) to \(bounds.upperBound)")
        }
        return value
    }

    // MARK: Statements

    /// Reads statements up to the closing brace of a block whose opening one has been taken.
    /// - Parameter what: the block as a fault names it: `message "Page"`.
    mutating func block(
        of what: String, at start: SourceLocation,
        statement: (inout Parser) throws(SchemaFault) -> Void
    ) {
        while !took("}") {
            if token.kind == .end { return faults.add(start, "\(what) is not closed: \"}\" is missing") }
            if took(";") { continue }
            recover(statement)
        }
    }

    /// Runs a statement; after a fault in it, records the fault and skips the rest of the statement.
    mutating func recover(_ statement: (inout Parser) throws(SchemaFault) -> Void) {
        let (depth, start) = (openBraces, position)
        do throws(SchemaFault) {
            try statement(&self)
        } catch {
            faults.add(error)
            skipStatement(toDepth: depth)
            // A stray token at the top of the file, where no brace can end the block.
            if position == start, !isNext("}") || depth == 0 { take() }
        }
    }

    /// Skips to behind the `;` or `}` that ends the statement, or to before the `}` that ends the block around it.
    private mutating func skipStatement(toDepth depth: Int) {
        while token.kind != .end {
            if openBraces == depth, isNext("}") { return }
            let taken = take()
            guard openBraces <= depth else { continue }
            if taken.kind == .symbol(";") { return }
            // `[(x) = { … }];` goes on behind the brace.
            let goesOn = isNext("]") || isNext(",") || isNext(";")
            if taken.kind == .symbol("}"), !goesOn { return }
        }
    }
}
