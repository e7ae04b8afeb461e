/// Reads one frame without its length prefix.
///
/// `00000001 1100 000002 6d64 64`: stream 1; 0x1100 is type 0x04 (REQUEST_RESPONSE) << 10 | 0x100 (M); three bytes
/// say that 2 bytes of metadata follow, "md"; the rest, "d", is data.
extension Frame {
    package static let headerBytes = 6

    package init(_ bytes: Span<UInt8>) throws(WireError) {
        guard bytes.count >= Self.headerBytes else {
            throw .frameTruncated(type: 0, length: bytes.count)
        }
        guard bytes[0] < 0x80 else { throw .badStreamID }
        streamID = UInt32(bytes.bigEndian(at: 0, width: 4))
        let rawType = bytes[4] >> 2
        flags = FrameFlags(rawValue: UInt16(bytes.bigEndian(at: 4, width: 2)) & 0x3ff)
        guard let type = FrameType(rawValue: rawType) else {
            guard flags.contains(.ignore) else { throw .unknownFrameType(rawType) }
            body = .ignored
            return
        }
        var reader = FrameReader(type: type, flags: flags)
        body = try reader.body(of: bytes)
    }
}

extension Frame {
    /// The stream of a REQUEST_RESPONSE with metadata that came in one frame; nil for all other bytes.
    ///
    /// For whoever knows such a frame again without reading it: 0x11 is type 0x04 << 2 | M, and F is not set.
    package static func plainRequest(_ bytes: Span<UInt8>) -> UInt32? {
        guard bytes.count > headerBytes, bytes[4] == 0x11, bytes[5] & 0x80 == 0, bytes[0] < 0x80 else {
            return nil
        }
        return UInt32(bytes.bigEndian(at: 0, width: 4))
    }
}

/// The walk over one frame's body.
private struct FrameReader {
    let type: FrameType
    let flags: FrameFlags
    var offset = Frame.headerBytes

    mutating func body(of bytes: Span<UInt8>) throws(WireError) -> Frame.Body {
        switch type {
        case .setup: return .setup(try setup(bytes))
        case .lease:
            return .lease(timeToLiveMilliseconds: try uint32(bytes), requests: try uint32(bytes))
        case .keepalive:
            return .keepalive(position: try integer(bytes, width: 8), data: offset..<bytes.count)
        case .requestResponse: return .request(.response, initialCredits: nil, try payload(bytes))
        case .requestFireAndForget:
            return .request(.fireAndForget, initialCredits: nil, try payload(bytes))
        case .requestStream:
            return .request(.stream, initialCredits: try uint32(bytes), try payload(bytes))
        case .requestChannel:
            return .request(.channel, initialCredits: try uint32(bytes), try payload(bytes))
        case .requestN: return .requestN(try uint32(bytes))
        case .cancel: return .cancel
        case .payload: return .payload(try payload(bytes))
        case .error: return .error(code: try uint32(bytes), text: offset..<bytes.count)
        case .metadataPush: return .metadataPush(offset..<bytes.count)
        case .resume: return .resume
        case .resumeOK: return .resumeOK(position: try integer(bytes, width: 8))
        case .extension:
            guard flags.contains(.ignore) else { throw .unknownFrameType(type.rawValue) }
            return .ignored
        }
    }

    private mutating func setup(_ bytes: Span<UInt8>) throws(WireError) -> SetupFrame {
        let major = UInt16(try integer(bytes, width: 2))
        let minor = UInt16(try integer(bytes, width: 2))
        let keepalive = try uint32(bytes)
        let lifetime = try uint32(bytes)
        if flags.contains(.resume) {
            _ = try range(bytes, count: Int(try integer(bytes, width: 2)))
        }
        let metadataMIME = try mimeType(bytes)
        let dataMIME = try mimeType(bytes)
        return SetupFrame(
            major: major, minor: minor, keepaliveMilliseconds: keepalive, lifetimeMilliseconds: lifetime,
            metadataMIME: metadataMIME, dataMIME: dataMIME, payload: try payload(bytes))
    }

    private mutating func mimeType(_ bytes: Span<UInt8>) throws(WireError) -> Range<Int> {
        let range = try range(bytes, count: Int(try integer(bytes, width: 1)))
        for index in range where !(0x20..<0x7f).contains(bytes[index]) { throw .badMIMEType }
        return range
    }

    private mutating func payload(_ bytes: Span<UInt8>) throws(WireError) -> Payload {
        guard flags.contains(.metadata) else { return Payload(data: offset..<bytes.count) }
        let metadata = try range(bytes, count: Int(try integer(bytes, width: 3)))
        return Payload(metadata: metadata, data: offset..<bytes.count)
    }

    private mutating func uint32(_ bytes: Span<UInt8>) throws(WireError) -> UInt32 {
        UInt32(try integer(bytes, width: 4))
    }

    private mutating func integer(_ bytes: Span<UInt8>, width: Int) throws(WireError) -> UInt64 {
        bytes.bigEndian(at: try range(bytes, count: width).lowerBound, width: width)
    }

    private mutating func range(_ bytes: Span<UInt8>, count: Int) throws(WireError) -> Range<Int> {
        guard bytes.count - offset >= count else {
            throw .frameTruncated(type: type.rawValue, length: bytes.count)
        }
        defer { offset += count }
        return offset..<offset + count
    }
}
