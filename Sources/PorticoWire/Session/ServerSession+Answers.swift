/// What the server answers. Answers to streams that are gone (cancelled meanwhile, say) are dropped.
extension ServerSession {
    /// The only or the last item of an answer; the end of a fire-and-forget, which is not told of it.
    /// - Parameter metadata: composite; at most 255 bytes, or one client misreads it.
    package mutating func answered(
        _ streamID: UInt32, metadata: [UInt8]?, message: [UInt8], into output: inout FrameWriter
    ) {
        guard let stream = streams[streamID], !stream.isAnswered else { return }
        // The common case: a small answer to a plain request, with nothing in its way.
        if case .response = stream.kind, message.count <= limits.fragmentBytes, hasRoom(output) {
            streams.removeValue(forKey: streamID)
            output.payload(
                on: streamID, [.next, .complete], metadata: metadata, message: message, message.indices)
            return
        }
        if case .fireAndForget = stream.kind { return forget(streamID) }
        streams[streamID]?.isAnswered = true
        offer(streamID, metadata: metadata, message: message, .complete, into: &output)
    }

    /// One of several items of a stream. Without credit for it it waits, and takes the place of one that waits already.
    package mutating func next(
        _ streamID: UInt32, metadata: [UInt8]?, message: [UInt8], into output: inout FrameWriter
    ) {
        guard let stream = streams[streamID], !stream.isAnswered, stream.kind == .stream else { return }
        offer(streamID, metadata: metadata, message: message, .more, into: &output)
    }

    /// An item given by ``next(_:metadata:message:into:)`` has not begun its way out: it may be replaced, or taken back.
    package func isWaiting(_ streamID: UInt32) -> Bool { streams[streamID]?.waiting != nil }

    /// Takes a waiting item back.
    package mutating func withdraw(_ streamID: UInt32) { streams[streamID]?.waiting = nil }

    /// - Parameter text: `CODE: message`.
    package mutating func failed(
        _ streamID: UInt32, _ code: ErrorCode, _ text: String, into output: inout FrameWriter
    ) {
        guard let stream = streams[streamID], !stream.isAnswered else { return }
        forget(streamID)
        if stream.kind != .fireAndForget { output.error(code, on: streamID, text) }
    }

    /// Writes what waits, as far as there is room. Call it after the output was written to the socket.
    package mutating func fill(_ output: inout FrameWriter) {
        while hasRoom(output), !outgoing.isEmpty {
            guard
                let done = outgoing.writeFragment(into: &output, fragmentBytes: limits.fragmentBytes)
            else { continue }
            switch done.ending {
            case .complete: streams.removeValue(forKey: done.streamID)
            case .more: release(done.streamID)
            }
        }
    }

    func hasRoom(_ output: borrowing FrameWriter) -> Bool {
        output.count < limits.outputBytes
    }

    private mutating func offer(
        _ streamID: UInt32, metadata: [UInt8]?, message: [UInt8], _ ending: OutgoingAnswers.Ending,
        into output: inout FrameWriter
    ) {
        streams[streamID]?.waiting = (metadata, message, ending)
        release(streamID)
        fill(&output)
    }

    /// Sends the waiting item on its way, if there is credit and nothing of the stream is being written.
    mutating func release(_ streamID: UInt32) {
        guard let stream = streams[streamID], let item = stream.waiting, stream.credits > 0,
            !outgoing.holds(streamID)
        else { return }
        streams[streamID]?.credits -= 1
        streams[streamID]?.waiting = nil
        outgoing.add(streamID, metadata: item.metadata, message: item.message, item.ending)
    }
}
