/// Appends frames, each behind its length prefix, to bytes that are on their way to a socket.
///
/// Large content need not be copied among them: where the writer may lend, it goes out from where it lies.
package struct FrameWriter: Sendable {
    /// Without what is lent.
    package var bytes: [UInt8]
    /// In the order in which it goes out.
    package private(set) var lent: [LentContent] = []
    private var lentBytes = 0
    private let smallestLentBytes: Int

    /// - Parameter smallestLentBytes: content of a message is lent from this length on.
    package init(_ bytes: [UInt8] = [], smallestLentBytes: Int = .max) {
        self.bytes = bytes
        self.smallestLentBytes = smallestLentBytes
    }

    /// All that is to go out, in bytes.
    package var count: Int { bytes.count + lentBytes }

    /// The largest length that 24 bits hold; every frame must stay below.
    package static let maximumFrameBytes = 0xff_ffff
    private static let prefixBytes = 3
    /// RSocket 1.0.
    private static let (majorVersion, minorVersion) = (UInt64(1), UInt64(0))

    // MARK: Frames about the connection

    /// - Parameters:
    ///   - metadataMIME: at most 255 ASCII characters, as is `dataMIME`.
    package mutating func setup(
        keepaliveMilliseconds: UInt32, lifetimeMilliseconds: UInt32, metadataMIME: String, dataMIME: String,
        metadata: [UInt8]?, data: [UInt8]
    ) {
        frame(.setup, metadata == nil ? [] : .metadata, on: 0) { writer in
            writer.integer(Self.majorVersion, width: 2)
            writer.integer(Self.minorVersion, width: 2)
            writer.integer(UInt64(keepaliveMilliseconds), width: 4)
            writer.integer(UInt64(lifetimeMilliseconds), width: 4)
            for mime in [metadataMIME, dataMIME] {
                writer.integer(UInt64(mime.utf8.count), width: 1)
                writer.bytes.append(contentsOf: mime.utf8)
            }
            writer.content(metadata: metadata, data: data.span)
        }
    }

    /// - Parameter flags: ``FrameFlags/respond`` asks for an answer, none is one.
    package mutating func keepalive(_ flags: FrameFlags, data: Span<UInt8>) {
        integer(UInt64(Frame.headerBytes + 8 + data.count), width: 3)
        header(.keepalive, flags, on: 0)
        integer(0, width: 8)
        bytes.append(copying: data)
    }

    package mutating func metadataPush(_ metadata: [UInt8]) {
        frame(.metadataPush, .metadata, on: 0) { $0.bytes.append(contentsOf: metadata) }
    }

    // MARK: Frames on a stream

    /// - Parameter initialCredits: for the kinds that have credits, more than 0.
    package mutating func request(
        _ kind: RequestKind, on streamID: UInt32, flags: FrameFlags = [], initialCredits: UInt32? = nil,
        metadata: [UInt8]?, data: [UInt8]
    ) {
        let flags = metadata == nil ? flags : flags.union(.metadata)
        frame(kind.frameType, flags, on: streamID) { writer in
            if let initialCredits { writer.integer(UInt64(initialCredits), width: 4) }
            writer.content(metadata: metadata, data: data.span)
        }
    }

    /// - Parameter flags: N, C, F; M is set by there being metadata.
    package mutating func payload(
        on streamID: UInt32, _ flags: FrameFlags, metadata: [UInt8]?, data: Span<UInt8>
    ) {
        payloadHead(on: streamID, flags, metadata: metadata, dataBytes: data.count)
        bytes.append(copying: data)
    }

    /// As ``payload(on:_:metadata:data:)``; part of a message that may be lent.
    package mutating func payload(
        on streamID: UInt32, _ flags: FrameFlags, metadata: [UInt8]?, message: [UInt8], _ part: Range<Int>
    ) {
        guard part.count >= smallestLentBytes else {
            return payload(on: streamID, flags, metadata: metadata, data: message.span.extracting(part))
        }
        payloadHead(on: streamID, flags, metadata: metadata, dataBytes: part.count)
        lent.append(LentContent(place: bytes.count, message: message, part: part))
        lentBytes += part.count
    }

    /// A frame that was encoded before, with its length prefix, on another stream.
    package mutating func copy(_ frame: Span<UInt8>, on streamID: UInt32) {
        let start = bytes.count
        bytes.append(copying: frame)
        var written = bytes.mutableSpan
        for index in 0..<4 {
            written[start + Self.prefixBytes + index] = UInt8(
                truncatingIfNeeded: streamID >> (24 - 8 * index))
        }
    }

    package mutating func requestN(_ credits: UInt32, on streamID: UInt32) {
        frame(.requestN, [], on: streamID) { $0.integer(UInt64(credits), width: 4) }
    }

    package mutating func cancel(_ streamID: UInt32) {
        frame(.cancel, [], on: streamID) { _ in }
    }

    /// On stream 0 it is the last frame: close the connection behind it.
    package mutating func error(_ code: ErrorCode, on streamID: UInt32, _ text: String) {
        frame(.error, [], on: streamID) { writer in
            writer.integer(UInt64(code.rawValue), width: 4)
            writer.bytes.append(contentsOf: text.utf8)
        }
    }

    // MARK: Parts

    private mutating func frame(
        _ type: FrameType, _ flags: FrameFlags, on streamID: UInt32, _ body: (inout FrameWriter) -> Void
    ) {
        let prefixAt = bytes.count
        integer(0, width: 3)
        header(type, flags, on: streamID)
        body(&self)
        let length = bytes.count - prefixAt - Self.prefixBytes
        precondition(length <= Self.maximumFrameBytes, "callers fragment what does not fit into one frame")
        for index in 0..<3 {
            bytes[prefixAt + index] = UInt8(truncatingIfNeeded: length >> (16 - 8 * index))
        }
    }

    private mutating func header(_ type: FrameType, _ flags: FrameFlags, on streamID: UInt32) {
        integer(UInt64(streamID), width: 4)
        integer(UInt64(type.rawValue) << 10 | UInt64(flags.rawValue), width: 2)
    }

    private mutating func payloadHead(
        on streamID: UInt32, _ flags: FrameFlags, metadata: [UInt8]?, dataBytes: Int
    ) {
        let metadataBytes = metadata.map { $0.count + 3 } ?? 0
        integer(UInt64(Frame.headerBytes + metadataBytes + dataBytes), width: 3)
        header(.payload, metadata == nil ? flags : flags.union(.metadata), on: streamID)
        if let metadata { block(metadata) }
    }

    private mutating func content(metadata: [UInt8]?, data: Span<UInt8>) {
        if let metadata { block(metadata) }
        bytes.append(copying: data)
    }

    private mutating func block(_ metadata: [UInt8]) {
        integer(UInt64(metadata.count), width: 3)
        bytes.append(contentsOf: metadata)
    }

    private mutating func integer(_ value: UInt64, width: Int) {
        for index in 0..<width {
            bytes.append(UInt8(truncatingIfNeeded: value >> (8 * (width - 1 - index))))
        }
    }
}

/// Part of a message between a writer's own bytes: not copied, but kept alive until it is sent or joined to them.
package struct LentContent: Sendable {
    /// So many of the writer's own bytes go out before it.
    package let place: Int
    package let message: [UInt8]
    package let part: Range<Int>
}

extension FrameWriter {
    /// Copies what is lent to its place and drops the first `sentBytes` of the whole: nothing is lent any more.
    package mutating func join(droppingFirst sentBytes: Int = 0) {
        guard sentBytes < count else {
            bytes.removeAll(keepingCapacity: true)
            return forgetLent()
        }
        var joined: [UInt8] = []
        joined.reserveCapacity(count - sentBytes)
        var (passed, ownEnd) = (0, 0)
        func add(_ piece: Span<UInt8>) {
            let sent = min(piece.count, max(0, sentBytes - passed))
            joined.append(copying: piece.extracting(droppingFirst: sent))
            passed += piece.count
        }
        for content in lent {
            add(bytes.span.extracting(ownEnd..<content.place))
            add(content.message.span.extracting(content.part))
            ownEnd = content.place
        }
        add(bytes.span.extracting(ownEnd..<bytes.count))
        bytes = joined
        forgetLent()
    }

    private mutating func forgetLent() {
        lent = []
        lentBytes = 0
    }
}
