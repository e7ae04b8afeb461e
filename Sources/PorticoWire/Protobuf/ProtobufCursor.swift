/// Walks the fields of one encoded message. It stores an offset only; the bytes are lent to each call.
///
/// `08 96 01` is field 1, varint 150: `nextTag` gives (1, varint) and moves to 1, `varint` gives 150 and moves to 3,
/// the next `nextTag` gives nil. After a tag exactly one of the value readers or ``skip(_:in:)`` must be called.
package struct ProtobufCursor: Sendable {
    /// Of the next byte to read.
    package var offset: Int
    /// One past the message's last byte.
    package let end: Int

    /// - Parameter range: the message's place in the span that every call is given.
    package init(_ range: Range<Int>) {
        offset = range.lowerBound
        end = range.upperBound
    }

    /// Nil: the message is at its end.
    package mutating func nextTag(in bytes: Span<UInt8>) throws(ProtobufError) -> ProtobufTag? {
        guard offset < end else { return nil }
        let start = offset
        let raw = try varint(in: bytes)
        guard raw >> 3 >= 1, raw >> 3 <= UInt64(ProtobufTag.maximumField) else {
            throw .badFieldNumber(offset: start)
        }
        guard let wireType = WireType(rawValue: UInt8(raw & 7)) else {
            throw .badWireType(UInt8(raw & 7), offset: start)
        }
        return ProtobufTag(field: Int(raw >> 3), wireType: wireType)
    }

    package mutating func varint(in bytes: Span<UInt8>) throws(ProtobufError) -> UInt64 {
        let start = offset
        guard start < end else { throw .truncated(offset: start) }
        let first = bytes[start]
        if first < 0x80 {
            offset = start + 1
            return UInt64(first)
        }
        return try longVarint(in: bytes, from: start)
    }

    private mutating func longVarint(
        in bytes: Span<UInt8>, from start: Int
    ) throws(ProtobufError) -> UInt64 {
        var value: UInt64 = 0
        var position = start
        var shift: UInt64 = 0
        while position < end {
            let byte = bytes[position]
            position += 1
            // The tenth byte holds bit 63 alone.
            if shift == 63, byte > 1 { throw .varintTooLong(offset: start) }
            value |= UInt64(byte & 0x7f) << shift
            if byte < 0x80 {
                offset = position
                return value
            }
            shift += 7
        }
        throw .truncated(offset: start)
    }

    package mutating func fixed32(in bytes: Span<UInt8>) throws(ProtobufError) -> UInt32 {
        UInt32(truncatingIfNeeded: try littleEndian(width: 4, in: bytes))
    }

    package mutating func fixed64(in bytes: Span<UInt8>) throws(ProtobufError) -> UInt64 {
        try littleEndian(width: 8, in: bytes)
    }

    private mutating func littleEndian(
        width: Int, in bytes: Span<UInt8>
    ) throws(ProtobufError) -> UInt64 {
        guard end - offset >= width else { throw .truncated(offset: offset) }
        var value: UInt64 = 0
        for index in (offset..<offset + width).reversed() { value = value << 8 | UInt64(bytes[index]) }
        offset += width
        return value
    }

    /// Where a string's, a bytes field's or a message's own bytes lie.
    package mutating func lengthDelimited(in bytes: Span<UInt8>) throws(ProtobufError) -> Range<Int> {
        let start = offset
        let declared = try varint(in: bytes)
        guard declared <= UInt64(end - offset) else {
            throw .badLength(declared: declared, left: end - offset, offset: start)
        }
        let range = offset..<offset + Int(declared)
        offset = range.upperBound
        return range
    }

    /// Passes over a value of any kind.
    /// - Returns: where its bytes lie; of a delimited one those behind its length.
    package mutating func content(
        of wireType: WireType, in bytes: Span<UInt8>
    ) throws(ProtobufError) -> Range<Int> {
        if wireType == .lengthDelimited { return try lengthDelimited(in: bytes) }
        let start = offset
        try skip(wireType, in: bytes)
        return start..<offset
    }

    /// Passes over the value of a field that the reader does not know.
    package mutating func skip(_ wireType: WireType, in bytes: Span<UInt8>) throws(ProtobufError) {
        switch wireType {
        case .varint: _ = try varint(in: bytes)
        case .fixed64: _ = try littleEndian(width: 8, in: bytes)
        case .lengthDelimited: _ = try lengthDelimited(in: bytes)
        case .fixed32: _ = try littleEndian(width: 4, in: bytes)
        }
    }
}
