import PorticoWire

/// Values, checked against the type of their field.
///
///     where: ["eye_color", "gender"]      a list, for a repeated field: two texts
///     default_size: 10                    uint32: a varint
///     order: KEY                          an enum value by name
extension OptionInterpreter {
    /// Nil after a fault.
    /// - Parameter isInMessage: inside braces, where text format allows more than behind `=`.
    mutating func values(for target: Target, _ syntax: OptionSyntax, isInMessage: Bool) -> [OptionValue]? {
        guard case .list(let items) = syntax.form else {
            return value(for: target, syntax, isInMessage: isInMessage).map { [$0] }
        }
        guard target.field.label == .repeated else {
            faults.add(syntax.location, "\"\(target.name)\" takes one value, not a list")
            return nil
        }
        var values: [OptionValue] = []
        for item in items {
            guard let value = value(for: target, item, isInMessage: isInMessage) else { return nil }
            values.append(value)
        }
        return values
    }

    private mutating func value(for target: Target, _ syntax: OptionSyntax, isInMessage: Bool) -> OptionValue?
    {
        form(for: target, syntax, isInMessage: isInMessage).map {
            OptionValue(form: $0, location: syntax.location)
        }
    }

    private mutating func form(
        for target: Target, _ syntax: OptionSyntax, isInMessage: Bool
    ) -> OptionValue.Form? {
        let value: OptionValue.Form?
        switch target.field.kind {
        case .int32, .sint32, .sfixed32:
            value = integer(target, syntax, in: Int64(Int32.min)...Int64(Int32.max))
        case .int64, .sint64, .sfixed64:
            value = integer(target, syntax, in: Int64.min...Int64.max)
        case .uint32, .fixed32: value = unsigned(target, syntax, upTo: UInt64(UInt32.max))
        case .uint64, .fixed64: value = unsigned(target, syntax, upTo: .max)
        case .float:
            value = Self.double(syntax, isInMessage: isInMessage).map { .fixed32(Float($0).bitPattern) }
        case .double: value = Self.double(syntax, isInMessage: isInMessage).map { .fixed64($0.bitPattern) }
        case .bool: value = Self.bool(syntax, isInMessage: isInMessage).map { .varint($0 ? 1 : 0) }
        case .string: return text(target, syntax)
        case .bytes:
            if case .string(let bytes) = syntax.form { value = .bytes(bytes) } else { value = nil }
        case .enumeration: return enumeration(target, syntax, isInMessage: isInMessage)
        case .message: return message(target, syntax)
        case .group, nil: return nil
        }
        if value == nil { refuse(syntax, for: target) }
        return value
    }

    private mutating func refuse(_ syntax: OptionSyntax, for target: Target) {
        let wanted = target.field.kind?.valueDescription ?? "something else"
        faults.add(syntax.location, "\"\(target.name)\" takes \(wanted), not \(syntax.described)")
    }

    // MARK: Scalars

    private func integer(_ target: Target, _ syntax: OptionSyntax, in bounds: ClosedRange<Int64>)
        -> OptionValue.Form?
    {
        guard case .integer(let magnitude, let isNegative) = syntax.form else { return nil }
        let value =
            isNegative
            ? (magnitude == 1 << 63 ? Int64.min : Int64(exactly: magnitude).map { -$0 })
            : Int64(exactly: magnitude)
        guard let value, bounds.contains(value) else { return nil }
        switch target.field.kind {
        case .sint32, .sint64: return .varint(ZigZag.encode(value))
        case .sfixed32: return .fixed32(UInt32(truncatingIfNeeded: value))
        case .sfixed64: return .fixed64(UInt64(bitPattern: value))
        default: return .varint(UInt64(bitPattern: value))
        }
    }

    private func unsigned(_ target: Target, _ syntax: OptionSyntax, upTo limit: UInt64) -> OptionValue.Form? {
        guard case .integer(let value, let isNegative) = syntax.form, value <= limit,
            !isNegative || value == 0
        else { return nil }
        switch target.field.kind {
        case .fixed32: return .fixed32(UInt32(value))
        case .fixed64: return .fixed64(value)
        default: return .varint(value)
        }
    }

    private static func double(_ syntax: OptionSyntax, isInMessage: Bool) -> Double? {
        switch syntax.form {
        case .float(let value): return value
        case .integer(let value, let isNegative): return isNegative ? -Double(value) : Double(value)
        case .identifier(let word) where isInMessage: return special(word)
        case .negatedIdentifier(let word) where isInMessage: return special(word).map { -$0 }
        case .identifier, .negatedIdentifier, .string, .message, .list: return nil
        }
    }

    private static func special(_ word: String) -> Double? {
        switch word {
        case "inf", "infinity": .infinity
        case "nan": .nan
        default: nil
        }
    }

    private static func bool(_ syntax: OptionSyntax, isInMessage: Bool) -> Bool? {
        switch syntax.form {
        case .identifier("true"): true
        case .identifier("false"): false
        case .identifier("True") where isInMessage, .identifier("t") where isInMessage: true
        case .identifier("False") where isInMessage, .identifier("f") where isInMessage: false
        case .integer(1, false) where isInMessage: true
        case .integer(0, false) where isInMessage: false
        case .identifier, .negatedIdentifier, .integer, .float, .string, .message, .list: nil
        }
    }

    private mutating func text(_ target: Target, _ syntax: OptionSyntax) -> OptionValue.Form? {
        guard case .string(let bytes) = syntax.form else {
            refuse(syntax, for: target)
            return nil
        }
        if let text = String(validating: bytes, as: UTF8.self) { return .text(text) }
        faults.add(syntax.location, "\"\(target.name)\" must be valid UTF-8")
        return nil
    }

    // MARK: Enums and messages

    private mutating func enumeration(
        _ target: Target, _ syntax: OptionSyntax, isInMessage: Bool
    ) -> OptionValue.Form? {
        guard let type = target.field.typeName, let node = types.enums[type.text] else { return nil }
        switch syntax.form {
        case .identifier(let word):
            if let value = node.values.first(where: { $0.name.text == word }) {
                return .enumeration(value.number, name: word)
            }
            let hint = faults.suggestion(for: word, among: node.values.map(\.name.text))
            faults.add(syntax.location, "\(type.text) has no value \"\(word)\"\(hint)")
        case .integer(let magnitude, let isNegative) where isInMessage:
            let number = Int64(exactly: magnitude).flatMap { Int32(exactly: isNegative ? -$0 : $0) }
            if let value = node.values.first(where: { $0.number == number }) {
                return .enumeration(value.number, name: value.name.text)
            }
            faults.add(syntax.location, "\(type.text) has no value \(syntax.described)")
        case .negatedIdentifier, .integer, .float, .string, .message, .list:
            refuse(syntax, for: target)
        }
        return nil
    }

    /// Recursion ends at ``SchemaLimits/optionDepth``.
    private mutating func message(_ target: Target, _ syntax: OptionSyntax) -> OptionValue.Form? {
        guard case .message(let fields) = syntax.form else {
            refuse(syntax, for: target)
            return nil
        }
        guard let type = target.field.typeName else { return nil }
        var message = OptionMessage()
        for field in fields {
            // Like protoc, look for extensions from the extended message on, not from the option.
            guard
                let inner = self.target(
                    field.name, isExtension: field.isExtension, in: type.text, extensionScope: type.text),
                let values = values(for: inner, field.value, isInMessage: true)
            else { continue }
            insert(
                values, at: [inner], into: &message, title: inner.name, location: field.name.location)
        }
        return .message(message)
    }
}

extension FieldKind {
    /// What a field of this type takes, for faults.
    var valueDescription: String {
        switch self {
        case .int32, .sint32, .sfixed32: "a 32-bit integer"
        case .int64, .sint64, .sfixed64: "a 64-bit integer"
        case .uint32, .fixed32: "a 32-bit integer that is not negative"
        case .uint64, .fixed64: "a 64-bit integer that is not negative"
        case .float, .double: "a number"
        case .bool: "true or false"
        case .string, .bytes: "a string"
        case .enumeration: "the name of an enum value"
        case .message, .group: "a message in braces"
        }
    }
}

extension OptionSyntax {
    /// For faults.
    var described: String {
        switch form {
        case .identifier(let word): "\"\(word)\""
        case .negatedIdentifier(let word): "\"-\(word)\""
        case .integer(let value, let isNegative): isNegative ? "-\(value)" : "\(value)"
        case .float(let value): "\(value)"
        case .string: "a string"
        case .message: "a message"
        case .list: "a list"
        }
    }
}
