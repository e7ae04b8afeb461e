import PorticoEventLoop
import PorticoWire

/// One connection of an ``HTTPServer``: requests in turn, each answered before the next is looked at.
final class HTTPConnection: ReadinessHandler, TimerHandler {
    private enum State {
        /// Waiting for a request or in the middle of one.
        case reading
        /// An answer is due when the timer fires.
        case delaying(HTTPResponse, to: HTTPRequest, timer: TimerID)
        /// Piece number `next` is due when the timer fires.
        case playing(HTTPScript, next: Int, timer: TimerID)
        /// An answer is due when its work is done.
        case working(HTTPWork, for: HTTPRequest)
        /// Never to be answered.
        case silent
        /// No more requests; what is queued is sent, then our side is shut.
        case finishing
        /// Our side is shut; the peer's bytes are read and dropped until it closes too, because closing with unread
        /// bytes resets the connection and may take the answer with it (RFC 9112 section 9.6).
        case lingering
        case closed
    }

    /// How long a peer may take to close its side.
    private static let lingerTimeout = Duration.seconds(2)

    private let socket: Socket
    private let permit: ConnectionPermit
    private let handler: any HTTPHandler
    private let limits: HTTPLimits
    private var parser: HTTPRequestParser
    private var queue = SendQueue()
    private var state = State.reading
    private var registration: Registration?
    /// Watches over ``deadline``; set again when it fires early, so that traffic costs no timer.
    private var watchdog: TimerID?
    private var deadline: Instant
    private var hasPartialRequest = false

    private init(
        _ socket: consuming Socket, permit: consuming ConnectionPermit, handler: any HTTPHandler,
        limits: HTTPLimits, reactor: Reactor
    ) {
        self.socket = socket
        self.permit = permit
        self.handler = handler
        self.limits = limits
        parser = HTTPRequestParser(limits: limits)
        deadline = reactor.now + limits.idleTimeout
    }

    /// Serves `socket`; a connection that cannot be watched is closed.
    static func open(
        _ socket: consuming Socket, permit: consuming ConnectionPermit, handler: any HTTPHandler,
        limits: HTTPLimits, on reactor: Reactor
    ) {
        let connection = HTTPConnection(
            socket, permit: permit, handler: handler, limits: limits, reactor: reactor)
        guard
            let registration = try? reactor.register(
                connection.socket.number, for: .read, handler: connection)
        else { return }
        connection.registration = registration
        connection.watchdog = reactor.schedule(at: connection.deadline, connection)
    }

    // MARK: Events

    func descriptorReady(_ readiness: Readiness, on reactor: Reactor) {
        if readiness.isWritable { flush(on: reactor) }
        guard readiness.isReadable || readiness.isBroken else { return }
        var bytesDropped = false
        let outcome = reactor.receive(from: socket) { bytes in
            if case .reading = state { parser.append(bytes) } else { bytesDropped = true }
        }
        switch outcome {
        case .received:
            if !bytesDropped { serve(on: reactor) }
        case .wouldBlock: break
        case .endOfStream: peerFinished(on: reactor)
        case .failed: close(on: reactor)
        }
    }

    func timerFired(_ timer: TimerID, on reactor: Reactor) {
        if case .delaying(let response, let request, timer) = state {
            state = .reading
            send(response, to: request)
            serve(on: reactor)
            return
        }
        if case .playing(let script, let next, timer) = state {
            play(script, from: next, on: reactor)
            settle(on: reactor)
            return
        }
        guard timer == watchdog else { return }
        watchdog = nil
        guard reactor.now >= deadline else {
            watchdog = reactor.schedule(at: deadline, self)
            return
        }
        expired(on: reactor)
    }

    func loopStopped(on reactor: Reactor) {
        registration = nil
        close(on: reactor)
    }

    private func expired(on reactor: Reactor) {
        if case .reading = state, hasPartialRequest, queue.isEmpty {
            refuse(.tooSlow)
            watchdog = reactor.schedule(at: deadline, self)
            settle(on: reactor)
        } else {
            close(on: reactor)
        }
    }

    private func peerFinished(on reactor: Reactor) {
        switch state {
        case .reading where !queue.isEmpty: state = .finishing
        case .delaying, .playing, .working: close(on: reactor)
        case .reading, .silent, .lingering, .closed: close(on: reactor)
        case .finishing: break
        }
        if case .finishing = state { settle(on: reactor) }
    }

    // MARK: Requests

    private func serve(on reactor: Reactor) {
        let wasPartial = hasPartialRequest
        do throws(HTTPFault) {
            while case .reading = state, queue.count < limits.queuedBytes, let request = try parser.next() {
                perform(handler.reply(to: request), for: request, on: reactor)
            }
            hasPartialRequest = parser.isMidRequest
        } catch {
            refuse(error)
        }
        if case .reading = state {
            // A request's time runs from its first byte: more bytes of the same do not prolong it.
            if !hasPartialRequest { deadline = reactor.now + limits.idleTimeout }
            if hasPartialRequest && !wasPartial { setEarlierDeadline(limits.requestTimeout, on: reactor) }
        }
        settle(on: reactor)
    }

    private func perform(_ reply: HTTPReply, for request: HTTPRequest, on reactor: Reactor) {
        switch reply {
        case .send(let response):
            send(response, to: request)
        case .sendLater(let response, let delay):
            state = .delaying(response, to: request, timer: reactor.schedule(after: delay, self))
        case .sendHalf(let response):
            queue.withAppending { bytes in
                response.write(to: &bytes, dateSeconds: Host.wallClockSeconds, head: [])
                bytes.removeLast(response.body.count - response.body.count / 2)
            }
            state = .finishing
        case .play(let script):
            play(script, from: 0, on: reactor)
        case .keepSilent:
            state = .silent
        case .sendWhenDone(let work):
            begin(work, for: request, on: reactor)
        case .reset:
            socket.resetOnClose()
            close(on: reactor)
        }
    }

    /// Sends one piece and sets the timer for the next; a peer that takes nothing gets nothing more.
    private func play(_ script: HTTPScript, from index: Int, on reactor: Reactor) {
        guard let piece = script.piece(index) else {
            state = .finishing
            return
        }
        let hasRoom = queue.count < limits.queuedBytes
        if hasRoom { queue.append(piece) }
        let timer = reactor.schedule(after: script.pause, self)
        state = .playing(script, next: hasRoom ? index + 1 : index, timer: timer)
    }

    /// A connection that has gone meanwhile is not found.
    private func begin(_ work: HTTPWork, for request: HTTPRequest, on reactor: Reactor) {
        guard let registration else { return }
        state = .working(work, for: request)
        Task { [loop = reactor.loop] in
            let response = await work.run()
            loop.execute { reactor in
                guard let connection = reactor.handler(of: registration) as? HTTPConnection else { return }
                connection.finished(work, response, on: reactor)
            }
        }
    }

    private func finished(_ work: HTTPWork, _ response: HTTPResponse, on reactor: Reactor) {
        guard case .working(work, let request) = state else { return }
        state = .reading
        send(response, to: request)
        serve(on: reactor)
    }

    private func send(_ response: HTTPResponse, to request: HTTPRequest) {
        var head: HTTPResponse.HeadOptions = request.isKeptAlive ? [] : .closes
        if request.method == "HEAD" { head.insert(.withoutBody) }
        queue.withAppending { response.write(to: &$0, dateSeconds: Host.wallClockSeconds, head: head) }
        if !request.isKeptAlive { state = .finishing }
    }

    private func refuse(_ fault: HTTPFault) {
        let response = HTTPResponse.failure(fault.status, "The request is not acceptable.")
        queue.withAppending { response.write(to: &$0, dateSeconds: Host.wallClockSeconds, head: .closes) }
        state = .finishing
    }

    // MARK: Output

    private func flush(on reactor: Reactor) {
        let wasFull = queue.count >= limits.queuedBytes
        settle(on: reactor)
        if wasFull, queue.count < limits.queuedBytes, case .reading = state { serve(on: reactor) }
    }

    /// Writes what is queued and asks for the events that the state and the queue call for.
    private func settle(on reactor: Reactor) {
        guard let registration else { return }
        if !queue.isEmpty, case .failed = queue.flush(to: socket) { return close(on: reactor) }
        if case .finishing = state, queue.isEmpty {
            socket.finishSending()
            state = .lingering
            setEarlierDeadline(Self.lingerTimeout, on: reactor)
        }
        var interest: Interest = queue.isEmpty ? [] : .write
        switch state {
        case .reading: if queue.count < limits.queuedBytes { interest.insert(.read) }
        case .lingering, .silent, .playing: interest.insert(.read)
        // Bytes of a next request wait in the kernel until this one is answered.
        case .delaying, .working, .finishing, .closed: break
        }
        reactor.setInterest(interest, of: registration)
    }

    private func setEarlierDeadline(_ timeout: Duration, on reactor: Reactor) {
        deadline = reactor.now + timeout
        if let watchdog { reactor.cancel(watchdog) }
        watchdog = reactor.schedule(at: deadline, self)
    }

    /// Lets go of everything; the socket closes with the last reference, at the latest when this event is handled.
    private func close(on reactor: Reactor) {
        switch state {
        case .delaying(_, _, let timer), .playing(_, _, let timer): reactor.cancel(timer)
        case .reading, .working, .silent, .finishing, .lingering, .closed: break
        }
        state = .closed
        if let watchdog { reactor.cancel(watchdog) }
        if let registration { reactor.deregister(registration) }
        watchdog = nil
        registration = nil
    }
}
