/// `portico.v1.Hello`, the data of a SETUP: who the client is. All of it may be absent.
package struct Hello: Equatable, Sendable {
    package var clientID = ""
    package var appVersion = ""
    package var platform = ""
    package var locale = ""
    /// The client reads METADATA_PUSH and wants to know when the server goes away.
    package var acceptsGoAway = false

    package init() {}

    package init(_ range: Range<Int>, in bytes: Span<UInt8>) throws(ProtobufError) {
        var cursor = ProtobufCursor(range)
        while let tag = try cursor.nextTag(in: bytes) {
            switch tag.field {
            case 1: clientID = try cursor.string(tag, in: bytes)
            case 2: appVersion = try cursor.string(tag, in: bytes)
            case 3: platform = try cursor.string(tag, in: bytes)
            case 4: locale = try cursor.string(tag, in: bytes)
            case 5: acceptsGoAway = try cursor.bool(tag, in: bytes)
            default: try cursor.skip(tag.wireType, in: bytes)
            }
        }
    }

    package func encoded() -> [UInt8] {
        var writer = ProtobufWriter()
        for (field, value) in [(1, clientID), (2, appVersion), (3, platform), (4, locale)]
        where !value.isEmpty {
            writer.stringField(field, value)
        }
        if acceptsGoAway { writer.boolField(5, true) }
        return writer.bytes
    }
}

/// `portico.v1.GoAway`, pushed before the server ends a connection: no new calls, please.
package struct GoAway: Equatable, Sendable {
    package var reason = ""
    /// The connection lives on for at most this long.
    package var drainMilliseconds: UInt32 = 0

    package init(reason: String = "", drainMilliseconds: UInt32 = 0) {
        self.reason = reason
        self.drainMilliseconds = drainMilliseconds
    }

    package init(_ range: Range<Int>, in bytes: Span<UInt8>) throws(ProtobufError) {
        var cursor = ProtobufCursor(range)
        while let tag = try cursor.nextTag(in: bytes) {
            switch tag.field {
            case 1: reason = try cursor.string(tag, in: bytes)
            case 2: drainMilliseconds = try cursor.uint32(tag, in: bytes)
            default: try cursor.skip(tag.wireType, in: bytes)
            }
        }
    }

    package func encoded() -> [UInt8] {
        var writer = ProtobufWriter()
        if !reason.isEmpty { writer.stringField(1, reason) }
        if drainMilliseconds != 0 { writer.varintField(2, UInt64(drainMilliseconds)) }
        return writer.bytes
    }
}
