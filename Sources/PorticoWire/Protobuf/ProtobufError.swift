/// Bytes that are not a protobuf message. Offsets count from the start of the span that was read.
package enum ProtobufError: Error, Equatable, Sendable {
    /// The message ends inside a value that begins at `offset`.
    case truncated(offset: Int)
    /// A varint of more than ten bytes, or of more than 64 bits.
    case varintTooLong(offset: Int)
    /// Field number 0, or one above 2^29-1.
    case badFieldNumber(offset: Int)
    /// Wire types 3 and 4 are proto2 groups, 6 and 7 mean nothing.
    case badWireType(UInt8, offset: Int)
    /// A length-delimited value says it is longer than what is left.
    case badLength(declared: UInt64, left: Int, offset: Int)
    /// A known field came with another wire type than its own.
    case unexpectedWireType(field: Int, offset: Int)
    /// A string that is not UTF-8.
    case badText(field: Int, offset: Int)

    package var offset: Int {
        switch self {
        case .truncated(let offset), .varintTooLong(let offset), .badFieldNumber(let offset),
            .badWireType(_, let offset), .badLength(_, _, let offset), .unexpectedWireType(_, let offset),
            .badText(_, let offset):
            offset
        }
    }
}
