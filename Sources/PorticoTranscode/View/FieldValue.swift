import PorticoSchema
import PorticoWire

extension FieldType {
    /// How one value of the type is laid out.
    var wireType: WireType {
        switch self {
        case .int32, .int64, .uint32, .uint64, .sint32, .sint64, .bool, .enumeration: .varint
        case .double, .fixed64, .sfixed64: .fixed64
        case .float, .fixed32, .sfixed32: .fixed32
        case .string, .bytes, .message: .lengthDelimited
        }
    }
}

extension ProtobufCursor {
    /// Reads the value of a field whose wire type has been checked into its column.
    mutating func read(
        _ type: FieldType, in bytes: Span<UInt8>, into builder: inout ColumnBuilder
    ) throws(ProtobufError) {
        switch type.wireType {
        case .lengthDelimited:
            builder.set(text: ByteRange(try lengthDelimited(in: bytes)), in: bytes)
        case .varint:
            builder.set(rank: type.rank(varint: try varint(in: bytes)))
        case .fixed64:
            builder.set(rank: type.rank(fixed64: try fixed64(in: bytes)))
        case .fixed32:
            builder.set(rank: type.rank(fixed32: try fixed32(in: bytes)))
        }
    }
}

extension FieldType {
    /// 32-bit types take the low 32 bits of a longer varint, as every protobuf reader does.
    fileprivate func rank(varint raw: UInt64) -> UInt64 {
        switch self {
        case .int32, .enumeration: NumberKind.rank(signed: Int64(Int32(truncatingIfNeeded: raw)))
        case .int64: NumberKind.rank(signed: Int64(bitPattern: raw))
        case .sint32: NumberKind.rank(signed: ZigZag.decode(UInt64(UInt32(truncatingIfNeeded: raw))))
        case .sint64: NumberKind.rank(signed: ZigZag.decode(raw))
        case .uint32: UInt64(UInt32(truncatingIfNeeded: raw))
        case .uint64: raw
        case .bool: raw == 0 ? 0 : 1
        case .double, .fixed64, .sfixed64, .float, .fixed32, .sfixed32, .string, .bytes, .message:
            preconditionFailure("not a varint type: a bug in the wire type table, never bad input")
        }
    }

    fileprivate func rank(fixed64 raw: UInt64) -> UInt64 {
        switch self {
        case .fixed64: raw
        case .sfixed64: NumberKind.rank(signed: Int64(bitPattern: raw))
        case .double: NumberKind.rank(real: Double(bitPattern: raw))
        case .int32, .int64, .uint32, .uint64, .sint32, .sint64, .bool, .enumeration, .float, .fixed32,
            .sfixed32, .string, .bytes, .message:
            preconditionFailure("not a 64-bit type: a bug in the wire type table, never bad input")
        }
    }

    fileprivate func rank(fixed32 raw: UInt32) -> UInt64 {
        switch self {
        case .fixed32: UInt64(raw)
        case .sfixed32: NumberKind.rank(signed: Int64(Int32(bitPattern: raw)))
        case .float: NumberKind.rank(real: Double(Float(bitPattern: raw)))
        case .int32, .int64, .uint32, .uint64, .sint32, .sint64, .bool, .enumeration, .double, .fixed64,
            .sfixed64, .string, .bytes, .message:
            preconditionFailure("not a 32-bit type: a bug in the wire type table, never bad input")
        }
    }
}

/// Writes a rank back as a field of the type it was read from.
extension ProtobufWriter {
    mutating func rankField(_ number: Int, _ type: FieldType, rank: UInt64) {
        switch type {
        case .int32, .int64, .enumeration:
            varintField(number, UInt64(bitPattern: NumberKind.signed(rank)))
        case .sint32, .sint64:
            varintField(number, ZigZag.encode(NumberKind.signed(rank)))
        case .uint32, .uint64, .bool:
            varintField(number, rank)
        case .fixed64:
            fixed64Field(number, rank)
        case .sfixed64:
            fixed64Field(number, UInt64(bitPattern: NumberKind.signed(rank)))
        case .double:
            doubleField(number, NumberKind.real(rank))
        case .fixed32:
            fixed32Field(number, UInt32(truncatingIfNeeded: rank))
        case .sfixed32:
            fixed32Field(number, UInt32(truncatingIfNeeded: NumberKind.signed(rank)))
        case .float:
            fixed32Field(number, Float(NumberKind.real(rank)).bitPattern)
        case .string, .bytes, .message:
            preconditionFailure("texts have no rank: a bug in the view's compiler, never bad input")
        }
    }
}
