/// Enums and services:
///
///     enum Gender { GENDER_UNSPECIFIED = 0; MALE = 1 [(portico.v1.json) = "male"]; reserved 7; }
///     service Characters { rpc GetPerson(GetPersonRequest) returns (Person) { option … } }
extension Parser {
    private static let enumNumbers = Int(Int32.min)...Int(Int32.max)

    mutating func enumDeclaration() throws(SchemaFault) -> EnumNode {
        let start = take().location
        var node = EnumNode(name: try identifier("the enum's name"))
        try expect("{")
        let faultsBefore = faults.faults.count
        block(of: "enum \"\(node.name.text)\"", at: start) { parser throws(SchemaFault) in
            if parser.isNext(word: "option") {
                node.options.statements.append(try parser.optionStatement())
            } else if parser.isNext(word: "reserved") {
                try parser.reservedStatement(in: &node)
            } else {
                node.values.append(try parser.enumValue())
            }
        }
        if node.values.isEmpty, faults.faults.count == faultsBefore {
            faults.add(node.name.location, "enum \"\(node.name.text)\" has no values")
        }
        return node
    }

    private mutating func reservedStatement(in node: inout EnumNode) throws(SchemaFault) {
        take()
        if case .string = token.kind {
            node.reservedNames += try reservedNames()
        } else {
            node.reservedRanges += try ranges("an enum number", in: Self.enumNumbers)
        }
        try expectSemicolon(after: "reserved statement")
    }

    private mutating func enumValue() throws(SchemaFault) -> EnumValueNode {
        let name = try identifier("an enum value's name")
        try expect("=")
        let number = Int32(try integer("an enum number", in: Self.enumNumbers))
        var value = EnumValueNode(name: name, number: number)
        value.options.statements = try bracketedOptions()
        try expectSemicolon(after: "enum value")
        return value
    }

    mutating func serviceDeclaration() throws(SchemaFault) -> ServiceNode {
        let start = take().location
        var service = ServiceNode(name: try identifier("the service's name"))
        try expect("{")
        block(of: "service \"\(service.name.text)\"", at: start) { parser throws(SchemaFault) in
            if parser.isNext(word: "option") {
                service.options.statements.append(try parser.optionStatement())
            } else {
                service.methods.append(try parser.method())
            }
        }
        return service
    }

    private mutating func method() throws(SchemaFault) -> MethodNode {
        let documentation = token.documentation
        let start = token.location
        try expect(word: "rpc")
        let name = try identifier("the method's name")
        let input = try messageInParentheses("the request message")
        try expect(word: "returns")
        let output = try messageInParentheses("the response message")
        var method = MethodNode(name: name, input: input, output: output, documentation: documentation)
        guard took("{") else {
            try expectSemicolon(after: "method")
            return method
        }
        block(of: "method \"\(name.text)\"", at: start) { parser throws(SchemaFault) in
            method.options.statements.append(try parser.optionStatement())
        }
        return method
    }

    private mutating func messageInParentheses(_ meaning: String) throws(SchemaFault) -> Name {
        try expect("(")
        if isNext(word: "stream"), !isSecond(")"), !isSecond(".") {
            faults.add(
                token.location,
                "streaming methods are not supported: every method can be observed without being declared so")
            take()
        }
        let name = try dottedName(meaning)
        try expect(")")
        return name
    }
}
