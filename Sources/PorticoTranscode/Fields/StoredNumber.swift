import PorticoWire

// Numbers, bools and enums as protobuf stores them. A parser accepts more than a writer makes: a `bool` of 2 is true, an
// `int32` of 2³²+5 is 5. What is read is brought to the bits that a writer would have made, so that equal values are
// equal bytes.
enum StoredNumber {
    /// Reads one value of a field of `kind`, which is no string, bytes field or message.
    static func read(
        _ kind: ValueKind, _ cursor: inout ProtobufCursor, in bytes: Span<UInt8>
    ) throws(TranscodeError) -> UInt64 {
        do throws(ProtobufError) {
            switch kind.wireType {
            case .fixed32: return UInt64(try cursor.fixed32(in: bytes))
            case .fixed64: return try cursor.fixed64(in: bytes)
            case .varint, .lengthDelimited: return canonical(try cursor.varint(in: bytes), as: kind)
            }
        } catch { throw TranscodeError(error) }
    }

    private static func canonical(_ bits: UInt64, as kind: ValueKind) -> UInt64 {
        switch kind {
        case .int32, .enumeration: UInt64(bitPattern: Int64(Int32(truncatingIfNeeded: bits)))
        case .uint32, .sint32: bits & 0xffff_ffff
        case .bool: bits == 0 ? 0 : 1
        default: bits
        }
    }

    static func write(_ bits: UInt64, as kind: ValueKind, to writer: inout ProtobufWriter) {
        switch kind.wireType {
        case .varint, .lengthDelimited: writer.varint(bits)
        case .fixed32, .fixed64:
            let width = kind.wireType == .fixed32 ? 4 : 8
            for index in 0..<width {
                writer.bytes.append(UInt8(truncatingIfNeeded: bits >> UInt64(8 * index)))
            }
        }
    }

    /// The value of a signed integer type.
    static func signed(_ bits: UInt64, as kind: ValueKind) -> Int64 {
        switch kind {
        case .sint32, .sint64: ZigZag.decode(bits)
        case .sfixed32: Int64(Int32(truncatingIfNeeded: bits))
        default: Int64(bitPattern: bits)
        }
    }

    /// True when map key `left` goes before `right`.
    static func precedes(_ left: UInt64, _ right: UInt64, as kind: ValueKind) -> Bool {
        switch kind {
        case .int32, .int64, .sint32, .sint64, .sfixed32, .sfixed64:
            signed(left, as: kind) < signed(right, as: kind)
        default: left < right
        }
    }
}

extension Span where Element == UInt8 {
    /// True when the bytes of `left` go before those of `right`, which is Unicode scalar order for UTF-8.
    func precedes(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
        for index in 0..<Swift.min(left.count, right.count) {
            let (a, b) = (self[left.lowerBound + index], self[right.lowerBound + index])
            if a != b { return a < b }
        }
        return left.count < right.count
    }

    /// - Throws: when the range is not UTF-8.
    func checkUTF8(_ range: Range<Int>) throws(TranscodeError) {
        guard let offset = JSONText.firstInvalidUTF8(in: range, of: self) else { return }
        throw .malformedProtobuf(.invalidUTF8, offset: offset)
    }
}
