package import PorticoSchema
package import PorticoWire

/// The request field that chooses a page, read and set in canonical requests (fields in the order of their numbers).
package struct PageField: Sendable {
    private let number: Int
    private let type: FieldType

    /// Nil: `message` has no such field.
    package init?(_ name: String, in message: MessageDescriptor) {
        guard let field = message.field(named: name) else { return nil }
        number = field.number
        type = field.type
    }

    /// Counted from 1; unset is the first.
    package func page(of request: [UInt8]) throws(ProtobufError) -> Int {
        let bytes = request.span
        var cursor = ProtobufCursor(0..<bytes.count)
        while let tag = try cursor.nextTag(in: bytes) {
            guard tag.field == number else {
                try cursor.skip(tag.wireType, in: bytes)
                continue
            }
            switch tag.wireType {
            case .varint:
                let raw = try cursor.varint(in: bytes)
                return Int(truncatingIfNeeded: isZigZag ? ZigZag.decode(raw) : Int64(bitPattern: raw))
            case .fixed32: return Int(Int32(bitPattern: try cursor.fixed32(in: bytes)))
            case .fixed64: return Int(Int64(bitPattern: try cursor.fixed64(in: bytes)))
            case .lengthDelimited: throw .unexpectedWireType(field: number, offset: cursor.offset)
            }
        }
        return 1
    }

    /// The request for another page of the same list; nil: for the list itself, without a page.
    package func setting(_ page: Int?, in request: [UInt8]) throws(ProtobufError) -> [UInt8] {
        let bytes = request.span
        var cursor = ProtobufCursor(0..<bytes.count)
        var writer = ProtobufWriter()
        var isSet = page == nil
        var start = 0
        while let tag = try cursor.nextTag(in: bytes) {
            if tag.field > number, !isSet {
                write(page, to: &writer)
                isSet = true
            }
            try cursor.skip(tag.wireType, in: bytes)
            if tag.field != number { writer.bytes.append(copying: bytes.extracting(start..<cursor.offset)) }
            start = cursor.offset
        }
        if !isSet { write(page, to: &writer) }
        return writer.bytes
    }

    private var isZigZag: Bool { type == .sint32 || type == .sint64 }

    private func write(_ page: Int?, to writer: inout ProtobufWriter) {
        guard let page else { return }
        let value = Int64(page)
        switch type {
        case .fixed32, .sfixed32: writer.fixed32Field(number, UInt32(truncatingIfNeeded: value))
        case .fixed64, .sfixed64: writer.fixed64Field(number, UInt64(bitPattern: value))
        case .sint32, .sint64: writer.varintField(number, ZigZag.encode(value))
        case .int32, .int64, .uint32, .uint64: writer.varintField(number, UInt64(bitPattern: value))
        case .double, .float, .bool, .string, .bytes, .message, .enumeration:
            preconditionFailure("paging fields are integers, or the schema is not linked")
        }
    }
}
