import PorticoConfig
import PorticoEventLoop
import PorticoSchema
import PorticoUpstream
import PorticoWire

/// Calls: answered at once when the answer is at hand, by a task when it is not.
extension Connection {
    /// Answers the requests at the front of what is left of `piece` whose very bytes this loop has answered before.
    /// - Returns: whether there was one.
    func answerKnown(
        in piece: Span<UInt8>, from offset: inout Int, _ output: inout FrameWriter, on reactor: Reactor
    ) -> Bool {
        let count = session.answerKnown(
            in: piece, from: &offset, cutBy: splitter, group.quick, quickTerms(on: reactor), into: &output)
        guard count > 0 else { return false }
        answeredQuickly(count)
        return true
    }

    /// As ``answerKnown(in:from:_:on:)``, for a frame that came in several pieces.
    func answerKnown(_ frame: Span<UInt8>, _ output: inout FrameWriter, on reactor: Reactor) -> Bool {
        guard session.answerKnown(frame, group.quick, quickTerms(on: reactor), into: &output) else {
            return false
        }
        answeredQuickly(1)
        return true
    }

    private func quickTerms(on reactor: Reactor) -> QuickAnswers.Terms {
        QuickAnswers.Terms(
            isAuthenticated: client.mayRead, generation: services.sourceGeneration, now: reactor.now)
    }

    private func answeredQuickly(_ requests: Int) {
        counts.requests += requests
        group.metrics.callsEnded(.ok, requests)
        group.metrics.answered(requests, from: .hit)
    }

    /// - Parameter frame: what the request came in; empty if it came in several.
    func serve(
        _ id: UInt32, _ kind: RequestKind, _ metadata: Span<UInt8>, _ request: Span<UInt8>,
        in frame: Span<UInt8>,
        _ output: inout FrameWriter, on reactor: Reactor
    ) {
        counts.requests += 1
        let terms = quickTerms(on: reactor)
        do throws(CallError) {
            let call = try IncomingCall(
                metadata, access: client.access, services: services, hints: &group.hints, at: reactor.now)
            let hello = client.hello(in: call.context)
            try services.switches.check(call.target.method, for: hello)
            let refusals = services.switches.refusals(within: call.target.method, for: hello)
            try call.check(kind, services)
            if kind == .stream { return try observe(id, call, Array(copying: request), &output, on: reactor) }
            // What a client is not given in whole is not at hand.
            guard refusals.isEmpty, let answer = try answerAtHand(to: call, request) else {
                return try startCall(id, call, Array(copying: request), without: refusals, on: reactor)
            }
            if call.context.acceptsDeflate, answer.message.count >= OutgoingAnswer.smallestDeflatedBytes {
                deflate(id, answer, for: call, Array(copying: request), &output, on: reactor)
            } else {
                remember(answer, to: frame, call, terms)
                succeed(id, OutgoingAnswer(answer, for: call.context), &output)
            }
        } catch {
            fail(id, error, &output)
        }
    }

    /// For ``answerKnown(in:from:_:on:)``, if equal bytes are going to come and to get equal bytes.
    private func remember(
        _ answer: Answer, to frame: Span<UInt8>, _ call: IncomingCall, _ terms: QuickAnswers.Terms
    ) {
        guard let end = answer.holdsUntil, answer.message.count <= QuickAnswers.largestAnswerBytes,
            Frame.plainRequest(frame) != nil, !call.context.wantsResponseContext, !call.context.isOfOneCall,
            !services.switches.isSwitched(call.target.method)
        else { return }
        var writer = FrameWriter()
        writer.payload(on: 0, [.next, .complete], metadata: nil, data: answer.message.span)
        group.quick.keep(
            writer.bytes, for: frame, terms,
            until: terms.now + min(ContinuousClock.now.duration(to: end), QuickAnswers.longestUse))
    }

    private func answerAtHand(
        to call: IncomingCall, _ request: Span<UInt8>
    ) throws(CallError) -> Answer? {
        guard call.target.isBuiltIn else {
            return services.source.cachedAnswer(to: call.target.method, request: request)
        }
        let message = try services.control.answer(
            to: call.target.method, request: request, from: client.hello(in: call.context))
        return Answer(message: message, origin: .hit)
    }

    private func succeed(_ id: UInt32, _ answer: OutgoingAnswer, _ output: inout FrameWriter) {
        group.metrics.callEnded(.ok)
        group.metrics.answered(1, from: answer.origin)
        session.answered(id, metadata: answer.metadata, message: answer.message, into: &output)
    }

    func fail(_ id: UInt32, _ error: CallError, _ output: inout FrameWriter) {
        counts.failures += 1
        group.metrics.callEnded(error.code)
        session.failed(id, ErrorCode(error), error.text, into: &output)
    }

    // MARK: Waiting

    private func startCall(
        _ id: UInt32, _ incoming: IncomingCall, _ request: [UInt8],
        without refusals: [MethodID: CallError], on reactor: Reactor
    ) throws(CallError) {
        do { try ProtobufCursor.check(request.span) } catch { throw CallError(error, in: "the request") }
        let timeout = timeout(of: incoming)
        // The whole generation, not only its source: it counts as in memory until its last call has ended.
        let (services, context) = (services, incoming.context)
        let call = Call(
            method: incoming.target.method, request: request, deadline: .now + timeout,
            idempotencyKey: context.idempotencyKey, caller: incoming.access.caller, refusals: refusals)
        let key = DeflatedAnswers.Key(method: call.method, request: request)
        TraceParent.carrying(context.traceParent) {
            wait(for: id, key, timeout, on: reactor) { () async throws(CallError) in
                let answer = try await services.source.answer(to: call)
                return context.acceptsDeflate
                    ? await .deflating(answer, for: context) : OutgoingAnswer(answer, for: context)
            }
        }
    }

    /// Deflating is done once, in a task; after that the loop has the result at hand.
    private func deflate(
        _ id: UInt32, _ answer: Answer, for call: IncomingCall, _ request: [UInt8],
        _ output: inout FrameWriter,
        on reactor: Reactor
    ) {
        let context = call.context
        guard case .untried = answer.deflated else {
            return succeed(id, OutgoingAnswer(deflating: answer, for: context), &output)
        }
        let key = DeflatedAnswers.Key(method: call.target.method, request: request)
        if let pair = group.deflated.pair(for: key, plain: answer.message) {
            return succeed(id, OutgoingAnswer(answer, pair, for: context), &output)
        }
        wait(for: id, key, timeout(of: call), on: reactor) { () async throws(CallError) in
            // Cancelled before its turn: deflating is dear, and nobody is told.
            if Task.isCancelled { throw CallError(UpstreamError.cancelled) }
            return await .deflating(answer, for: context)
        }
    }

    func timeout(of call: IncomingCall) -> Duration {
        let asked = call.context.timeoutMilliseconds
        guard asked > 0 else { return services.limits.callTimeout }
        return min(.milliseconds(Int64(asked)), services.limits.longestCallTimeout)
    }

    /// Runs `work` in a task and brings its result back to the loop. A connection that has gone meanwhile is not found.
    private func wait(
        for id: UInt32, _ key: DeflatedAnswers.Key, _ timeout: Duration, on reactor: Reactor,
        _ work: @escaping @Sendable () async throws(CallError) -> OutgoingAnswer
    ) {
        guard let registration else { return }
        nextSerial += 1
        let (serial, loop) = (nextSerial, reactor.loop)
        // A client waits for it: ahead of refreshes behind answers that were given.
        let task = Task(executorPreference: services.source.executor, priority: .userInitiated) {
            let result: Result<OutgoingAnswer, CallError>
            do throws(CallError) { result = .success(try await work()) } catch { result = .failure(error) }
            loop.execute { reactor in
                guard let connection = reactor.handler(of: registration) as? Connection else { return }
                connection.callEnded(id, serial: serial, result, on: reactor)
            }
        }
        calls[id] = PendingCall(
            streamID: id, serial: serial, key: key, timeout: timeout, task: task, connection: self,
            on: reactor)
    }

    private func callEnded(
        _ id: UInt32, serial: UInt64, _ result: Result<OutgoingAnswer, CallError>, on reactor: Reactor
    ) {
        guard let call = calls[id], call.serial == serial else { return }
        calls[id] = nil
        call.finish(on: reactor)
        write(on: reactor) { output in
            switch result {
            case .success(let answer):
                if let pair = answer.deflated { group.deflated.keep(pair, for: call.key) }
                succeed(id, answer, &output)
            case .failure(let error): fail(id, error, &output)
            }
        }
    }

    func callTimedOut(_ call: PendingCall, on reactor: Reactor) {
        calls[call.streamID] = nil
        call.cancel(on: reactor)
        write(on: reactor) { output in
            fail(call.streamID, .deadlineExceeded(after: call.timeout), &output)
        }
    }
}

extension ProtobufCursor {
    /// Walks over all fields of a message of any type.
    static func check(_ message: Span<UInt8>) throws(ProtobufError) {
        var cursor = ProtobufCursor(0..<message.count)
        while let tag = try cursor.nextTag(in: message) { try cursor.skip(tag.wireType, in: message) }
    }
}
