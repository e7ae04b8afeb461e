import PorticoWire

/// Any bytes as a client's stream: cut into frames, given to a session, answered as they say. Whatever they are, the
/// session stays within its limits, writes frames only, and is silent once it has ended.
///
/// The first byte says how: its low six bits the size of the pieces, less one; 0x40: a good SETUP comes first; 0x80:
/// requests wait for their answers until the next piece.
enum SessionFuzz {
    private static let limits: SessionLimits = {
        var limits = SessionLimits(
            messageBytes: 600, metadataBytes: 200, streams: 4, setupTimeout: .seconds(10))
        limits.fragmentBytes = 64
        limits.outputBytes = 512
        return limits
    }()

    private struct Client: ~Copyable {
        var session = ServerSession(limits: SessionFuzz.limits, at: SessionFuzz.start)
        var output = FrameWriter()
        var owed: [UInt32] = []
        var hasEnded = false
        /// Requests that were served once; they are known again by their bytes.
        var known = QuickAnswers(limitBytes: 1 << 12, seed: 1)
        let isLate: Bool

        mutating func handle(_ frame: Span<UInt8>, at now: Instant) {
            let before = output.bytes.count
            let action = session.received(frame, at: now, into: &output)
            if hasEnded { precondition(action == .none && output.bytes.count == before, "it had ended") }
            switch action {
            case .none, .accept: break
            case .serve(let id, _, let payload):
                precondition(payload.data.upperBound <= frame.count && payload.byteCount <= frame.count)
                if Frame.plainRequest(frame) != nil {
                    known.keep(SessionFuzz.knownAnswer, for: frame, terms(at: now), until: now + .seconds(1))
                }
                serve(id, size: payload.data.count)
            case .serveJoined(let id, _, let parts):
                precondition(parts.byteCount <= 800, "more was put together than the limits allow")
                serve(id, size: parts.data.count)
            case .abandon(let id): owed.removeAll { $0 == id }
            case .close: hasEnded = true
            }
        }

        private func terms(at now: Instant) -> QuickAnswers.Terms {
            QuickAnswers.Terms(isAuthenticated: false, generation: 0, now: now)
        }

        mutating func answerKnown(
            in piece: Span<UInt8>, from offset: inout Int, cutBy splitter: borrowing FrameSplitter,
            at now: Instant
        ) {
            let before = (offset, output.bytes.count)
            let count = session.answerKnown(
                in: piece, from: &offset, cutBy: splitter, known, terms(at: now), into: &output)
            precondition(count == 0 || !hasEnded, "it had ended")
            precondition(output.bytes.count == before.1 + count * SessionFuzz.knownAnswer.count)
            precondition(offset <= piece.count && (count > 0) == (offset > before.0))
        }

        private mutating func serve(_ id: UInt32, size: Int) {
            precondition(!id.isMultiple(of: 2) && !owed.contains(id), "a stream was served twice")
            owed.append(id)
            precondition(owed.count <= 4, "more streams than allowed")
            if !isLate { answer(size: size) }
        }

        mutating func answer(size: Int) {
            for id in owed {
                switch size % 3 {
                case 0: session.failed(id, .applicationError, "NOT_FOUND: no", into: &output)
                case 1: session.next(id, metadata: [1], message: [2, 3], into: &output)
                default: break
                }
                let message = [UInt8](repeating: 7, count: size)
                session.answered(id, metadata: nil, message: message, into: &output)
            }
            owed = []
        }

        /// What was written leaves, as to a client that reads.
        mutating func drain() {
            for _ in 0..<64 {
                SessionFuzz.check(output.bytes)
                output.bytes = []
                session.fill(&output)
                if output.bytes.isEmpty { return }
            }
        }
    }

    private static let start = Instant(nanoseconds: 1_000_000_000)

    static func run(_ bytes: [UInt8]) {
        guard let first = bytes.first else { return }
        var client = Client(isLate: first & 0x80 != 0)
        var splitter = FrameSplitter(limitBytes: 1000)
        if first & 0x40 != 0 { client.handle(goodSetup.span.extracting(droppingFirst: 3), at: start) }
        let step = Int(first & 0x3f) + 1
        var now = start
        for begin in stride(from: 1, to: bytes.count, by: step) {
            let piece = Array(bytes[begin..<min(begin + step, bytes.count)])
            var offset = 0
            do {
                while true {
                    client.answerKnown(in: piece.span, from: &offset, cutBy: splitter, at: now)
                    guard let found = try splitter.next(in: piece.span, from: &offset) else { break }
                    switch found {
                    case .inPlace(let range): client.handle(piece.span.extracting(range), at: now)
                    case .joined(let frame): client.handle(frame.span, at: now)
                    }
                }
            } catch {
                if client.session.fail(error, into: &client.output) == .close { client.hasEnded = true }
                return client.drain()
            }
            client.answer(size: Int(piece[0]))
            client.drain()
            now = now.advanced(by: .milliseconds(10))
            if client.session.deadlinePassed(at: now, into: &client.output) == .close {
                client.hasEnded = true
            }
        }
        client.drain()
    }

    /// The output is whole frames that a client can read.
    private static func check(_ output: [UInt8]) {
        var splitter = FrameSplitter(limitBytes: 2000)
        var offset = 0
        do {
            while let found = try splitter.next(in: output.span, from: &offset) {
                guard case .inPlace(let range) = found else { preconditionFailure("half a frame") }
                _ = try Frame(output.span.extracting(range))
            }
        } catch {
            preconditionFailure("the session wrote what is no frame: \(error)")
        }
        precondition(offset == output.count && !splitter.isInsideFrame, "half a frame")
    }

    private static let knownAnswer: [UInt8] = {
        var writer = FrameWriter()
        writer.payload(on: 0, [.next, .complete], metadata: nil, data: Span())
        return writer.bytes
    }()

    private static let goodSetup: [UInt8] = {
        var writer = FrameWriter()
        writer.setup(
            keepaliveMilliseconds: 1000, lifetimeMilliseconds: 60_000,
            metadataMIME: MetadataMIME.composite.name, dataMIME: MetadataMIME.protobuf.name, metadata: nil,
            data: [])
        return writer.bytes
    }()
}
