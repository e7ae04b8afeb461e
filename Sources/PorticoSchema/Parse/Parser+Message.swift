/// Messages and what stands in them:
///
///     message Flag {
///       string name = 1;
///       oneof value { bool bool_value = 2; string string_value = 3; }
///       map<string, int32> counts = 4 [deprecated = true];
///       reserved 5, 8 to 10, 100 to max;
///       reserved "old";
///     }
extension Parser {
    static let largestFieldNumber = 536_870_911

    /// Nil: nested too deeply; the fault is recorded and the message is skipped.
    mutating func messageDeclaration(depth: Int) throws(SchemaFault) -> MessageNode? {
        let start = take().location
        var message = MessageNode(name: try identifier("the message's name"))
        try expect("{")
        guard depth <= SchemaLimits.messageDepth else {
            throw SchemaFault(
                location: start,
                message: "messages are nested more than \(SchemaLimits.messageDepth) deep")
        }
        block(of: "message \"\(message.name.text)\"", at: start) { parser throws(SchemaFault) in
            try parser.messageStatement(in: &message, depth: depth)
        }
        addSyntheticOneofs(to: &message)
        return message
    }

    private mutating func messageStatement(
        in message: inout MessageNode, depth: Int
    ) throws(SchemaFault) {
        guard case .identifier(let word) = token.kind else { return try field(in: &message, oneof: nil) }
        switch word {
        case "message":
            try messageDeclaration(depth: depth + 1).map { message.messages.append($0) }
        case "enum": message.enums.append(try enumDeclaration())
        case "extend":
            let (fields, entries) = try extendDeclaration()
            message.extensions += fields
            message.messages += entries
        case "oneof": try oneofDeclaration(in: &message)
        case "option": message.options.statements.append(try optionStatement())
        case "reserved": try reservedStatement(in: &message)
        case "extensions": try extensionsStatement(in: &message)
        default: try field(in: &message, oneof: nil)
        }
    }

    // MARK: Fields

    private mutating func field(in message: inout MessageNode, oneof: Int?) throws(SchemaFault) {
        if isNext(word: "map"), isSecond("<") {
            return try mapField(in: &message, oneof: oneof)
        }
        let start = token.location
        let label = try fieldLabel(oneof: oneof)
        if isNext(word: "group"), isSecondIdentifier() {
            throw SchemaFault(location: token.location, message: "groups are not supported; use a message")
        }
        if isNext(word: "map"), isSecond("<") {
            throw SchemaFault(location: start, message: "a map field takes no label")
        }
        let type = try dottedName("a field's type")
        var field = try fieldBehindType(type, label: label ?? .optional)
        field.oneof = oneof
        field.isProto3Optional = label == .optional && file.isProto3
        message.fields.append(field)
    }

    private mutating func fieldLabel(oneof: Int?) throws(SchemaFault) -> FieldNode.Label? {
        let labels: [String: FieldNode.Label] = [
            "optional": .optional, "required": .required, "repeated": .repeated,
        ]
        // `optional.Type x = 1;` is a type in a package named like a label.
        guard case .identifier(let word) = token.kind, let label = labels[word], !isSecond(".") else {
            return nil
        }
        let location = take().location
        if oneof != nil {
            faults.add(location, "a field of a oneof takes no label")
            return nil
        }
        if label == .required, file.isProto3 {
            faults.add(location, "proto3 has no \"required\" fields; use [(portico.v1.required) = true]")
        }
        return label
    }

    /// ` page = 1 [deprecated = true];`
    private mutating func fieldBehindType(
        _ type: Name, label: FieldNode.Label
    ) throws(SchemaFault) -> FieldNode {
        let name = try identifier("the field's name")
        try expect("=")
        let numberLocation = token.location
        let number = try integer("a field number", in: 1...Self.largestFieldNumber)
        let kind = FieldKind.scalars[type.text]
        var field = FieldNode(
            label: label, kind: kind, typeName: kind == nil ? type : nil, name: name, number: number,
            numberLocation: numberLocation)
        try fieldOptions(of: &field)
        try expectSemicolon(after: "field")
        return field
    }

    /// `json_name` and `default` look like options and are none: they are parts of the field.
    private mutating func fieldOptions(of field: inout FieldNode) throws(SchemaFault) {
        for statement in try bracketedOptions() {
            guard statement.parts.count == 1, !statement.parts[0].isExtension else {
                field.options.statements.append(statement)
                continue
            }
            switch (statement.parts[0].name.text, statement.value.form) {
            case ("json_name", .string(let bytes)):
                if field.jsonName != nil {
                    faults.add(statement.value.location, "\"json_name\" is set twice")
                }
                field.jsonName = String(validating: bytes, as: UTF8.self)
                if field.jsonName == nil {
                    faults.add(statement.value.location, "json_name must be valid UTF-8")
                }
            case ("json_name", _):
                faults.add(statement.value.location, "json_name must be a string")
            case ("default", _) where file.isProto3:
                faults.add(statement.parts[0].name.location, "proto3 has no default values")
            case ("default", .identifier(let word)):
                field.defaultValue = word
            case ("default", _):
                faults.add(statement.value.location, "unsupported default value")
            default:
                field.options.statements.append(statement)
            }
        }
    }

    // MARK: Maps and oneofs

    /// `map<K, V> name = n;` is `repeated NameEntry name = n;` with a message NameEntry { K key = 1; V value = 2; }.
    private mutating func mapField(in message: inout MessageNode, oneof: Int?) throws(SchemaFault) {
        let start = take().location
        if oneof != nil { faults.add(start, "a map cannot be in a oneof") }
        try expect("<")
        let key = try dottedName("the type of the map's keys")
        try expect(",")
        let value = try dottedName("the type of the map's values")
        try expect(">")
        let entryName = Name(text: "", location: start)
        var field = try fieldBehindType(entryName, label: .repeated)
        let entry = mapEntry(of: field.name, key: key, value: value)
        field.typeName = Name(text: entry.name.text, location: start)
        let allowed: Set<FieldKind?> = [
            .int32, .int64, .uint32, .uint64, .sint32, .sint64, .fixed32, .fixed64, .sfixed32, .sfixed64,
            .bool, .string,
        ]
        if !allowed.contains(FieldKind.scalars[key.text]) {
            faults.add(key.location, "a map's keys are integers, bool or string, not \"\(key.text)\"")
        }
        message.messages.append(entry)
        message.fields.append(field)
    }

    private func mapEntry(of field: Name, key: Name, value: Name) -> MessageNode {
        var text = ""
        var raisesNext = true
        for character in field.text {
            if character == "_" {
                raisesNext = true
            } else {
                text += raisesNext ? character.uppercased() : String(character)
                raisesNext = false
            }
        }
        var entry = MessageNode(name: Name(text: text + "Entry", location: field.location))
        entry.isMapEntry = true
        for (number, (name, type)) in [("key", key), ("value", value)].enumerated() {
            let kind = FieldKind.scalars[type.text]
            entry.fields.append(
                FieldNode(
                    label: .optional, kind: kind, typeName: kind == nil ? type : nil,
                    name: Name(text: name, location: type.location), number: number + 1,
                    numberLocation: type.location))
        }
        return entry
    }

    private mutating func oneofDeclaration(in message: inout MessageNode) throws(SchemaFault) {
        let start = take().location
        let name = try identifier("the oneof's name")
        try expect("{")
        let index = message.oneofs.count
        message.oneofs.append(OneofNode(name: name))
        let fieldsBefore = message.fields.count
        let faultsBefore = faults.faults.count
        block(of: "oneof \"\(name.text)\"", at: start) { parser throws(SchemaFault) in
            if parser.isNext(word: "option") {
                message.oneofs[index].options.statements.append(try parser.optionStatement())
            } else {
                try parser.field(in: &message, oneof: index)
            }
        }
        if message.fields.count == fieldsBefore, faults.faults.count == faultsBefore {
            faults.add(name.location, "oneof \"\(name.text)\" has no fields")
        }
    }

    /// Each `optional` field gets a oneof of its own, which is how descriptors tell that its presence is kept.
    private func addSyntheticOneofs(to message: inout MessageNode) {
        var taken = Set(message.fields.map(\.name.text) + message.oneofs.map(\.name.text))
        for index in message.fields.indices where message.fields[index].isProto3Optional {
            var name = "_" + message.fields[index].name.text
            while taken.contains(name) { name = "X" + name }
            taken.insert(name)
            message.fields[index].oneof = message.oneofs.count
            message.oneofs.append(
                OneofNode(
                    name: Name(text: name, location: message.fields[index].name.location), isSynthetic: true))
        }
    }

    // MARK: Reserved and extension numbers, extend

    private mutating func reservedStatement(in message: inout MessageNode) throws(SchemaFault) {
        take()
        if case .string = token.kind {
            message.reservedNames += try reservedNames()
        } else {
            message.reservedRanges += try ranges("a field number", in: 1...Self.largestFieldNumber)
        }
        try expectSemicolon(after: "reserved statement")
    }

    private mutating func extensionsStatement(in message: inout MessageNode) throws(SchemaFault) {
        let start = take().location
        if file.isProto3 {
            faults.add(start, "proto3 messages have no extension ranges")
        }
        message.extensionRanges += try ranges("a field number", in: 1...Self.largestFieldNumber)
        _ = try bracketedOptions()
        try expectSemicolon(after: "extension range")
    }

    /// `"old", "older"`
    mutating func reservedNames() throws(SchemaFault) -> [Name] {
        var names: [Name] = []
        repeat { names.append(try text("a reserved name")) } while took(",")
        return names
    }

    /// `5, 8 to 10, 100 to max`
    mutating func ranges(_ meaning: String, in bounds: ClosedRange<Int>) throws(SchemaFault) -> [NumberRange]
    {
        var ranges: [NumberRange] = []
        repeat {
            let location = token.location
            let first = try integer(meaning, in: bounds)
            var last = first
            if took(word: "to") {
                last = took(word: "max") ? bounds.upperBound : try integer(meaning, in: bounds)
            }
            if last < first { faults.add(location, "the range ends before it begins") }
            ranges.append(NumberRange(first: first, last: max(first, last), location: location))
        } while took(",")
        return ranges
    }

    /// `extend google.protobuf.MethodOptions { Upstream upstream = 51001; }`
    /// - Returns: the extensions, and the entries of map fields (which are refused when linking).
    mutating func extendDeclaration() throws(SchemaFault) -> (fields: [FieldNode], entries: [MessageNode]) {
        let start = take().location
        let extendee = try dottedName("the message to extend")
        try expect("{")
        var holder = MessageNode(name: extendee)
        block(of: "extend \"\(extendee.text)\"", at: start) { parser throws(SchemaFault) in
            if parser.isNext(word: "map"), parser.isSecond("<") {
                throw SchemaFault(location: parser.token.location, message: "an extension cannot be a map")
            }
            try parser.field(in: &holder, oneof: nil)
        }
        for index in holder.fields.indices { holder.fields[index].extendee = extendee }
        return (holder.fields, holder.messages)
    }
}
