/// The frame types of RSocket 1.0 (protocol text, "Frame Types").
package enum FrameType: UInt8, Sendable, CaseIterable {
    case setup = 0x01
    case lease = 0x02
    case keepalive = 0x03
    case requestResponse = 0x04
    case requestFireAndForget = 0x05
    case requestStream = 0x06
    case requestChannel = 0x07
    case requestN = 0x08
    case cancel = 0x09
    case payload = 0x0a
    case error = 0x0b
    case metadataPush = 0x0c
    case resume = 0x0d
    case resumeOK = 0x0e
    case `extension` = 0x3f
}

/// The ten bits after the frame type. Some mean different things on different types.
package struct FrameFlags: OptionSet, Sendable {
    package let rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// I: ignore the frame if its type is not known.
    package static let ignore = FrameFlags(rawValue: 0x200)
    /// M: metadata present.
    package static let metadata = FrameFlags(rawValue: 0x100)
    /// F: more fragments follow.
    package static let follows = FrameFlags(rawValue: 0x080)
    /// R in KEEPALIVE: answer with the same data.
    package static let respond = FrameFlags(rawValue: 0x080)
    /// R in SETUP: a resume token is present.
    package static let resume = FrameFlags(rawValue: 0x080)
    /// C: the stream is complete.
    package static let complete = FrameFlags(rawValue: 0x040)
    /// L in SETUP: leases are honoured.
    package static let lease = FrameFlags(rawValue: 0x040)
    /// N: an item is present.
    package static let next = FrameFlags(rawValue: 0x020)
}

/// Codes of ERROR frames (protocol text, "Error Codes"). Codes of 0x301 and above hang one client: never sent.
package enum ErrorCode: UInt32, Sendable, CaseIterable {
    // On stream 0; the connection ends.
    case invalidSetup = 0x001
    case unsupportedSetup = 0x002
    case rejectedSetup = 0x003
    case rejectedResume = 0x004
    case connectionError = 0x101
    case connectionClose = 0x102
    // On a stream; it ends.
    case applicationError = 0x201
    /// Surely not processed: safe to retry.
    case rejected = 0x202
    case canceled = 0x203
    case invalid = 0x204
}
