/// The top of a file:
///
///     syntax = "proto3";
///     package starwars.v1;
///     import "portico/v1/options.proto";
///     message … enum … service … extend … option …
extension Parser {
    mutating func parseFile() {
        recover { parser throws(SchemaFault) in try parser.syntaxStatement() }
        while token.kind != .end {
            if took(";") { continue }
            recover { parser throws(SchemaFault) in try parser.topLevelStatement() }
        }
        if faults.faults.isEmpty { return }
        file.isDamaged = true
    }

    private mutating func syntaxStatement() throws(SchemaFault) {
        while took(";") {}
        if isNext(word: "edition") {
            throw SchemaFault(
                location: token.location, message: "editions are not supported; write syntax = \"proto3\";")
        }
        guard isNext(word: "syntax") else {
            // What follows is read all the same.
            faults.add(token.location, "the file must begin with syntax = \"proto3\";")
            return
        }
        take()
        try expect("=")
        let syntax = try text("\"proto3\"")
        switch syntax.text {
        case "proto3": break
        case "proto2" where acceptsProto2: file.isProto3 = false
        case "proto2": faults.add(syntax.location, "proto2 is not supported; write syntax = \"proto3\";")
        default: faults.add(syntax.location, "unknown syntax \"\(syntax.text)\"; write syntax = \"proto3\";")
        }
        try expectSemicolon(after: "syntax")
    }

    private mutating func topLevelStatement() throws(SchemaFault) {
        guard case .identifier(let word) = token.kind else {
            throw unexpected("a declaration such as \"message\"")
        }
        switch word {
        case "package": try packageStatement()
        case "import": try importStatement()
        case "option": file.options.statements.append(try optionStatement())
        case "message": try messageDeclaration(depth: 1).map { file.messages.append($0) }
        case "enum": file.enums.append(try enumDeclaration())
        case "service": file.services.append(try serviceDeclaration())
        case "extend":
            let (fields, entries) = try extendDeclaration()
            file.extensions += fields
            file.messages += entries
        case "syntax":
            throw SchemaFault(
                location: token.location, message: "syntax must be the file's first statement, once")
        default:
            let words = ["package", "import", "option", "message", "enum", "service", "extend"]
            let hint = faults.suggestion(for: word, among: words)
            throw SchemaFault(
                location: token.location,
                message: "expected a declaration such as \"message\", found \"\(word)\"\(hint)")
        }
    }

    private mutating func packageStatement() throws(SchemaFault) {
        let start = take().location
        let name = try dottedName("the package's name")
        if file.package != nil {
            faults.add(start, "the file has a package already")
        } else if name.text.hasPrefix(".") {
            faults.add(name.location, "the package's name must not begin with \".\"")
        } else {
            file.package = name
        }
        try expectSemicolon(after: "package")
    }

    private mutating func importStatement() throws(SchemaFault) {
        take()
        var kind = ImportNode.Kind.plain
        if took(word: "public") {
            kind = .public
        } else if took(word: "weak") {
            kind = .weak
        }
        let path = try text("the path of the imported file")
        file.imports.append(ImportNode(path: path, kind: kind))
        try expectSemicolon(after: "import")
    }
}
