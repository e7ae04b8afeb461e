import PorticoConfig
import PorticoEventLoop
import PorticoWire

/// Output: gathered while a turn lasts, written at its end, and reading stopped while the client does not keep up.
extension Connection {
    /// Lends the queue's own storage to whoever writes frames, or the loop's when nothing is queued; nothing is copied.
    func takeOutput() -> FrameWriter {
        guard queue.isEmpty else {
            var output = FrameWriter()
            queue.withAppending { swap(&$0, &output.bytes) }
            return output
        }
        return FrameWriter(exchange(&group.spareOutput, with: []))
    }

    /// For whoever flushes it at once. Swapped, not handed over: a second reference would make the next write a copy.
    func keepOutput(_ output: inout FrameWriter) {
        queue.withAppending { swap(&$0, &output.bytes) }
    }

    func returnOutput(_ output: consuming FrameWriter, on reactor: Reactor) {
        var output = output
        keepOutput(&output)
        if !queue.isEmpty || session.hasWaitingOutput { scheduleFlush(on: reactor) }
    }

    @discardableResult
    func write<Result>(on reactor: Reactor, _ body: (inout FrameWriter) -> Result) -> Result {
        var output = takeOutput()
        let result = body(&output)
        returnOutput(output, on: reactor)
        return result
    }

    func scheduleFlush(on reactor: Reactor) {
        guard !isFlushDue, !isBlocked, let registration else { return }
        isFlushDue = true
        reactor.notifyAtTurnEnd(registration)
    }

    /// Writes once what is queued and once what comes up behind it; the rest waits for the next turn, so that other
    /// connections have theirs.
    func flush(on reactor: Reactor) {
        guard sendQueued(on: reactor) else { return }
        if session.hasWaitingOutput, !isBlocked {
            var output = takeOutput()
            session.fill(&output)
            returnOutput(output, on: reactor)
            guard sendQueued(on: reactor) else { return }
        }
        settle(on: reactor)
    }

    /// - Returns: false when the connection broke and is closed.
    private func sendQueued(on reactor: Reactor) -> Bool {
        guard registration != nil else { return false }
        guard !queue.isEmpty else { return true }
        let before = queue.count
        let outcome = queue.flush(to: socket)
        counts.bytesSent += before - queue.count
        group.metrics.sentBytes.add(before - queue.count)
        switch outcome {
        case .drained:
            isBlocked = false
            group.takeBack(&queue)
        case .pending: isBlocked = true
        case .failed:
            close("the connection broke", on: reactor)
            return false
        }
        return true
    }

    /// Asks for the events that the state calls for.
    private func settle(on reactor: Reactor) {
        guard let registration else { return }
        if queue.isEmpty, !session.hasWaitingOutput { finishedSending() }
        let queued = queue.count + session.waitingBytes
        // A client that reads gets its turn at each drain, so that it can cancel or ask for small things meanwhile;
        // one that does not read is not read from.
        let isBehind = isBlocked && queued > services.limits.queuedBytesPerConnection
        var interest: Interest = isBehind ? [] : .read
        if isBlocked { interest.insert(.write) }
        reactor.setInterest(interest, of: registration)
        endIfDrained(on: reactor)
    }
}
