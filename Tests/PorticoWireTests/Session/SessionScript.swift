import PorticoWire

/// A session with a client's hand on it: frames go in by name, what comes out is text that tests can state.
struct SessionScript: ~Copyable {
    var session: ServerSession
    var output = FrameWriter()
    var now = Instant(nanoseconds: 1_000_000_000)
    let start: Instant

    init(
        messageBytes: Int = 1000, metadataBytes: Int = 100, streams: Int = 4, fragmentBytes: Int = 10,
        outputBytes: Int = 1 << 16
    ) {
        var limits = SessionLimits(
            messageBytes: messageBytes, metadataBytes: metadataBytes, streams: streams,
            setupTimeout: .seconds(10))
        limits.fragmentBytes = fragmentBytes
        limits.outputBytes = outputBytes
        session = ServerSession(limits: limits, at: now)
        start = now
    }

    /// One that has had its SETUP (lifetime 60 s).
    static func open(
        messageBytes: Int = 1000, metadataBytes: Int = 100, streams: Int = 4, outputBytes: Int = 1 << 16
    ) -> SessionScript {
        var script = SessionScript(
            messageBytes: messageBytes, metadataBytes: metadataBytes, streams: streams,
            outputBytes: outputBytes)
        _ = script.send { $0.goodSetup() }
        return script
    }

    mutating func send(_ write: (inout FrameWriter) -> Void) -> ServerSession.Action {
        var writer = FrameWriter()
        write(&writer)
        return session.received(writer.bytes.span.extracting(droppingFirst: 3), at: now, into: &output)
    }

    mutating func send(hex: String) -> ServerSession.Action {
        session.received(bytes(hex: hex).span, at: now, into: &output)
    }

    mutating func pass(_ duration: Duration) -> ServerSession.Action {
        now = now.advanced(by: duration)
        return session.deadlinePassed(at: now, into: &output)
    }

    mutating func answer(_ streamID: UInt32, _ text: String) {
        session.answered(streamID, metadata: nil, message: Array(text.utf8), into: &output)
    }

    /// What was written since the last call, a line a frame: `1 PAYLOAD FNC "text"`.
    mutating func written() throws -> [String] {
        var splitter = FrameSplitter(limitBytes: FrameWriter.maximumFrameBytes)
        let bytes = output.bytes
        output.bytes = []
        var offset = 0
        var lines: [String] = []
        while case .inPlace(let range)? = try splitter.next(in: bytes.span, from: &offset) {
            let frame = Array(bytes[range])
            lines.append(line(of: try Frame(frame.span), frame))
        }
        return lines
    }

    private func line(of frame: Frame, _ bytes: [UInt8]) -> String {
        func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
        switch frame.body {
        case .payload(let payload):
            let flags = [("F", FrameFlags.follows), ("N", .next), ("C", .complete)]
                .filter { frame.flags.contains($0.1) }.map(\.0).joined()
            let metadata = payload.metadata.map { " [\(text($0))]" } ?? ""
            return "\(frame.streamID) PAYLOAD \(flags)\(metadata) \(text(payload.data))"
        case .error(let code, let text):
            return
                "\(frame.streamID) ERROR \(String(code, radix: 16)) \(String(decoding: bytes[text], as: UTF8.self))"
        case .keepalive(_, let data):
            return "KEEPALIVE\(frame.flags.contains(.respond) ? " R" : "") \(text(data))"
        case .metadataPush(let range): return "METADATA_PUSH \(range.count)"
        case .setup, .lease, .request, .requestN, .cancel, .resume, .resumeOK, .ignored:
            return "\(frame)"
        }
    }
}

extension FrameWriter {
    mutating func goodSetup() {
        setup(
            keepaliveMilliseconds: 20_000, lifetimeMilliseconds: 60_000,
            metadataMIME: MetadataMIME.composite.name, dataMIME: MetadataMIME.protobuf.name, metadata: nil,
            data: [])
    }
}
