import PorticoWire

/// Options as bytes. Extensions lie among the other fields, under their number:
///
///     { option (portico.v1.invalidates) = "List"; }  →  51003 << 3 | 2, 4, "List"
extension OptionMessage {
    var encoded: [UInt8] {
        var writer = ProtobufWriter()
        write(into: &writer)
        return writer.bytes
    }

    /// Recursion ends at ``SchemaLimits/optionDepth``.
    private func write(into writer: inout ProtobufWriter) {
        for entry in entries.sorted(by: { $0.number < $1.number }) {
            for value in entry.values { Self.write(value.form, entry.number, into: &writer) }
        }
    }

    private static func write(_ value: OptionValue.Form, _ number: Int, into writer: inout ProtobufWriter) {
        switch value {
        case .varint(let value): writer.varintField(number, value)
        case .fixed32(let value): writer.fixed32Field(number, value)
        case .fixed64(let value): writer.fixed64Field(number, value)
        case .text(let text): writer.stringField(number, text)
        case .bytes(let bytes): writer.bytesField(number, bytes)
        case .enumeration(let value, _): writer.varintField(number, UInt64(bitPattern: Int64(value)))
        case .message(let message): writer.messageField(number) { message.write(into: &$0) }
        }
    }
}

// MARK: - Reading by name

extension OptionMessage {
    func text(_ name: String) -> String? {
        guard case .text(let text) = entry(name)?.values.first?.form else { return nil }
        return text
    }

    /// Each text of a repeated option, and where it stands.
    func texts(_ name: String) -> [Name] {
        (entry(name)?.values ?? []).compactMap { value in
            guard case .text(let text) = value.form else { return nil }
            return Name(text: text, location: value.location)
        }
    }

    func bool(_ name: String) -> Bool { integer(name) == 1 }

    func integer(_ name: String) -> UInt64? {
        guard case .varint(let value) = entry(name)?.values.first?.form else { return nil }
        return value
    }

    func enumeration(_ name: String) -> String? {
        guard case .enumeration(_, let value) = entry(name)?.values.first?.form else { return nil }
        return value
    }

    func message(_ name: String) -> OptionMessage? {
        guard case .message(let message) = entry(name)?.values.first?.form else { return nil }
        return message
    }

    /// Each message of a repeated option, and where it stands.
    func messages(_ name: String) -> [(message: OptionMessage, location: SourceLocation)] {
        (entry(name)?.values ?? []).compactMap { value in
            guard case .message(let message) = value.form else { return nil }
            return (message, value.location)
        }
    }

    /// Where the option's value stands, or else the place given.
    func location(_ name: String, or other: SourceLocation) -> SourceLocation {
        entry(name)?.values.first?.location ?? entry(name)?.location ?? other
    }
}
