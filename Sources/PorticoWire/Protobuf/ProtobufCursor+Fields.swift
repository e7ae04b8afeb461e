/// Value readers for messages coded by hand: the wire type is checked, the value has its Swift type.
extension ProtobufCursor {
    package mutating func uint64(
        _ tag: ProtobufTag, in bytes: Span<UInt8>
    ) throws(ProtobufError) -> UInt64 {
        guard tag.wireType == .varint else {
            throw .unexpectedWireType(field: tag.field, offset: offset)
        }
        return try varint(in: bytes)
    }

    /// Longer varints keep their low 32 bits, as the protobuf runtimes do.
    package mutating func uint32(
        _ tag: ProtobufTag, in bytes: Span<UInt8>
    ) throws(ProtobufError) -> UInt32 {
        UInt32(truncatingIfNeeded: try uint64(tag, in: bytes))
    }

    package mutating func bool(_ tag: ProtobufTag, in bytes: Span<UInt8>) throws(ProtobufError) -> Bool {
        try uint64(tag, in: bytes) != 0
    }

    /// Of a bytes field or a message.
    package mutating func range(
        _ tag: ProtobufTag, in bytes: Span<UInt8>
    ) throws(ProtobufError) -> Range<Int> {
        guard tag.wireType == .lengthDelimited else {
            throw .unexpectedWireType(field: tag.field, offset: offset)
        }
        return try lengthDelimited(in: bytes)
    }

    package mutating func string(
        _ tag: ProtobufTag, in bytes: Span<UInt8>
    ) throws(ProtobufError) -> String {
        let range = try range(tag, in: bytes)
        guard let text = String(validating: bytes.extracting(range)) else {
            throw .badText(field: tag.field, offset: range.lowerBound)
        }
        return text
    }
}
