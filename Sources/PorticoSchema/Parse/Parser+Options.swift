/// Options and their values. A value in braces is protobuf's text format, with all its freedoms; these three are one:
///
///     option (portico.v1.view) = { from: "ListPeople", group: { by: "team" }; where: ["a", "b"] };
///     option (portico.v1.view) = { from: 'List' 'People' group { by: "team" } where: "a" where: "b" };
///     option (portico.v1.view) = { from: "ListPeople" group < by: "team" > where: "a" where: "b" };
extension Parser {
    /// `option (portico.v1.view).from = "ListPeople";`
    mutating func optionStatement() throws(SchemaFault) -> OptionStatement {
        try expect(word: "option")
        let statement = try optionAssignment()
        try expectSemicolon(after: "option")
        return statement
    }

    /// `[deprecated = true, (portico.v1.path) = "results"]`, or nothing.
    mutating func bracketedOptions() throws(SchemaFault) -> [OptionStatement] {
        guard took("[") else { return [] }
        var statements: [OptionStatement] = []
        repeat { statements.append(try optionAssignment()) } while took(",")
        guard took("]") else { throw unexpected("\",\" or \"]\"") }
        return statements
    }

    private mutating func optionAssignment() throws(SchemaFault) -> OptionStatement {
        var parts: [OptionStatement.Part] = []
        repeat {
            if took("(") {
                parts.append(.init(name: try dottedName("an option's name"), isExtension: true))
                try expect(")")
            } else {
                parts.append(.init(name: try identifier("an option's name"), isExtension: false))
            }
        } while took(".")
        try expect("=")
        let value = isNext("{") ? try messageValue(depth: 1) : try scalarValue()
        return OptionStatement(parts: parts, value: value)
    }

    private mutating func scalarValue() throws(SchemaFault) -> OptionSyntax {
        let location = token.location
        let isNegative = took("-")
        switch token.kind {
        case .identifier(let word):
            take()
            return OptionSyntax(
                form: isNegative ? .negatedIdentifier(word) : .identifier(word), location: location)
        case .integer(let magnitude):
            take()
            return OptionSyntax(form: .integer(magnitude, isNegative: isNegative), location: location)
        case .float(let value):
            take()
            return OptionSyntax(form: .float(isNegative ? -value : value), location: location)
        case .string where !isNegative:
            return OptionSyntax(form: .string(try string("a value").bytes), location: location)
        case .string, .symbol, .end:
            throw unexpected("a value")
        }
    }

    /// From the opening `{` or `<` to its partner.
    private mutating func messageValue(depth: Int) throws(SchemaFault) -> OptionSyntax {
        let location = token.location
        guard depth <= SchemaLimits.optionDepth else {
            throw SchemaFault(
                location: location,
                message: "the option's value is nested more than \(SchemaLimits.optionDepth) deep")
        }
        let closing: Character = take().kind == .symbol("<") ? ">" : "}"
        var fields: [OptionSyntax.Field] = []
        while !took(closing) {
            if token.kind == .end { throw unexpected("\"\(closing)\"") }
            fields.append(try messageField(depth: depth))
            if !took(",") { _ = took(";") }
        }
        return OptionSyntax(form: .message(fields), location: location)
    }

    /// `by: "team"`, `group { … }`, `[portico.v1.json]: "x"`
    private mutating func messageField(depth: Int) throws(SchemaFault) -> OptionSyntax.Field {
        let isExtension = took("[")
        let name = isExtension ? try dottedName("an extension's name") : try identifier("a field's name")
        if isExtension { try expect("]") }
        let hasColon = took(":")
        // Only messages may follow without a colon; the interpreter knows which field is one.
        let startsMessage = isNext("{") || isNext("<") || isNext("[")
        guard hasColon || startsMessage else { throw unexpected("\":\" behind \"\(name.text)\"") }
        let value = try fieldValue(depth: depth, inList: false)
        if !hasColon, case .list(let items) = value.form, items.contains(where: { !$0.isMessage }) {
            throw SchemaFault(
                location: value.location, message: "expected \":\" behind \"\(name.text)\", found \"[\"")
        }
        return OptionSyntax.Field(name: name, isExtension: isExtension, value: value)
    }

    private mutating func fieldValue(depth: Int, inList: Bool) throws(SchemaFault) -> OptionSyntax {
        if isNext("{") || isNext("<") { return try messageValue(depth: depth + 1) }
        guard isNext("["), !inList else { return try scalarValue() }
        let location = take().location
        var items: [OptionSyntax] = []
        if took("]") { return OptionSyntax(form: .list(items), location: location) }
        repeat { items.append(try fieldValue(depth: depth, inList: true)) } while took(",")
        guard took("]") else { throw unexpected("\",\" or \"]\"") }
        return OptionSyntax(form: .list(items), location: location)
    }
}

extension OptionSyntax {
    var isMessage: Bool {
        guard case .message = form else { return false }
        return true
    }
}
