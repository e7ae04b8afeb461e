/// One frame, read in place: every range points into the span that ``init(_:)`` was given, without length prefix.
package struct Frame: Equatable, Sendable {
    /// 0 is the connection; a client's streams are odd.
    package let streamID: UInt32
    package let flags: FrameFlags
    package let body: Body

    package enum Body: Equatable, Sendable {
        case setup(SetupFrame)
        case lease(timeToLiveMilliseconds: UInt32, requests: UInt32)
        case keepalive(position: UInt64, data: Range<Int>)
        /// - Parameter initialCredits: nil for the kinds that have none.
        case request(RequestKind, initialCredits: UInt32?, Payload)
        case requestN(UInt32)
        case cancel
        case payload(Payload)
        /// - Parameter code: an ``ErrorCode``, or one that is not known here.
        case error(code: UInt32, text: Range<Int>)
        case metadataPush(Range<Int>)
        case resume
        case resumeOK(position: UInt64)
        /// EXT, or a type that is not known, with the flag that says to ignore it.
        case ignored
    }
}

/// Metadata, perhaps, and data, perhaps empty: ranges into the frame they came in.
package struct Payload: Equatable, Sendable {
    package var metadata: Range<Int>?
    package var data: Range<Int>

    package init(metadata: Range<Int>? = nil, data: Range<Int>) {
        self.metadata = metadata
        self.data = data
    }

    package var byteCount: Int { data.count + (metadata?.count ?? 0) }
}

/// How a method is called; Schemas/README.md says what each means.
package enum RequestKind: UInt8, Sendable, CaseIterable {
    case response = 0x04
    case fireAndForget = 0x05
    case stream = 0x06
    case channel = 0x07

    package var frameType: FrameType {
        switch self {
        case .response: .requestResponse
        case .fireAndForget: .requestFireAndForget
        case .stream: .requestStream
        case .channel: .requestChannel
        }
    }
}

/// What a client says first.
package struct SetupFrame: Equatable, Sendable {
    package var major: UInt16
    package var minor: UInt16
    package var keepaliveMilliseconds: UInt32
    /// Silence after which the other side may be taken for dead.
    package var lifetimeMilliseconds: UInt32
    package var metadataMIME: Range<Int>
    package var dataMIME: Range<Int>
    package var payload: Payload

    package init(
        major: UInt16, minor: UInt16, keepaliveMilliseconds: UInt32, lifetimeMilliseconds: UInt32,
        metadataMIME: Range<Int>, dataMIME: Range<Int>, payload: Payload
    ) {
        self.major = major
        self.minor = minor
        self.keepaliveMilliseconds = keepaliveMilliseconds
        self.lifetimeMilliseconds = lifetimeMilliseconds
        self.metadataMIME = metadataMIME
        self.dataMIME = dataMIME
        self.payload = payload
    }
}
