/// `portico.v1.CallContext`: what a client asks of one call. All of it may be absent.
package struct CallContext: Equatable, Sendable {
    /// 0: the server's own limit counts.
    package var timeoutMilliseconds: UInt32 = 0
    package var idempotencyKey: String?
    /// Content codings the client can undo, such as `deflate`.
    package var acceptEncodings: [String] = []
    /// BCP 47; counts instead of the Hello's. Absent, too, when it is longer than any such tag.
    package var locale: String?
    /// W3C trace context.
    package var traceParent: String?
    /// The answer is to come with a ``ResponseContext``.
    package var wantsResponseContext = false
    /// Of the last answer that an observer saw.
    package var resumeCursor: [UInt8] = []

    /// RFC 5646 section 4.4.1 asks for room for 35 characters.
    private static let longestLocaleBytes = 64

    package init() {}

    /// Unknown fields are passed over, of repeated ones the last counts.
    package init(_ range: Range<Int>, in bytes: Span<UInt8>) throws(ProtobufError) {
        var cursor = ProtobufCursor(range)
        while let tag = try cursor.nextTag(in: bytes) {
            switch tag.field {
            case 1: timeoutMilliseconds = try cursor.uint32(tag, in: bytes)
            case 2: idempotencyKey = try cursor.string(tag, in: bytes)
            case 3: acceptEncodings.append(try cursor.string(tag, in: bytes))
            case 4:
                let text = try cursor.string(tag, in: bytes)
                locale = text.utf8.count <= Self.longestLocaleBytes ? text : nil
            case 5: traceParent = try cursor.string(tag, in: bytes)
            case 6: wantsResponseContext = try cursor.bool(tag, in: bytes)
            case 7: resumeCursor = Array(copying: bytes.extracting(try cursor.range(tag, in: bytes)))
            default: try cursor.skip(tag.wireType, in: bytes)
            }
        }
    }

    /// The client can undo zlib's format, and asked for it.
    package var acceptsDeflate: Bool { acceptEncodings.contains("deflate") }

    /// Made for one call: no other request will have the same bytes.
    package var isOfOneCall: Bool { traceParent != nil || idempotencyKey != nil }

    package func encoded() -> [UInt8] {
        var writer = ProtobufWriter()
        if timeoutMilliseconds != 0 { writer.varintField(1, UInt64(timeoutMilliseconds)) }
        if let idempotencyKey { writer.stringField(2, idempotencyKey) }
        for encoding in acceptEncodings { writer.stringField(3, encoding) }
        if let locale { writer.stringField(4, locale) }
        if let traceParent { writer.stringField(5, traceParent) }
        if wantsResponseContext { writer.boolField(6, true) }
        if !resumeCursor.isEmpty { writer.bytesField(7, resumeCursor) }
        return writer.bytes
    }
}
