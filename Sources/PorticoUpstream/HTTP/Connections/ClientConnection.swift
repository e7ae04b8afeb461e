internal import PorticoEventLoop
internal import PorticoWire

/// One connection to an origin: connects, then makes one exchange after another, never two at once.
final class ClientConnection: ReadinessHandler, TimerHandler {
    private enum Stage {
        case connecting
        case idle(until: Instant)
        case busy(HTTPExchange)
        case closed
    }

    let id: ConnectionPool.ConnectionID
    private let origin: OriginConnections
    private let socket: Socket
    private var registration: Registration?
    private var stage = Stage.connecting
    /// While connecting: its limit. Later: looks whether the idle time is over, and is set again if it is not.
    private var timer: TimerID?
    private var timerDeadline: Instant
    private var parser: ResponseParser?
    private var queue = SendQueue()
    private var isReused = false

    /// - Throws: ``SystemError/system(call:subject:errno:)``: refused on the spot, or no descriptor.
    init(
        id: ConnectionPool.ConnectionID, to address: SocketAddress, origin: OriginConnections,
        on reactor: Reactor
    ) throws(SystemError) {
        self.id = id
        self.origin = origin
        timerDeadline = reactor.now + origin.limits.connectTimeout
        socket = try Socket.connecting(to: address)
        registration = try reactor.register(socket.number, for: .write, handler: self)
        timer = reactor.schedule(at: timerDeadline, self)
    }

    var exchange: HTTPExchange? {
        if case .busy(let exchange) = stage { exchange } else { nil }
    }

    func start(_ exchange: HTTPExchange, on reactor: Reactor) {
        stage = .busy(exchange)
        parser = ResponseParser(
            to: exchange.method,
            limits: .init(headBytes: origin.limits.headBytes, bodyBytes: exchange.bodyLimitBytes))
        queue.append(exchange.requestBytes)
        flush(on: reactor)
    }

    /// Lets go of the socket, at once; an exchange on it is told what has come of its answer, and nothing else.
    func close(on reactor: Reactor) {
        if let registration = registration.take() { reactor.deregister(registration) }
        if let timer = timer.take() { reactor.cancel(timer) }
        socket.finishBothWays()
        if let salvage = exchange?.salvage, let partial = parser.take()?.partialResponse() {
            salvage(partial)
        }
        stage = .closed
        parser = nil
    }

    func descriptorReady(_ readiness: Readiness, on reactor: Reactor) {
        switch stage {
        case .connecting: connectEnded(on: reactor)
        case .busy:
            if readiness.isWritable { flush(on: reactor) }
            if readiness.isReadable || readiness.isBroken { read(on: reactor) }
        // Nothing is expected: the peer has closed, or says what nobody asked for.
        case .idle: origin.idleEnded(self, on: reactor)
        case .closed: break
        }
    }

    func timerFired(_ timer: TimerID, on reactor: Reactor) {
        self.timer = nil
        switch stage {
        case .connecting: origin.connectFailed(self, .timedOut, on: reactor)
        case .idle(let until) where until <= reactor.now: origin.idleEnded(self, on: reactor)
        case .idle(let until): setTimer(until, on: reactor)
        case .busy, .closed: break
        }
    }

    private func connectEnded(on reactor: Reactor) {
        guard socket.connectError() == 0, let registration else {
            return origin.connectFailed(self, .unreachable, on: reactor)
        }
        reactor.setInterest(.read, of: registration)
        if let timer = timer.take() { reactor.cancel(timer) }
        becomeIdle(for: origin.limits.idle, on: reactor)
        origin.connected(self, on: reactor)
    }

    private func becomeIdle(for time: Duration, on reactor: Reactor) {
        let until = reactor.now + time
        stage = .idle(until: until)
        if timer == nil || until < timerDeadline { setTimer(until, on: reactor) }
    }

    private func setTimer(_ deadline: Instant, on reactor: Reactor) {
        if let timer { reactor.cancel(timer) }
        timerDeadline = deadline
        timer = reactor.schedule(at: deadline, self)
    }

    private func flush(on reactor: Reactor) {
        guard let registration else { return }
        switch queue.flush(to: socket) {
        case .drained: reactor.setInterest(.read, of: registration)
        case .pending: reactor.setInterest([.read, .write], of: registration)
        // The peer reads no more; what it said before, or the error, comes by reading.
        case .failed: reactor.setInterest(.read, of: registration)
        }
    }

    private func read(on reactor: Reactor) {
        guard case .busy = stage else { return }
        do throws(TransportError) {
            var failure: TransportError?
            let outcome = reactor.receive(from: socket) { bytes in
                do throws(TransportError) { try parser?.append(bytes) } catch { failure = error }
            }
            if let failure { throw failure }
            switch outcome {
            case .received: if parser?.isComplete == true { completed(on: reactor) }
            case .wouldBlock: break
            case .endOfStream: try ended(on: reactor)
            case .failed: throw lost
            }
        } catch {
            fail(error, on: reactor)
        }
    }

    private func ended(on reactor: Reactor) throws(TransportError) {
        guard parser?.hasBegun == true else { throw lost }
        try parser?.endOfStream()
        completed(on: reactor)
    }

    /// The connection ended by itself: the least that this says about the answer.
    private var lost: TransportError {
        guard let parser, parser.hasBegun else { return isReused ? .reusedConnectionClosed : .unreachable }
        var copy = parser
        do throws(TransportError) { try copy.endOfStream() } catch { return error }
        // Only the connection's end would have told that the body was whole, and it broke.
        return .truncated(atByte: copy.bodyCount)
    }

    private func completed(on reactor: Reactor) {
        guard let parser = parser.take(), let exchange else { return }
        let idleTime: Duration? =
            switch parser.persistence {
            // An answer before the end of the request leaves the peer reading what nobody will send.
            case .keep(let peer) where queue.isEmpty: origin.limits.idleTime(peer)
            case .keep, .close: nil
            }
        // Before the next exchange starts here: its answer belongs to it alone.
        exchange.end(.success(parser.response()), on: reactor)
        guard let idleTime else { return origin.busyEnded(self, on: reactor) }
        isReused = true
        becomeIdle(for: idleTime, on: reactor)
        origin.becameFree(self, on: reactor)
    }

    private func fail(_ error: TransportError, on reactor: Reactor) {
        let exchange = exchange
        origin.busyEnded(self, on: reactor)
        exchange?.end(.failure(error), on: reactor)
    }
}
