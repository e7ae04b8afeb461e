import PorticoWire

/// Looks single fields up in encoded options, which is all that a decoded descriptor set has of them.
struct OptionBytes {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The last value of a varint field; nil when absent or when the bytes are no options.
    func integer(_ field: Int) -> UInt64? {
        var value: UInt64?
        var cursor = ProtobufCursor(0..<bytes.count)
        while let tag = try? cursor.nextTag(in: bytes.span) {
            if tag.field == field, let found = try? cursor.uint64(tag, in: bytes.span) {
                value = found
            } else if tag.field == field || (try? cursor.skip(tag.wireType, in: bytes.span)) == nil {
                break
            }
        }
        return value
    }

    func bool(_ field: Int) -> Bool { integer(field).map { $0 != 0 } ?? false }

    /// The last value of a string field; nil when absent or when the bytes are no options.
    func text(_ field: Int) -> String? {
        var value: String?
        var cursor = ProtobufCursor(0..<bytes.count)
        while let tag = try? cursor.nextTag(in: bytes.span) {
            if tag.field == field, let found = try? cursor.string(tag, in: bytes.span) {
                value = found
            } else if tag.field == field || (try? cursor.skip(tag.wireType, in: bytes.span)) == nil {
                break
            }
        }
        return value
    }

    /// The parts of a message field, joined, which is what merging them means; nil when absent.
    func message(_ field: Int) -> OptionBytes? {
        var parts: [UInt8]?
        var cursor = ProtobufCursor(0..<bytes.count)
        while let tag = try? cursor.nextTag(in: bytes.span) {
            if tag.field == field, let found = try? cursor.range(tag, in: bytes.span) {
                parts = (parts ?? []) + bytes[found]
            } else if tag.field == field || (try? cursor.skip(tag.wireType, in: bytes.span)) == nil {
                break
            }
        }
        return parts.map { OptionBytes($0) }
    }
}
