/// `portico.v1.ResponseContext`: where an answer came from. Kept below 256 bytes, more is misread by one client.
package struct ResponseContext: Equatable, Sendable {
    package enum Source: UInt64, Sendable {
        case unspecified = 0
        case hit = 1
        case stale = 2
        case miss = 3
    }
    package var source = Source.unspecified
    package var ageMilliseconds: UInt64 = 0
    /// Items of the upstream's that did not fit the schema.
    package var skippedItems: UInt32 = 0
    /// The answer's content coding; empty: none.
    package var encoding = ""
    package var resumeCursor: [UInt8] = []
    /// Records that name another one which could not be had.
    package var missingJoins: UInt32 = 0

    package init() {}

    package init(_ range: Range<Int>, in bytes: Span<UInt8>) throws(ProtobufError) {
        var cursor = ProtobufCursor(range)
        while let tag = try cursor.nextTag(in: bytes) {
            switch tag.field {
            case 1: source = Source(rawValue: try cursor.uint64(tag, in: bytes)) ?? .unspecified
            case 2: ageMilliseconds = try cursor.uint64(tag, in: bytes)
            case 3: skippedItems = try cursor.uint32(tag, in: bytes)
            case 4: encoding = try cursor.string(tag, in: bytes)
            case 5: resumeCursor = Array(copying: bytes.extracting(try cursor.range(tag, in: bytes)))
            case 8: missingJoins = try cursor.uint32(tag, in: bytes)
            default: try cursor.skip(tag.wireType, in: bytes)
            }
        }
    }

    package func encoded() -> [UInt8] {
        var writer = ProtobufWriter()
        if source != .unspecified { writer.varintField(1, source.rawValue) }
        if ageMilliseconds != 0 { writer.varintField(2, ageMilliseconds) }
        if skippedItems != 0 { writer.varintField(3, UInt64(skippedItems)) }
        if !encoding.isEmpty { writer.stringField(4, encoding) }
        if !resumeCursor.isEmpty { writer.bytesField(5, resumeCursor) }
        if missingJoins != 0 { writer.varintField(8, UInt64(missingJoins)) }
        return writer.bytes
    }
}
