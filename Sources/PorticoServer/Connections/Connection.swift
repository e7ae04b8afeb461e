import PorticoConfig
import PorticoEventLoop
import PorticoWire

/// One client: its socket, its session and the calls it waits for. Owned by one loop, touched by no other thread.
///
/// It decides nothing about the protocol; ``ServerSession`` does. Answers of a turn leave in one write at its end.
final class Connection: ReadinessHandler, TimerHandler {
    enum Phase {
        case open
        /// The last bytes are in the queue.
        case finishing
        /// Our side is shut; the peer's bytes are dropped until it closes, or a reset would overtake the last answer.
        case lingering
        case closed
    }

    let socket: Socket
    private let permit: ConnectionPermit
    let group: ConnectionGroup
    var registration: Registration?
    var phase = Phase.open
    var splitter: FrameSplitter
    var session: ServerSession
    var queue = SendQueue()
    var isFlushDue = false
    /// The kernel's buffer is full: it will say when there is room.
    var isBlocked = false
    private(set) var client = ClientIdentity()
    /// Who is at the other end; behind a load balancer, who is at its other end.
    private(set) var peer: PeerAddress
    /// Being read; nil when there is none or it has been read.
    private(set) var proxyHeader: ProxyHeader?
    var calls: [UInt32: PendingCall] = [:]
    var observed: [UInt32: ObservedStream] = [:]
    var nextSerial: UInt64 = 0
    var counts = Counts()
    var alarm: (timer: TimerID, at: Instant)?
    /// For the rest of a frame that has begun.
    var frameDeadline: Instant?
    var partingDeadline: Instant?
    /// Kept of a frame and of requests that have not ended, as the group was told.
    private(set) var unfinishedBytes = 0
    var endsWhenIdle = false

    /// For the line in the log at its end.
    struct Counts {
        var requests = 0
        var failures = 0
        var bytesReceived = 0
        var bytesSent = 0
    }

    /// Those of the generation that the loop is in; a call keeps the ones that it began with.
    var services: Services { group.services }

    private init(
        _ socket: consuming Socket, permit: consuming ConnectionPermit, group: ConnectionGroup,
        on reactor: Reactor
    ) {
        peer = socket.peer
        self.socket = socket
        self.permit = permit
        self.group = group
        proxyHeader = group.services.expectsProxyHeader ? ProxyHeader() : nil
        splitter = FrameSplitter(limitBytes: group.services.setupFrameBytes)
        session = ServerSession(limits: group.services.sessionLimits, at: reactor.now)
    }

    /// Serves `socket`; a connection that cannot be watched is closed.
    static func open(
        _ socket: consuming Socket, permit: consuming ConnectionPermit, group: ConnectionGroup,
        on reactor: Reactor
    ) {
        let connection = Connection(socket, permit: permit, group: group, on: reactor)
        guard
            let registration = try? reactor.register(
                connection.socket.number, for: .read, handler: connection)
        else { return }
        connection.registration = registration
        group.opened(connection, registration)
        group.metrics.connectionsOpened.add()
        connection.setAlarm(on: reactor)
    }

    // MARK: Events

    func descriptorReady(_ readiness: Readiness, on reactor: Reactor) {
        if readiness.isWritable { flush(on: reactor) }
        guard registration != nil, readiness.isReadable || readiness.isBroken
        else { return }
        let outcome = reactor.receive(from: socket) { piece in
            counts.bytesReceived += piece.count
            group.metrics.receivedBytes.add(piece.count)
            if case .open = phase { received(piece, on: reactor) }
        }
        switch outcome {
        case .received, .wouldBlock: break
        case .endOfStream: close("the client closed", on: reactor)
        case .failed: close("the connection broke", on: reactor)
        }
    }

    func turnEnded(on reactor: Reactor) {
        isFlushDue = false
        flush(on: reactor)
    }

    func loopStopped(on reactor: Reactor) {
        let ended = registration
        registration = nil
        close("the server stopped", on: reactor)
        if let ended { group.closed(ended) }
    }

    // MARK: Frames

    private func received(_ piece: Span<UInt8>, on reactor: Reactor) {
        var offset = 0
        guard passProxyHeader(piece, &offset, on: reactor) else { return }
        var output = takeOutput()
        let hasKnown = answerKnown(in: piece, from: &offset, &output, on: reactor)
        // What is known leaves no trace: there is nothing to watch or to count when it is all that came.
        let isAllKnown = offset == piece.count && hasKnown
        if !isAllKnown {
            let hasFinishedFrame = read(piece, from: &offset, &output, on: reactor)
            watchFrame(hasKnown || hasFinishedFrame, on: reactor)
        }
        // What came in one read is answered in one write, at once: the loop's storage serves the next connection.
        if isFlushDue { returnOutput(output, on: reactor) } else { flush(&output, on: reactor) }
        // It may end this very connection, which is told why: not while its output is taken.
        if !isAllKnown { countUnfinished(on: reactor) }
    }

    /// Cuts the rest of `piece` into frames and handles them.
    /// - Returns: whether one ended in it.
    private func read(
        _ piece: Span<UInt8>, from offset: inout Int, _ output: inout FrameWriter, on reactor: Reactor
    ) -> Bool {
        var hasFinishedFrame = false
        do throws(WireError) {
            while case .open = phase, offset < piece.count {
                guard let found = try splitter.next(in: piece, from: &offset) else { break }
                hasFinishedFrame = true
                switch found {
                case .inPlace(let range): handle(piece.extracting(range), &output, on: reactor)
                case .joined(let frame):
                    if !answerKnown(frame.span, &output, on: reactor) {
                        handle(frame.span, &output, on: reactor)
                    }
                }
                _ = answerKnown(in: piece, from: &offset, &output, on: reactor)
            }
        } catch {
            if session.fail(error, into: &output) == .close { finish(on: reactor) }
        }
        return hasFinishedFrame
    }

    /// - Returns: false while the header is not whole, or when it is none: whoever speaks to the port without the
    ///   load balancer in between is not answered.
    private func passProxyHeader(_ piece: Span<UInt8>, _ offset: inout Int, on reactor: Reactor) -> Bool {
        guard proxyHeader != nil else { return true }
        do throws(ProxyHeader.Fault) {
            guard let source = try proxyHeader?.next(in: piece, from: &offset) else { return false }
            if source != .unnamed { peer = source }
            proxyHeader = nil
            return true
        } catch {
            close("no PROXY header came first", on: reactor)
            return false
        }
    }

    private func handle(_ frame: Span<UInt8>, _ output: inout FrameWriter, on reactor: Reactor) {
        switch session.received(frame, at: reactor.now, into: &output) {
        case .none: break
        case .accept(let setup): accept(setup, in: frame, &output, on: reactor)
        case .serve(let id, let kind, let payload):
            serve(
                id, kind, frame.extracting(payload.metadata ?? 0..<0), frame.extracting(payload.data),
                in: frame, &output, on: reactor)
        case .serveJoined(let id, let kind, let parts):
            let metadata = parts.metadata ?? []
            serve(id, kind, metadata.span, parts.data.span, in: Span(), &output, on: reactor)
        case .abandon(let id):
            group.metrics.callEnded(.cancelled)
            calls.removeValue(forKey: id)?.cancel(on: reactor)
            stopObserving(id, on: reactor)
        case .close: finish(on: reactor)
        }
    }

    private func accept(
        _ setup: SetupFrame, in frame: Span<UInt8>, _ output: inout FrameWriter, on reactor: Reactor
    ) {
        do throws(SetupRefusal) {
            client = try ClientIdentity(setup, in: frame, authenticator: services.authenticator)
        } catch {
            _ = session.end(error.code, error.text, into: &output)
            return finish(on: reactor)
        }
        splitter.limitBytes = services.limits.frameBytes
        setAlarm(on: reactor)
        guard group.isDraining else { return }
        session.drain(goAway: group.goAway(for: client), into: &output)
        endsWhenIdle = true
    }

    func countUnfinished(on reactor: Reactor) {
        let now = phase == .open ? splitter.unfinishedBytes + session.unfinishedBytes : 0
        guard now != unfinishedBytes else { return }
        let change = now - unfinishedBytes
        unfinishedBytes = now
        group.unfinishedChanged(by: change, on: reactor)
    }

    /// Nothing more is read: what has begun is given back.
    func dropUnfinished(on reactor: Reactor) {
        splitter = FrameSplitter(limitBytes: 0)
        countUnfinished(on: reactor)
    }

    /// More bytes of the same frame do not prolong its time.
    private func watchFrame(_ hasFinishedFrame: Bool, on reactor: Reactor) {
        if !splitter.isInsideFrame {
            frameDeadline = nil
        } else if hasFinishedFrame || frameDeadline == nil {
            frameDeadline = reactor.now + services.limits.frameTimeout
            setAlarm(on: reactor)
        }
    }
}
