import PorticoConfig
import PorticoEventLoop
import PorticoUpstream
import PorticoWire

/// Observing: REQUEST_STREAM on a method that reads.
extension Connection {
    func observe(
        _ id: UInt32, _ call: IncomingCall, _ request: [UInt8], _ output: inout FrameWriter,
        on reactor: Reactor
    ) throws(CallError) {
        let (held, room) = (
            observed.values.reduce(request.count) { $0 + $1.request.count }, services.limits.messageBytes
        )
        guard held <= room else {
            throw CallError(
                .resourceExhausted, "all observed requests of a connection have \(room) bytes together")
        }
        let stream = ObservedStream(
            streamID: id, route: Array(services.router.route(of: call.target.method).utf8), request: request,
            call, timeout: timeout(of: call), connection: self, on: reactor)
        do throws(CallError) {
            let first = try begin(stream, call.target, on: reactor)
            observed[id] = stream
            if let first { tell(stream, first, &output, on: reactor) }
        } catch {
            stream.end(on: reactor)
            throw error
        }
    }

    /// - Returns: the answer of a method that the server answers by itself; the others' come later.
    private func begin(
        _ stream: ObservedStream, _ target: Router.Target, on reactor: Reactor
    ) throws(CallError) -> OutgoingObserved? {
        nextSerial += 1
        stream.serial = nextSerial
        stream.progress.startsAgain()
        guard !target.isBuiltIn else {
            let request = stream.request
            let message = try services.control.answer(
                to: target.method, request: request.span, from: client.hello(in: stream.context))
            let answer = ObservedAnswer(
                message: message, fetchedAt: .now, origin: .hit, cursor: ObservedAnswer.cursor(of: message),
                version: 1)
            return OutgoingObserved(answer, for: stream.context, deflates: false)
        }
        guard let registration else { return nil }
        let (id, serial, loop) = (stream.streamID, stream.serial, reactor.loop)
        let (context, deflates) = (stream.context, stream.context.acceptsDeflate)
        let call = Call(
            method: target.method, request: stream.request, deadline: .now + stream.timeout,
            caller: stream.access.caller,
            refusals: services.switches.refusals(within: target.method, for: client.hello(in: stream.context))
        )
        let observation = try services.source.observe(call) { observed in
            let outgoing = Result(observed, for: context, deflates: deflates)
            loop.execute { reactor in
                guard let connection = reactor.handler(of: registration) as? Connection else { return }
                connection.told(id, serial, outgoing, on: reactor)
            }
        }
        stream.follow(observation)
        return nil
    }

    private func told(
        _ id: UInt32, _ serial: UInt64, _ result: Result<OutgoingObserved, CallError>, on reactor: Reactor
    ) {
        guard let stream = observed[id], stream.serial == serial else { return }
        write(on: reactor) { output in
            switch result {
            case .success(let answer): tell(stream, answer, &output, on: reactor)
            case .failure(let error): end(stream, error, &output, on: reactor)
            }
        }
    }

    private func tell(
        _ stream: ObservedStream, _ observed: OutgoingObserved, _ output: inout FrameWriter,
        on reactor: Reactor
    ) {
        stream.answered(on: reactor)
        let decision = stream.progress.told(
            observed.mark, version: observed.version, isWaiting: session.isWaiting(stream.streamID))
        switch decision {
        case .nothing: break
        case .withdraw: session.withdraw(stream.streamID)
        case .offer:
            group.metrics.answered(1, from: observed.answer.origin)
            session.next(
                stream.streamID, metadata: observed.answer.metadata, message: observed.answer.message,
                into: &output)
        }
    }

    private func end(
        _ stream: ObservedStream, _ error: CallError, _ output: inout FrameWriter, on reactor: Reactor
    ) {
        observed[stream.streamID] = nil
        stream.end(on: reactor)
        fail(stream.streamID, error, &output)
    }

    func firstAnswerTimedOut(_ stream: ObservedStream, on reactor: Reactor) {
        write(on: reactor) { end(stream, .deadlineExceeded(after: stream.timeout), &$0, on: reactor) }
    }

    /// The client does not want to hear more.
    func stopObserving(_ id: UInt32, on reactor: Reactor) {
        observed.removeValue(forKey: id)?.end(on: reactor)
    }

    /// Nobody is told.
    func endObserving(on reactor: Reactor) {
        for stream in exchange(&observed, with: [:]).values {
            group.metrics.callEnded(.cancelled)
            stream.end(on: reactor)
        }
    }

    /// The server goes away: whoever observes goes on at another one, with the cursor of the last answer.
    func endObservingForGoAway(on reactor: Reactor) {
        guard !observed.isEmpty else { return }
        write(on: reactor) { output in
            for stream in exchange(&observed, with: [:]).values {
                stream.end(on: reactor)
                group.metrics.callEnded(.unavailable)
                session.failed(
                    stream.streamID, .rejected, "UNAVAILABLE: the server is going away, connect again",
                    into: &output)
            }
        }
    }

    /// Another generation serves from now on: whoever observes is told what is another answer there.
    func observeAgain(on reactor: Reactor) {
        guard !observed.isEmpty else { return }
        write(on: reactor) { output in
            for stream in Array(observed.values) {
                do throws(CallError) {
                    let route = stream.route
                    guard let target = services.router.target(of: route.span) else {
                        throw services.router.unknown(route.span, .none)
                    }
                    try services.switches.check(target.method, for: client.hello(in: stream.context))
                    if let answer = try begin(stream, target, on: reactor) {
                        tell(stream, answer, &output, on: reactor)
                    }
                } catch {
                    end(stream, error, &output, on: reactor)
                }
            }
        }
    }
}

/// An answer to an observer, ready to go out.
struct OutgoingObserved: Sendable {
    let answer: OutgoingAnswer
    let mark: ObserverProgress.Mark
    let version: UInt64

    /// Deflating is not for an event loop.
    init(_ observed: ObservedAnswer, for context: CallContext, deflates: Bool) {
        answer = OutgoingAnswer(observed, for: context, deflates: deflates)
        mark = .init(cursor: observed.cursor, isStale: observed.origin.isStale)
        version = observed.version
    }
}

extension Result where Success == OutgoingObserved, Failure == CallError {
    fileprivate init(_ observed: Observed, for context: CallContext, deflates: Bool) {
        switch observed {
        case .answer(let answer): self = .success(OutgoingObserved(answer, for: context, deflates: deflates))
        case .failed(let error): self = .failure(error)
        }
    }
}
