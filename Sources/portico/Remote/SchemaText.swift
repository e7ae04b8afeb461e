import PorticoSchema

/// Writes parts of a schema as a `.proto` file would have them, for `portico describe`.
struct SchemaText {
    let schema: Schema

    /// - Parameter name: full name of a service, message or enum, or `package.Service/Method`.
    /// - Returns: nil when the schema has nothing of that name.
    func text(of name: String) -> String? {
        if let id = schema.method(route: name) { return text(of: schema[id]) }
        if let id = schema.message(named: name) { return text(of: schema[id]) }
        if let id = schema.enumeration(named: name) { return text(of: schema[id]) }
        let methods = schema.methods.filter { $0.service == name }
        guard !methods.isEmpty else { return nil }
        let lines = methods.map { "  " + line(of: $0) }
        return (["service \(name) {"] + lines + ["}"]).joined(separator: "\n")
    }

    /// Everything that ``text(of:)`` knows.
    var names: [String] {
        let messages = schema.messages.filter { !$0.isMapEntry }.map(\.fullName)
        return messages + schema.enums.map(\.fullName) + schema.methods.map(\.route)
            + Set(schema.methods.map(\.service)).sorted()
    }

    /// A method with what goes in and what comes out.
    private func text(of method: MethodDescriptor) -> String {
        [line(of: method), text(of: schema[method.input]), text(of: schema[method.output])]
            .joined(separator: "\n\n")
    }

    private func line(of method: MethodDescriptor) -> String {
        let (input, output) = (schema[method.input].fullName, schema[method.output].fullName)
        return "rpc \(method.name)(\(input)) returns (\(output));"
    }

    private func text(of message: MessageDescriptor) -> String {
        guard !message.fields.isEmpty else { return "message \(message.fullName) {}" }
        var lines = ["message \(message.fullName) {"]
        var oneof: Int?
        for field in message.fields {
            if oneof != field.oneof {
                if oneof != nil { lines.append("  }") }
                if let index = field.oneof { lines.append("  oneof \(message.oneofs[index]) {") }
                oneof = field.oneof
            }
            lines.append((oneof == nil ? "  " : "    ") + line(of: field))
        }
        if oneof != nil { lines.append("  }") }
        return (lines + ["}"]).joined(separator: "\n")
    }

    private func line(of field: FieldDescriptor) -> String {
        let label =
            switch field.cardinality {
            case .implicit, .map: ""
            case .optional: hasPresenceAnyway(field) ? "" : "optional "
            case .repeated: "repeated "
            }
        return "\(label)\(typeName(of: field)) \(field.name) = \(field.number);"
    }

    /// Members of a oneof and messages are absent or present without being called optional.
    private func hasPresenceAnyway(_ field: FieldDescriptor) -> Bool {
        if case .message = field.type { return true }
        return field.oneof != nil
    }

    private func typeName(of field: FieldDescriptor) -> String {
        guard case .map = field.cardinality, case .message(let entry) = field.type else {
            return name(of: field.type)
        }
        return "map<\(schema[entry].fields.map { name(of: $0.type) }.joined(separator: ", "))>"
    }

    private func name(of type: FieldType) -> String {
        switch type {
        case .message(let id): schema[id].fullName
        case .enumeration(let id): schema[id].fullName
        case .double, .float, .int32, .int64, .uint32, .uint64, .sint32, .sint64, .fixed32, .fixed64,
            .sfixed32,
            .sfixed64, .bool, .string, .bytes:
            "\(type)"
        }
    }

    private func text(of enumeration: EnumDescriptor) -> String {
        let lines = enumeration.values.map { "  \($0.name) = \($0.number);" }
        return (["enum \(enumeration.fullName) {"] + lines + ["}"]).joined(separator: "\n")
    }
}
