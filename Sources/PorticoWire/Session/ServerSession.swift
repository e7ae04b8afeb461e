/// The server's end of one RSocket connection: frames and events in, actions out. No socket, no clock, no dice.
///
/// What it has to say to the peer it writes into the output it is lent; what its owner must do it returns. Small
/// answers are written at once, large ones wait inside and are written by ``fill(_:)``, as room comes up.
package struct ServerSession: ~Copyable, Sendable {
    package enum Action: Equatable, Sendable {
        case none
        /// A good SETUP: look at its metadata and data, ``end(_:_:into:)`` the session or go on.
        case accept(SetupFrame)
        /// A request that came in one frame: its payload lies in the frame just given.
        case serve(UInt32, RequestKind, Payload)
        /// A request that was put together from fragments.
        case serveJoined(UInt32, RequestKind, Reassembly)
        /// The client does not want this answer any more.
        case abandon(UInt32)
        /// Write what is in the output, then close the connection.
        case close
    }

    enum Phase: Sendable { case awaitingSetup(deadline: Instant), open(Keepalive), closed }

    /// A request whose answer is not wholly written.
    struct Stream: Sendable {
        let kind: RequestKind
        /// Items the client still wants; meaningless for request/response.
        var credits: Int
        /// Nothing more will come from the server's side.
        var isAnswered = false
        /// The newest item, while there is no credit for it.
        var waiting: (metadata: [UInt8]?, message: [UInt8], ending: OutgoingAnswers.Ending)?
    }

    struct Assembly: Sendable {
        let kind: RequestKind
        var credits: Int
        let deadline: Instant
        var parts = Reassembly()
    }

    /// What one of ``assemblies`` takes besides its bytes, roughly: its place in the dictionary and two arrays.
    private static let assemblyBytes = 256

    let limits: SessionLimits
    var phase: Phase
    var isDraining = false
    var streams: [UInt32: Stream] = [:]
    var assemblies: [UInt32: Assembly] = [:]
    /// In all of ``assemblies``.
    var assembledBytes = 0
    /// Not after the earliest deadline of ``assemblies``.
    var assemblyDeadline: Instant?
    var outgoing = OutgoingAnswers()

    package init(limits: SessionLimits, at now: Instant) {
        self.limits = limits
        phase = .awaitingSetup(deadline: now.advanced(by: limits.setupTimeout))
    }

    /// No answer is owed or being written.
    package var isIdle: Bool { streams.isEmpty && outgoing.isEmpty }

    /// Answers held back for want of room in the output.
    package var hasWaitingOutput: Bool { !outgoing.isEmpty }

    /// Kept for requests whose last fragment has not come.
    package var unfinishedBytes: Int { assembledBytes + assemblies.count * Self.assemblyBytes }

    /// Of these answers.
    package var waitingBytes: Int { outgoing.byteCount }

    /// One whole frame, without its length prefix.
    package mutating func received(
        _ bytes: Span<UInt8>, at now: Instant, into output: inout FrameWriter
    ) -> Action {
        let frame: Frame
        do { frame = try Frame(bytes) } catch { return fail(error, into: &output) }
        switch phase {
        case .awaitingSetup: return receivedFirst(frame, bytes, at: now, into: &output)
        case .open(var keepalive):
            keepalive.heard(at: now)
            phase = .open(keepalive)
            return receivedLater(frame, bytes, at: now, into: &output)
        case .closed: return .none
        }
    }

    /// The bytes are not frames any more: says why to the peer.
    package mutating func fail(_ error: WireError, into output: inout FrameWriter) -> Action {
        switch phase {
        case .awaitingSetup: end(.invalidSetup, "INVALID_ARGUMENT: \(error.reason)", into: &output)
        case .open: end(.connectionError, "INVALID_ARGUMENT: \(error.reason)", into: &output)
        case .closed: .none
        }
    }

    /// Says why on stream 0 and ends the session: after this nothing is written any more.
    package mutating func end(
        _ code: ErrorCode, _ text: String, into output: inout FrameWriter
    ) -> Action {
        if case .closed = phase { return .none }
        output.error(code, on: 0, text)
        return stop()
    }

    private mutating func stop() -> Action {
        phase = .closed
        streams = [:]
        assemblies = [:]
        assembledBytes = 0
        assemblyDeadline = nil
        outgoing.removeAll()
        return .close
    }

    private mutating func receivedLater(
        _ frame: Frame, _ bytes: Span<UInt8>, at now: Instant, into output: inout FrameWriter
    ) -> Action {
        switch frame.body {
        case .request(let kind, let credits, let payload):
            return requested(
                kind, on: frame.streamID, frame.flags, credits: credits, payload, bytes, at: now,
                into: &output)
        case .payload(let payload):
            return continued(frame.streamID, frame.flags, payload, bytes, into: &output)
        case .requestN(let credits): return granted(credits, on: frame.streamID, into: &output)
        case .cancel: return cancelled(frame.streamID)
        case .error where frame.streamID != 0: return cancelled(frame.streamID)
        case .error: return stop()
        case .keepalive(_, let data):
            // It belongs to the connection: on a stream it makes no sense, and what makes none is ignored.
            if frame.flags.contains(.respond), frame.streamID == 0 {
                output.keepalive([], data: bytes.extracting(data))
            }
            return .none
        case .resume: return end(.rejectedResume, "UNIMPLEMENTED: no session is resumed here", into: &output)
        // A later SETUP is ignored; the rest says nothing to a server that grants no leases and resumes nothing.
        case .setup, .lease, .metadataPush, .resumeOK, .ignored: return .none
        }
    }
}
