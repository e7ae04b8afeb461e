/// What clients ask.
extension ServerSession {
    mutating func requested(
        _ kind: RequestKind, on streamID: UInt32, _ flags: FrameFlags, credits: UInt32?, _ payload: Payload,
        _ frame: Span<UInt8>, at now: Instant, into output: inout FrameWriter
    ) -> Action {
        guard !streamID.isMultiple(of: 2) else {
            return end(
                .connectionError, "INVALID_ARGUMENT: a client's streams are odd, not \(streamID)",
                into: &output)
        }
        guard streams[streamID] == nil, assemblies[streamID] == nil else { return .none }
        if let refusal = refusal(of: kind, credits: credits) {
            reject(streamID, kind, refusal.code, refusal.text, into: &output)
            return .none
        }
        let credits = credits.map(Int.init) ?? 1
        guard flags.contains(.follows) else {
            if let text = excess(of: payload) {
                reject(streamID, kind, .rejected, text, into: &output)
                return .none
            }
            streams[streamID] = Stream(kind: kind, credits: credits)
            return .serve(streamID, kind, payload)
        }
        let deadline = now.advanced(by: limits.requestTimeout)
        assemblies[streamID] = Assembly(kind: kind, credits: credits, deadline: deadline)
        assemblyDeadline = assemblyDeadline ?? deadline
        return continued(streamID, flags, payload, frame, into: &output)
    }

    /// Why a request is not begun, if it is not.
    private func refusal(
        of kind: RequestKind, credits: UInt32?
    ) -> (code: ErrorCode, text: String)? {
        if isDraining {
            return (.rejected, "UNAVAILABLE: the server is going away, connect again")
        }
        if case .channel = kind {
            return (.rejected, "UNIMPLEMENTED: no method takes a stream of requests")
        }
        guard streams.count + assemblies.count < limits.streams else {
            return (
                .rejected, "RESOURCE_EXHAUSTED: \(limits.streams) requests are in flight on this connection"
            )
        }
        if credits == 0 { return (.invalid, "INVALID_ARGUMENT: \(WireError.zeroCredits.reason)") }
        return nil
    }

    private func excess(of payload: Payload) -> String? {
        if let metadata = payload.metadata, metadata.count > limits.metadataBytes {
            return Self.text(of: .metadataTooLong(limit: limits.metadataBytes))
        }
        guard payload.data.count > limits.messageBytes else { return nil }
        return Self.text(of: .messageTooLong(limit: limits.messageBytes))
    }

    /// A fragment of a request; of one that is not being put together it is ignored.
    mutating func continued(
        _ streamID: UInt32, _ flags: FrameFlags, _ payload: Payload, _ frame: Span<UInt8>,
        into output: inout FrameWriter
    ) -> Action {
        guard var assembly = assemblies.removeValue(forKey: streamID) else { return .none }
        let before = assembly.parts.byteCount
        let room = limits.messageBytes + limits.metadataBytes - assembledBytes
        do throws(Reassembly.Failure) {
            guard payload.byteCount <= room else { throw .messageTooLong(limit: limits.messageBytes) }
            try assembly.parts.append(
                payload, in: frame, messageBytes: limits.messageBytes, metadataBytes: limits.metadataBytes)
        } catch {
            assembledBytes -= before
            let code: ErrorCode = error == .metadataAfterData ? .invalid : .rejected
            reject(streamID, assembly.kind, code, Self.text(of: error), into: &output)
            return .none
        }
        // Of both flags, C counts: "implicitly ignores the F flag".
        guard flags.contains(.follows), !flags.contains(.complete) else {
            assembledBytes -= before
            streams[streamID] = Stream(kind: assembly.kind, credits: assembly.credits)
            return .serveJoined(streamID, assembly.kind, assembly.parts)
        }
        assembledBytes += assembly.parts.byteCount - before
        assemblies[streamID] = assembly
        return .none
    }

    /// Requests whose last fragment is overdue are given up; their streams are free again.
    mutating func giveUpAssemblies(at now: Instant, into output: inout FrameWriter) {
        guard let earliest = assemblyDeadline, now >= earliest else { return }
        for (streamID, assembly) in assemblies.sorted(by: { $0.key < $1.key }) where now >= assembly.deadline
        {
            forget(streamID)
            reject(
                streamID, assembly.kind, .rejected, "DEADLINE_EXCEEDED: the request took too long to arrive",
                into: &output)
        }
        assemblyDeadline = assemblies.values.lazy.map(\.deadline).min()
    }

    private static func text(of failure: Reassembly.Failure) -> String {
        switch failure {
        case .metadataTooLong(let limit): "RESOURCE_EXHAUSTED: the request's metadata is over \(limit) bytes"
        case .messageTooLong(let limit): "RESOURCE_EXHAUSTED: the request is over \(limit) bytes"
        case .metadataAfterData: "INVALID_ARGUMENT: a fragment brings metadata after data"
        }
    }

    /// Nobody is told of a fire-and-forget's end.
    private func reject(
        _ streamID: UInt32, _ kind: RequestKind, _ code: ErrorCode, _ text: String,
        into output: inout FrameWriter
    ) {
        if case .fireAndForget = kind { return }
        output.error(code, on: streamID, text)
    }

    mutating func granted(
        _ credits: UInt32, on streamID: UInt32, into output: inout FrameWriter
    ) -> Action {
        guard credits > 0 else {
            guard streams[streamID] != nil || assemblies[streamID] != nil else { return .none }
            let isServing = streams[streamID]?.isAnswered == false
            forget(streamID)
            output.error(.invalid, on: streamID, "INVALID_ARGUMENT: \(WireError.zeroCredits.reason)")
            return isServing ? .abandon(streamID) : .none
        }
        // 32 bits at a time do not fill 64.
        assemblies[streamID]?.credits += Int(credits)
        guard streams[streamID] != nil else { return .none }
        streams[streamID]?.credits += Int(credits)
        release(streamID)
        fill(&output)
        return .none
    }

    mutating func cancelled(_ streamID: UInt32) -> Action {
        let isServing = streams[streamID]?.isAnswered == false
        forget(streamID)
        return isServing ? .abandon(streamID) : .none
    }

    /// The stream is gone, whatever was happening on it.
    mutating func forget(_ streamID: UInt32) {
        if let assembly = assemblies.removeValue(forKey: streamID) {
            assembledBytes -= assembly.parts.byteCount
        }
        if streams.removeValue(forKey: streamID) != nil { outgoing.remove(streamID) }
    }
}
