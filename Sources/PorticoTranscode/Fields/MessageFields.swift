package import PorticoSchema
import PorticoWire

// Single fields of an encoded message by their proto names, for requests and paging. Worked example, `08 02 12 01 61`
// of `message ListRequest { int32 page = 1; string name = 2; }`:
//
//     integer("page")               2
//     text("page"), text("name")    "2", "a"
//     setting("page", integer: 3)   08 03 12 01 61

/// An encoded message whose fields can be asked for.
package struct MessageFields: Sendable {
    private let layout: MessageLayout
    /// The message's index in the layout.
    private let root: Int
    /// The message in canonical form, in which each singular field stands once.
    package let bytes: [UInt8]

    /// - Throws: ``TranscodeError/malformedProtobuf(_:offset:)``
    package init(schema: Schema, message: MessageID, bytes: [UInt8]) throws(TranscodeError) {
        try self.init(layout: MessageLayout(schema: schema, message: message), bytes: bytes)
    }

    package init(layout: MessageLayout, bytes: [UInt8]) throws(TranscodeError) {
        self.layout = layout
        root = 0
        self.bytes = try layout.canonical(bytes.span)
    }

    private init(_ layout: MessageLayout, _ root: Int, canonical: [UInt8]) {
        self.layout = layout
        self.root = root
        bytes = canonical
    }

    /// A single message inside this one; nil: unset, or no such field.
    package func message(_ name: String) -> MessageFields? {
        guard let (field, range) = place(of: name), field.kind == .message else { return nil }
        return MessageFields(layout, field.child, canonical: Array(bytes[range]))
    }

    /// A scalar as text: an enum by its name, a bytes field as base64.
    /// - Returns: nil when the field is unset, has its default without being `optional`, is a list, a map or a message, or
    ///   does not exist.
    package func text(_ name: String) -> String? {
        guard let (field, range) = place(of: name) else { return nil }
        switch field.kind {
        case .message: return nil
        case .string: return String(decoding: bytes[range], as: UTF8.self)
        case .bytes:
            var text: [UInt8] = []
            Base64.encode(range, of: bytes.span, into: &text)
            return String(decoding: text, as: UTF8.self)
        case .enumeration:
            return JSONOutput.text(
                of: number(field, range), as: field.kind, names: layout.tables.enums[field.child])
        default: return JSONOutput.text(of: number(field, range), as: field.kind, names: nil)
        }
    }

    /// An integer, or an enum's number.
    /// - Returns: nil as ``text(_:)``, for other types, and for what 64 bits with a sign do not hold.
    package func integer(_ name: String) -> Int64? {
        guard let (field, range) = place(of: name) else { return nil }
        switch field.kind {
        case .int32, .int64, .sint32, .sint64, .sfixed32, .sfixed64, .enumeration:
            return StoredNumber.signed(number(field, range), as: field.kind)
        case .uint32, .uint64, .fixed32, .fixed64: return Int64(exactly: number(field, range))
        case .double, .float, .bool, .string, .bytes, .message: return nil
        }
    }

    /// True when the field is on the wire: `optional` set, or not its default, or a list with elements.
    package func isSet(_ name: String) -> Bool {
        guard let field = field(named: name) else { return false }
        return firstPlace(of: field) != nil
    }

    /// The message, in canonical form, with an integer field (or a string field, as decimal text) set. The schema's
    /// linker has checked that the field is one; a number out of the field's range is cut to its width.
    package func setting(_ name: String, integer: Int64) -> [UInt8] {
        guard let field = field(named: name), field.isSingular else {
            preconditionFailure(
                "\(layout.tables.rootName) has no field \(name): the schema's linker checks it")
        }
        var writer = ProtobufWriter(bytes)
        if field.kind == .string {
            writer.stringField(field.number, "\(integer)")
        } else {
            writer.tag(field.number, field.kind.wireType)
            let bits =
                switch field.kind {
                case .sint32, .sint64: ZigZag.encode(integer)
                default: UInt64(bitPattern: integer)
                }
            StoredNumber.write(bits, as: field.kind, to: &writer)
        }
        do throws(TranscodeError) {
            return try layout.canonical(writer.bytes.span)
        } catch {
            preconditionFailure(
                "a canonical message and one field more: a bug in the writer, never bad input")
        }
    }

    private func field(named name: String) -> FieldLayout? {
        layout.tables.messages[root].first { layout.tables.names[$0.names] == name }
    }

    /// A singular field and where its content lies.
    private func place(of name: String) -> (FieldLayout, Range<Int>)? {
        guard let field = field(named: name), field.isSingular, let range = firstPlace(of: field) else {
            return nil
        }
        return (field, range)
    }

    private func firstPlace(of field: FieldLayout) -> Range<Int>? {
        var cursor = ProtobufCursor(0..<bytes.count)
        do throws(ProtobufError) {
            while let tag = try cursor.nextTag(in: bytes.span) {
                let value = try cursor.content(of: tag.wireType, in: bytes.span)
                if tag.field == field.number { return value }
            }
        } catch {
            preconditionFailure("the bytes are canonical: a bug in the writer, never bad input")
        }
        return nil
    }

    private func number(_ field: FieldLayout, _ range: Range<Int>) -> UInt64 {
        var cursor = ProtobufCursor(range)
        return (try? StoredNumber.read(field.kind, &cursor, in: bytes.span)) ?? 0
    }
}
