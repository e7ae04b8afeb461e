/// How a field's value is laid out (protobuf.dev, "Encoding"). Groups (3 and 4) are proto2's and are refused.
package enum WireType: UInt8, Sendable {
    case varint = 0
    case fixed64 = 1
    case lengthDelimited = 2
    case fixed32 = 5
}

/// What stands before each value: `field << 3 | wireType`, as a varint.
package struct ProtobufTag: Equatable, Sendable {
    /// 1 to 2^29-1 (536 870 911).
    package static let maximumField = (1 << 29) - 1

    package let field: Int
    package let wireType: WireType

    package init(field: Int, wireType: WireType) {
        self.field = field
        self.wireType = wireType
    }
}

/// Signed numbers with small magnitudes as small varints: 0, -1, 1, -2 are 0, 1, 2, 3 (`sint32`, `sint64`).
package enum ZigZag {
    package static func encode(_ value: Int64) -> UInt64 {
        UInt64(bitPattern: (value << 1) ^ (value >> 63))
    }

    package static func decode(_ value: UInt64) -> Int64 {
        Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }
}
