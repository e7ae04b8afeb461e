/// Bytes on the wire that are not what the protocol says. Offsets count from the start of the frame or metadata.
package enum WireError: Error, Equatable, Sendable {
    /// A length prefix above the limit; nothing of the frame was kept.
    case frameTooLong(declared: Int, limit: Int)
    /// The frame ends inside its fixed part, its metadata or its MIME types.
    case frameTruncated(type: UInt8, length: Int)
    /// A type that this protocol version does not have, without the flag that says to ignore it.
    case unknownFrameType(UInt8)
    /// The reserved bit before the stream id is set.
    case badStreamID
    /// Zero where the protocol wants more: initial N, N.
    case zeroCredits
    /// A MIME type that is not ASCII text.
    case badMIMEType
    /// Composite metadata whose item ends behind the end.
    case metadataTruncated(offset: Int)
    /// A routing or authentication item that does not follow its own layout.
    case badMetadataItem(offset: Int)

    /// One sentence without a full stop, for an ERROR frame.
    package var reason: String {
        switch self {
        case .frameTooLong(let declared, let limit):
            "a frame of \(declared) bytes is over the limit of \(limit)"
        case .frameTruncated(let type, let length):
            "a frame of type 0x\(String(type, radix: 16)) cannot be \(length) bytes long"
        case .unknownFrameType(let type): "frame type 0x\(String(type, radix: 16)) is not known here"
        case .badStreamID: "the reserved bit before the stream id is set"
        case .zeroCredits: "a request for 0 items"
        case .badMIMEType: "a MIME type is not ASCII text"
        case .metadataTruncated(let offset): "the metadata item at byte \(offset) is cut short"
        case .badMetadataItem(let offset): "the metadata item at byte \(offset) is malformed"
        }
    }
}
