import PorticoConfig
import PorticoEventLoop
import PorticoWire

/// Ending, and the time that brings it about.
extension Connection {
    /// How long the last bytes may take, and then the peer to close its side.
    private static let partingTimeout = Duration.seconds(2)

    /// The server goes away: tells the client, and begins nothing new.
    func drain(on reactor: Reactor) {
        guard case .open = phase else { return }
        write(on: reactor) { session.drain(goAway: group.goAway(for: client), into: &$0) }
    }

    /// Ends it now, or as soon as nothing is in flight.
    func endWhenIdle(on reactor: Reactor) {
        endsWhenIdle = true
        endObservingForGoAway(on: reactor)
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

    /// All connections together keep too much of what has not ended, and this one keeps most.
    func endForUnfinished(on reactor: Reactor) {
        guard case .open = phase else { return }
        let action = write(on: reactor) {
            session.end(
                .connectionError,
                "RESOURCE_EXHAUSTED: too many unfinished requests; send this one again later",
                into: &$0)
        }
        if action == .close { finish(on: reactor) }
    }

    /// Nothing more is said; what is queued is sent.
    func finish(on reactor: Reactor) {
        guard case .open = phase else { return }
        phase = .finishing
        partingDeadline = reactor.now + Self.partingTimeout
        cancelCalls(on: reactor)
        dropUnfinished(on: reactor)
        setAlarm(on: reactor)
        scheduleFlush(on: reactor)
    }

    /// The last bytes are with the kernel.
    func finishedSending() {
        phase = .lingering
        socket.finishSending()
    }

    func close(_ reason: String, on reactor: Reactor) {
        if case .closed = phase { return }
        phase = .closed
        cancelCalls(on: reactor)
        dropUnfinished(on: reactor)
        if let alarm { reactor.cancel(alarm.timer) }
        alarm = nil
        if let registration { reactor.deregister(registration) }
        group.metrics.connectionsClosed.add()
        services.log(
            .info, "connection ended",
            [
                "reason": .text(reason), "peer": .text("\(peer)"), "client": .text(client.hello.clientID),
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
        endObserving(on: reactor)
    }

    func timerFired(_ timer: TimerID, on reactor: Reactor) {
        guard timer == alarm?.timer else { return }
        alarm = nil
        if let partingDeadline, reactor.now >= partingDeadline {
            return close("the client did not close", on: reactor)
        }
        if let header = proxyHeader, let deadline = session.nextDeadline, reactor.now >= deadline {
            // The protocol behind the header may be spoken to nobody who did not send it (proxy-protocol.txt, 2).
            return close(
                header.isEmpty ? "no PROXY header came" : "the PROXY header did not end", on: reactor)
        }
        if case .open = phase, write(on: reactor, { deadlinePassed(at: reactor.now, &$0) }) == .close {
            finish(on: reactor)
        }
        countUnfinished(on: reactor)
        setAlarm(on: reactor)
    }

    private func deadlinePassed(
        at now: Instant, _ output: inout FrameWriter
    ) -> ServerSession.Action {
        guard let frameDeadline, now >= frameDeadline else {
            return session.deadlinePassed(at: now, into: &output)
        }
        return session.end(
            .connectionError, "DEADLINE_EXCEEDED: a frame took too long to arrive", into: &output)
    }

    /// One timer for all: it is left alone while it is early enough, and looks again when it fires. So it need not be
    /// asked for when a deadline moves away, as it does with each frame that is heard.
    func setAlarm(on reactor: Reactor) {
        guard registration != nil else { return }
        guard var deadline = session.nextDeadline ?? partingDeadline else { return }
        if let frameDeadline { deadline = min(deadline, frameDeadline) }
        if let partingDeadline { deadline = min(deadline, partingDeadline) }
        if let alarm, alarm.at <= deadline { return }
        if let alarm { reactor.cancel(alarm.timer) }
        alarm = (reactor.schedule(at: deadline, self), deadline)
    }
}
