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

    /// How long the last bytes may take, and then the peer to close its side.
    private static let partingTimeout = Duration.seconds(2)

    /// Those of the generation that the loop is in; a call keeps the ones that it began with.
    var services: Services { group.services }
    let socket: Socket
    private let permit: ConnectionPermit
    let group: ConnectionGroup
    private(set) var registration: Registration?
    private(set) var phase = Phase.open
    private var splitter: FrameSplitter
    var session: ServerSession
    var queue = SendQueue()
    var isFlushDue = false
    /// The kernel's buffer is full: it will say when there is room.
    var isBlocked = false
    private(set) var client = ClientIdentity()
    var calls: [UInt32: PendingCall] = [:]
    var nextSerial: UInt64 = 0
    var counts = Counts()
    private var alarm: (timer: TimerID, at: ContinuousClock.Instant)?
    /// For the rest of a frame that has begun.
    private var frameDeadline: ContinuousClock.Instant?
    private var partingDeadline: ContinuousClock.Instant?
    private var endsWhenIdle = false

    /// For the line in the log at its end.
    struct Counts {
        var requests = 0
        var failures = 0
        var bytesReceived = 0
        var bytesSent = 0
    }

    private init(
        _ socket: consuming Socket, permit: consuming ConnectionPermit, services: Services,
        group: ConnectionGroup, on reactor: Reactor
    ) {
        self.socket = socket
        self.permit = permit
        self.group = group
        splitter = FrameSplitter(limitBytes: services.setupFrameBytes)
        session = ServerSession(limits: services.sessionLimits, at: reactor.now)
    }

    /// Serves `socket`; a connection that cannot be watched is closed.
    static func open(
        _ socket: consuming Socket, permit: consuming ConnectionPermit, services: Services,
        group: ConnectionGroup, on reactor: Reactor
    ) {
        let connection = Connection(socket, permit: permit, services: services, group: group, on: reactor)
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
        if readiness.contains(.writable) { flush(on: reactor) }
        guard registration != nil, !readiness.isDisjoint(with: [.readable, .broken]) else { return }
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

    func timerFired(_ timer: TimerID, on reactor: Reactor) {
        guard timer == alarm?.timer else { return }
        alarm = nil
        if let partingDeadline, reactor.now >= partingDeadline {
            return close("the client did not close", on: reactor)
        }
        if case .open = phase, write(on: reactor, { deadlinePassed(at: reactor.now, &$0) }) == .close {
            finish(on: reactor)
        }
        setAlarm(on: reactor)
    }

    private func deadlinePassed(
        at now: ContinuousClock.Instant, _ output: inout FrameWriter
    ) -> ServerSession.Action {
        guard let frameDeadline, now >= frameDeadline else {
            return session.deadlinePassed(at: now, into: &output)
        }
        return session.end(
            .connectionError, "DEADLINE_EXCEEDED: a frame took too long to arrive", into: &output)
    }

    // MARK: Frames

    private func received(_ piece: Span<UInt8>, on reactor: Reactor) {
        var offset = 0
        var hasFinishedFrame = false
        var output = takeOutput()
        do throws(WireError) {
            while case .open = phase, let found = try splitter.next(in: piece, from: &offset) {
                hasFinishedFrame = true
                switch found {
                case .inPlace(let range): handle(piece.extracting(range), &output, on: reactor)
                case .joined(let frame): handle(frame.span, &output, on: reactor)
                }
            }
        } catch {
            if session.fail(error, into: &output) == .close { finish(on: reactor) }
        }
        returnOutput(output, on: reactor)
        watchFrame(hasFinishedFrame, on: reactor)
    }

    private func handle(_ frame: Span<UInt8>, _ output: inout FrameWriter, on reactor: Reactor) {
        switch session.received(frame, at: reactor.now, into: &output) {
        case .none: break
        case .accept(let setup): accept(setup, in: frame, &output, on: reactor)
        case .serve(let id, _, let payload):
            serve(
                id, frame.extracting(payload.metadata ?? 0..<0), frame.extracting(payload.data), &output,
                on: reactor)
        case .serveJoined(let id, _, let parts):
            let metadata = parts.metadata ?? []
            serve(id, metadata.span, parts.data.span, &output, on: reactor)
        case .abandon(let id):
            group.metrics.callEnded(.cancelled)
            calls.removeValue(forKey: id)?.cancel(on: reactor)
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
        guard group.isDraining else { return }
        session.drain(goAway: group.goAway(for: client), into: &output)
        endsWhenIdle = true
    }

    /// More bytes of the same frame do not prolong its time.
    private func watchFrame(_ hasFinishedFrame: Bool, on reactor: Reactor) {
        if !splitter.isInsideFrame {
            frameDeadline = nil
        } else if hasFinishedFrame || frameDeadline == nil {
            frameDeadline = reactor.now + services.limits.frameTimeout
        }
        setAlarm(on: reactor)
    }

    // MARK: Ending

    /// The server goes away: tells the client, and begins nothing new.
    func drain(on reactor: Reactor) {
        guard case .open = phase else { return }
        write(on: reactor) { session.drain(goAway: group.goAway(for: client), into: &$0) }
    }

    /// Ends it now, or as soon as nothing is in flight.
    func endWhenIdle(on reactor: Reactor) {
        endsWhenIdle = true
        endIfDrained(on: reactor)
    }

    func endIfDrained(on reactor: Reactor) {
        guard endsWhenIdle, session.isIdle, queue.isEmpty else { return }
        endDrained(on: reactor)
    }

    /// Ends it, whatever is in flight.
    func endDrained(on reactor: Reactor) {
        guard case .open = phase else { return }
        let action = write(on: reactor) {
            session.end(.connectionClose, "UNAVAILABLE: the server is going away", into: &$0)
        }
        if action == .close { finish(on: reactor) }
    }

    /// Nothing more is said; what is queued is sent.
    func finish(on reactor: Reactor) {
        guard case .open = phase else { return }
        phase = .finishing
        partingDeadline = reactor.now + Self.partingTimeout
        cancelCalls(on: reactor)
        setAlarm(on: reactor)
        scheduleFlush(on: reactor)
    }

    /// The last bytes are with the kernel.
    func finishedSending() {
        guard case .finishing = phase else { return }
        phase = .lingering
        socket.finishSending()
    }

    func close(_ reason: String, on reactor: Reactor) {
        if case .closed = phase { return }
        phase = .closed
        cancelCalls(on: reactor)
        if let alarm { reactor.cancel(alarm.timer) }
        alarm = nil
        if let registration { reactor.deregister(registration) }
        group.metrics.connectionsClosed.add()
        services.log(
            .info, "connection ended",
            [
                "reason": .text(reason), "client": .text(client.hello.clientID),
                "requests": .number(counts.requests), "failures": .number(counts.failures),
                "received": .number(counts.bytesReceived), "sent": .number(counts.bytesSent),
            ])
        let ended = registration
        registration = nil
        if let ended { group.closed(ended) }
    }

    private func cancelCalls(on reactor: Reactor) {
        for call in calls.values {
            group.metrics.callEnded(.cancelled)
            call.cancel(on: reactor)
        }
        calls = [:]
    }

    // MARK: Time

    /// One timer for all: it is left alone while it is early enough, and looks again when it fires.
    private func setAlarm(on reactor: Reactor) {
        guard registration != nil else { return }
        guard var deadline = session.nextDeadline ?? partingDeadline else { return }
        if let frameDeadline { deadline = min(deadline, frameDeadline) }
        if let partingDeadline { deadline = min(deadline, partingDeadline) }
        if let alarm, alarm.at <= deadline { return }
        if let alarm { reactor.cancel(alarm.timer) }
        alarm = (reactor.schedule(at: deadline, self), deadline)
    }
}
