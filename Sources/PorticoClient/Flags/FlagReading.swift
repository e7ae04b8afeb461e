import PorticoWire

extension PorticoClient {
    /// The flags of these names, evaluated by the server for what this client said of itself when it connected.
    ///
    /// - Parameter names: none: all that the server's environment defines.
    /// - Throws: ``PorticoClientError``; the flags are unknown then, ``Flags/init()``.
    public func flags(_ names: String...) async throws -> Flags {
        var writer = ProtobufWriter()
        for name in names { writer.stringField(1, name) }
        let reply = try await call("portico.v1.Control/GetFlags", request: writer.bytes)
        do {
            return Flags(try Flag.read(flags: reply.message))
        } catch {
            throw PorticoClientError.protocolViolation(
                "the flags are not a protobuf message (byte \(error.offset))")
        }
    }
}

extension Flag {
    /// - Parameter message: `portico.v1.Flags`, whose field 1 is a `portico.v1.Flag` each time.
    static func read(flags message: [UInt8]) throws(ProtobufError) -> [Flag] {
        var flags: [Flag] = []
        var cursor = ProtobufCursor(message.indices)
        while let tag = try cursor.nextTag(in: message.span) {
            switch tag.field {
            case 1: flags.append(try read(message, in: try cursor.range(tag, in: message.span)))
            default: try cursor.skip(tag.wireType, in: message.span)
            }
        }
        return flags
    }

    private static func read(_ message: [UInt8], in range: Range<Int>) throws(ProtobufError) -> Flag {
        var (name, variant, reason) = ("", "", "")
        var value: Value?
        let bytes = message.span
        var cursor = ProtobufCursor(range)
        while let tag = try cursor.nextTag(in: bytes) {
            switch (tag.field, tag.wireType) {
            case (1, .lengthDelimited): name = try cursor.string(tag, in: bytes)
            case (2, .varint): value = .bool(try cursor.varint(in: bytes) != 0)
            case (3, .lengthDelimited): value = .string(try cursor.string(tag, in: bytes))
            case (4, .fixed64): value = .number(Double(bitPattern: try cursor.fixed64(in: bytes)))
            case (5, .lengthDelimited): value = .json(try cursor.string(tag, in: bytes))
            case (6, .lengthDelimited): variant = try cursor.string(tag, in: bytes)
            case (7, .lengthDelimited): reason = try cursor.string(tag, in: bytes)
            default: try cursor.skip(tag.wireType, in: bytes)
            }
        }
        return Flag(name: name, value: value, variant: variant, reason: reason)
    }
}
