/// Beginning and keeping alive.
extension ServerSession {
    mutating func receivedFirst(
        _ frame: Frame, _ bytes: Span<UInt8>, at now: Instant, into output: inout FrameWriter
    ) -> Action {
        switch frame.body {
        case .setup(let setup) where frame.streamID == 0:
            if let fault = fault(of: setup, frame.flags, bytes) {
                return end(fault.code, fault.text, into: &output)
            }
            let lifetime = min(
                .milliseconds(Int64(setup.lifetimeMilliseconds)), limits.longestSilence)
            phase = .open(Keepalive(lifetime: lifetime, at: now))
            return .accept(setup)
        case .resume: return end(.rejectedResume, "UNIMPLEMENTED: no session is resumed here", into: &output)
        case .setup, .lease, .keepalive, .request, .requestN, .cancel, .payload, .error, .metadataPush,
            .resumeOK, .ignored:
            return end(
                .invalidSetup, "FAILED_PRECONDITION: the first frame must be SETUP on stream 0", into: &output
            )
        }
    }

    private func fault(
        of setup: SetupFrame, _ flags: FrameFlags, _ bytes: Span<UInt8>
    ) -> (code: ErrorCode, text: String)? {
        guard setup.major == 1 else {
            return (
                .unsupportedSetup,
                "UNIMPLEMENTED: version \(setup.major).\(setup.minor) is not spoken here, 1.0 is"
            )
        }
        if flags.contains(.resume) {
            return (.rejectedSetup, "UNIMPLEMENTED: resuming is not supported, set up without R")
        }
        if flags.contains(.lease) {
            return (.rejectedSetup, "UNIMPLEMENTED: leases are not supported, set up without L")
        }
        guard setup.keepaliveMilliseconds > 0, setup.lifetimeMilliseconds > 0 else {
            return (.invalidSetup, "INVALID_ARGUMENT: keepalive interval and lifetime must be more than 0")
        }
        let mime = bytes.extracting(setup.metadataMIME)
        guard MetadataMIME(name: mime) == .composite else {
            return (
                .unsupportedSetup,
                "INVALID_ARGUMENT: the metadata MIME type must be \(MetadataMIME.composite.name)"
            )
        }
        let metadataBytes = setup.payload.metadata?.count ?? 0
        guard metadataBytes <= limits.metadataBytes else {
            return (
                .rejectedSetup,
                "RESOURCE_EXHAUSTED: \(metadataBytes) bytes of metadata are over the limit of \(limits.metadataBytes)"
            )
        }
        return nil
    }

    /// When to call ``deadlinePassed(at:into:)``; nil once the session is closed. Frames move it: ask again then.
    package var nextDeadline: Instant? {
        switch phase {
        case .awaitingSetup(let deadline): deadline
        case .open(let keepalive): min(keepalive.nextCheck, assemblyDeadline ?? keepalive.nextCheck)
        case .closed: nil
        }
    }

    /// Harmless when it is too early.
    package mutating func deadlinePassed(
        at now: Instant, into output: inout FrameWriter
    ) -> Action {
        switch phase {
        case .awaitingSetup(let deadline):
            guard now >= deadline else { return .none }
            return end(.invalidSetup, "DEADLINE_EXCEEDED: no SETUP in time", into: &output)
        case .open(var keepalive):
            giveUpAssemblies(at: now, into: &output)
            let finding = keepalive.check(at: now)
            phase = .open(keepalive)
            switch finding {
            case .alive: return .none
            case .ask:
                output.keepalive(.respond, data: Span())
                return .none
            case .dead:
                return end(
                    .connectionError, "DEADLINE_EXCEEDED: nothing heard within the lifetime", into: &output)
            }
        case .closed: return .none
        }
    }

    /// No new requests from now on; those in flight go on.
    /// - Parameter goAway: encoded, for a client whose Hello accepts it.
    package mutating func drain(goAway: [UInt8]?, into output: inout FrameWriter) {
        guard case .open = phase, !isDraining else { return }
        isDraining = true
        guard let goAway else { return }
        var metadata = MetadataWriter()
        metadata.context(goAway)
        output.metadataPush(metadata.bytes)
    }
}
