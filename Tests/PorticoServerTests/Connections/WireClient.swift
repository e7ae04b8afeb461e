import PorticoConfig
import PorticoWire
import Testing

@testable import PorticoEventLoop
@testable import PorticoServer

/// A client that writes frames and reads frames, and nothing else.
struct WireClient: ~Copyable {
    private let raw: RawClient
    private var splitter = FrameSplitter(limitBytes: FrameWriter.maximumFrameBytes)
    private var piece: [UInt8] = []
    private var offset = 0

    init(_ address: SocketAddress) throws { raw = try RawClient(address) }

    /// With a SETUP sent. It does not answer when it is asked whether it lives, and is not for an hour: between two steps
    /// a test may wait for the whole suite.
    static func ready(
        _ address: SocketAddress, token: String? = nil, hello: Hello = Hello()
    ) throws -> WireClient {
        let client = try WireClient(address)
        var metadata = MetadataWriter()
        if let token { metadata.bearer(token) }
        client.send {
            $0.setup(
                keepaliveMilliseconds: 20_000, lifetimeMilliseconds: 7_200_000,
                metadataMIME: MetadataMIME.composite.name, dataMIME: MetadataMIME.protobuf.name,
                metadata: metadata.bytes, data: hello.encoded())
        }
        return client
    }

    borrowing func send(_ bytes: [UInt8]) { raw.send(bytes) }

    borrowing func send(_ write: (inout FrameWriter) -> Void) {
        var writer = FrameWriter()
        write(&writer)
        raw.send(writer.bytes)
    }

    borrowing func request(
        _ route: String, on id: UInt32, _ kind: RequestKind = .response, data: [UInt8] = [],
        credits: UInt32 = 5, token: String? = nil, context: CallContext? = nil
    ) {
        var metadata = MetadataWriter()
        metadata.route(route)
        if let token { metadata.bearer(token) }
        if let context { metadata.context(context.encoded()) }
        send {
            $0.request(
                kind, on: id, initialCredits: kind == .stream ? credits : nil, metadata: metadata.bytes,
                data: data)
        }
    }

    /// Nil: the server has closed.
    mutating func frame() throws -> (frame: Frame, bytes: [UInt8])? {
        while true {
            let (current, start) = (piece, offset)
            var end = start
            let found = try splitter.next(in: current.span, from: &end)
            offset = end
            if let found {
                switch found {
                case .inPlace(let range):
                    let bytes = Array(current[range])
                    return (try Frame(bytes.span), bytes)
                case .joined(let bytes): return (try Frame(bytes.span), bytes)
                }
            }
            guard let more = raw.read() else { return nil }
            (piece, offset) = (more, 0)
        }
    }

    /// Of the next frame; nil: it has none.
    mutating func responseContext() throws -> ResponseContext? {
        guard let (frame, bytes) = try frame(), case .payload(let payload) = frame.body,
            let range = try payload.metadata.flatMap({ try RequestMetadata($0, in: bytes.span).context })
        else { return nil }
        return try ResponseContext(range, in: bytes.span)
    }

    /// The next frame in words: `1 PAYLOAD hi`, `1 ERROR 201 NOT_FOUND: …`; fragments joined; `closed` at the end.
    mutating func line() throws -> String {
        var joined: [UInt8] = []
        while let (frame, bytes) = try frame() {
            switch frame.body {
            case .payload(let payload):
                joined += bytes[payload.data]
                if frame.flags.contains(.follows) { continue }
                return "\(frame.streamID) PAYLOAD \(String(decoding: joined, as: UTF8.self))"
            case .error(let code, let range):
                let text = String(decoding: bytes[range], as: UTF8.self)
                return "\(frame.streamID) ERROR \(String(code, radix: 16)) \(text)"
            case .keepalive(_, let data): return "KEEPALIVE \(String(decoding: bytes[data], as: UTF8.self))"
            case .metadataPush(let range):
                let items = try RequestMetadata(range, in: bytes.span)
                let goAway = try GoAway(items.context ?? 0..<0, in: bytes.span)
                return "GOAWAY \(goAway.reason)"
            case .setup, .lease, .request, .requestN, .cancel, .resume, .resumeOK, .ignored:
                return "\(frame)"
            }
        }
        return "closed"
    }
}

/// Runs a blocking client off the threads that the server's tasks need.
func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        do {
            try startThread { continuation.resume(with: Result { try body() }) }
        } catch {
            continuation.resume(throwing: error)
        }
    }
}

/// A running server with a ``FakeSource`` behind it, stopped at the end.
func withServer(
    _ adjust: (inout Configuration) -> Void = { _ in },
    log: Log = Log(Configuration.Log(), write: { _ in }),
    _ body: (RunningServer, SocketAddress, FakeSource) async throws -> Void
) async throws {
    var configuration = Configuration(environment: "Test")
    configuration.listen.address = "127.0.0.1:0"
    // Tests share the machine's few task threads: a call may wait for the whole suite before its task runs.
    configuration.limits.callTimeout = .seconds(600)
    configuration.limits.longestCallTimeout = .seconds(600)
    configuration.limits.idleTimeout = .seconds(7200)
    configuration.listen.loops = 1
    adjust(&configuration)
    let source = FakeSource(FakeSource.schema)
    let metrics = Metrics()
    let server = Server(
        configuration: configuration, schema: FakeSource.schema, source: source, log: log, metrics: metrics)
    let address = try await server.start()
    do {
        try await body(
            RunningServer(server: server, metrics: metrics, configuration: configuration), address, source)
    } catch {
        await server.stop()
        throw error
    }
    await server.stop()
}

/// A server, and what it counts.
struct RunningServer {
    let server: Server
    let metrics: Metrics
    let configuration: Configuration

    func count(_ name: String, _ label: String? = nil) -> Int? {
        let family = metrics.families.first { $0.name == name }
        return family?.samples.first { label == nil || $0.labels.first?.value == label }.map { Int($0.value) }
    }
}
