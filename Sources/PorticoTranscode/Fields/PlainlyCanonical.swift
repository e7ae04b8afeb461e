import PorticoWire

extension MessageLayout {
    /// Whether a message is in canonical form, told at a glance: single numbers and texts, once each, in their order, none
    /// of them its default, nothing unknown and nothing longer than it need be. False: perhaps it is all the same.
    ///
    /// Most requests are like that, and an answer that is fetched brings three of them into canonical form.
    func isPlainlyCanonical(_ message: Span<UInt8>) -> Bool {
        let fields = tables.messages[0]
        var cursor = ProtobufCursor(0..<message.count)
        var hint = 0
        do throws(ProtobufError) {
            while cursor.offset < message.count {
                let start = cursor.offset
                guard let tag = try cursor.nextTag(in: message),
                    let index = fields.index(ofNumber: tag.field, hint: hint), index >= hint,
                    tag.wireType == fields[index].kind.wireType,
                    cursor.offset - start == (UInt64(tag.field) << 3).varintSize,
                    try isPlain(fields[index], &cursor, in: message)
                else { return false }
                hint = index + 1
            }
            return true
        } catch {
            return false
        }
    }

    /// Moves behind the field's value.
    private func isPlain(
        _ field: FieldLayout, _ cursor: inout ProtobufCursor, in message: Span<UInt8>
    ) throws(ProtobufError) -> Bool {
        guard field.isSingular, field.oneof < 0 else { return false }
        switch field.kind {
        case .int32, .uint32, .sint32, .enumeration:
            return try isPlainNumber(field, upTo: UInt64(Int32.max), &cursor, in: message)
        case .bool: return try isPlainNumber(field, upTo: 1, &cursor, in: message)
        case .int64, .uint64, .sint64: return try isPlainNumber(field, upTo: .max, &cursor, in: message)
        case .string, .bytes:
            let start = cursor.offset
            let content = try cursor.lengthDelimited(in: message)
            guard content.lowerBound - start == UInt64(content.count).varintSize,
                !content.isEmpty || field.shape == .explicit
            else { return false }
            return field.kind == .bytes || (try? message.checkUTF8(content)) != nil
        case .fixed32, .sfixed32, .float, .fixed64, .sfixed64, .double, .message: return false
        }
    }

    private func isPlainNumber(
        _ field: FieldLayout, upTo most: UInt64, _ cursor: inout ProtobufCursor, in message: Span<UInt8>
    ) throws(ProtobufError) -> Bool {
        let start = cursor.offset
        let number = try cursor.varint(in: message)
        return number <= most && cursor.offset - start == number.varintSize
            && (number != 0 || field.shape == .explicit)
    }
}
