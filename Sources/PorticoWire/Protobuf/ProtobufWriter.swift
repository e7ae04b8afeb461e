/// Writes one message, field by field, in the order of the calls. It writes what it is told, zeros too: leaving out
/// proto3's defaults is the caller's choice.
package struct ProtobufWriter: Sendable {
    package var bytes: [UInt8]

    package init(_ bytes: [UInt8] = []) { self.bytes = bytes }

    package mutating func varint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// - Parameter field: 1 to 2^29-1.
    package mutating func tag(_ field: Int, _ wireType: WireType) {
        precondition(
            1...ProtobufTag.maximumField ~= field, "field numbers come from a schema, never from a peer")
        varint(UInt64(field) << 3 | UInt64(wireType.rawValue))
    }

    package mutating func varintField(_ field: Int, _ value: UInt64) {
        tag(field, .varint)
        varint(value)
    }

    package mutating func boolField(_ field: Int, _ value: Bool) {
        varintField(field, value ? 1 : 0)
    }

    package mutating func fixed32Field(_ field: Int, _ value: UInt32) {
        tag(field, .fixed32)
        for shift in stride(from: 0, to: 32, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }

    package mutating func fixed64Field(_ field: Int, _ value: UInt64) {
        tag(field, .fixed64)
        for shift in stride(from: 0, to: 64, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }

    package mutating func doubleField(_ field: Int, _ value: Double) {
        fixed64Field(field, value.bitPattern)
    }

    package mutating func bytesField(_ field: Int, _ value: Span<UInt8>) {
        tag(field, .lengthDelimited)
        varint(UInt64(value.count))
        bytes.append(copying: value)
    }

    package mutating func bytesField(_ field: Int, _ value: [UInt8]) {
        bytesField(field, value.span)
    }

    package mutating func stringField(_ field: Int, _ value: String) {
        bytesField(field, value.utf8.span)
    }

    /// A nested message. Its length is known only afterwards: the content is written, then moved behind its length
    /// (one byte is set aside, which is right for content below 128 bytes).
    package mutating func messageField(_ field: Int, _ content: (inout ProtobufWriter) -> Void) {
        tag(field, .lengthDelimited)
        let lengthAt = bytes.count
        bytes.append(0)
        content(&self)
        var length = UInt64(bytes.count - lengthAt - 1)
        guard length >= 0x80 else {
            bytes[lengthAt] = UInt8(length)
            return
        }
        bytes[lengthAt] = UInt8(truncatingIfNeeded: length) | 0x80
        length >>= 7
        var rest = ProtobufWriter()
        rest.varint(length)
        bytes.insert(contentsOf: rest.bytes, at: lengthAt + 1)
    }
}
