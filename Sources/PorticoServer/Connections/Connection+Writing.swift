import PorticoConfig
import PorticoEventLoop
import PorticoWire

/// Output: gathered while a turn lasts, written at its end, and reading stopped while the client does not keep up.
extension Connection {
    /// Content below it is copied between the frames' heads: that costs less than to send one piece more.
    private static let smallestLentBytes = 8 << 10

    /// Lends the queue's own storage to whoever writes frames, or the loop's when nothing is queued; nothing is copied.
    func takeOutput() -> FrameWriter {
        guard queue.isEmpty else { return FrameWriter(queue.lend()) }
        return FrameWriter(takeSpare(), smallestLentBytes: Self.smallestLentBytes)
    }

    private func takeSpare() -> [UInt8] { exchange(&group.spareOutput, with: []) }

    func returnOutput(_ output: consuming FrameWriter, on reactor: Reactor) {
        var output = output
        if !output.lent.isEmpty { output.join() }
        queue.takeBack(&output.bytes)
        if !queue.isEmpty || session.hasWaitingOutput { scheduleFlush(on: reactor) }
    }

    @discardableResult
    func write<Result>(on reactor: Reactor, _ body: (inout FrameWriter) -> Result) -> Result {
        // Sent at the turn's end, out of the queue: nothing is lent.
        var output = FrameWriter(queue.isEmpty ? takeSpare() : queue.lend())
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
        guard registration != nil else { return }
        var output = takeOutput()
        flush(&output, on: reactor)
    }

    /// - Parameter output: taken before; the loop has its storage back afterwards.
    func flush(_ output: inout FrameWriter, on reactor: Reactor) {
        guard send(&output, on: reactor) else { return }
        if session.hasWaitingOutput, !isBlocked {
            output = takeOutput()
            session.fill(&output)
            let isMore = session.hasWaitingOutput
            guard send(&output, on: reactor) else { return }
            if isMore { scheduleFlush(on: reactor) }
        }
        settle(on: reactor)
    }

    /// - Returns: false when the connection broke and is closed.
    private func send(_ output: inout FrameWriter, on reactor: Reactor) -> Bool {
        guard registration != nil else { return false }
        let (outcome, sentBytes) = queue.flush(&output, to: socket)
        counts.bytesSent += sentBytes
        group.metrics.sentBytes.add(sentBytes)
        switch outcome {
        case .drained:
            isBlocked = false
            group.takeBack(&output.bytes)
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
        if case .finishing = phase, queue.isEmpty, !session.hasWaitingOutput { finishedSending() }
        // A client that reads gets its turn at each drain, so that it can cancel or ask for small things meanwhile;
        // one that does not read is not read from.
        let isBehind =
            isBlocked && queue.count + session.waitingBytes > services.limits.queuedBytesPerConnection
        reactor.setInterest(Interest(reading: !isBehind, writing: isBlocked), of: registration)
        endIfDrained(on: reactor)
    }
}
