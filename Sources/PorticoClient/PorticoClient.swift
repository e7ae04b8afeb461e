import PorticoWire
import Synchronization

/// One connection to a Portico server, for any number of calls at a time.
///
/// ```swift
/// let client = try PorticoClient.connect(to: "127.0.0.1:7400")
/// let reply = try await client.call("starwars.v1.Characters/ListPeople", request: [])
/// ```
/// Messages go in and out encoded; the types for them come from `protoc`, or from the server's own schema
/// (`portico.v1.Control/GetSchema`). Threads: a reader thread of the client's own; every method may be called from
/// anywhere. Lock order: `state`, then `writing`.
public final class PorticoClient: Sendable {
    private struct State: ~Copyable {
        var conversation: Conversation
        var waiters: [UInt32: AsyncThrowingStream<Reply, any Error>.Continuation] = [:]
        /// Set once, when the connection has ended.
        var end: PorticoClientError?
    }

    private let socket: BlockingSocket
    private let state: Mutex<State>
    /// Keeps frames of different callers whole.
    private let writing = Mutex(())

    private init(socket: BlockingSocket, options: ConnectionOptions) {
        self.socket = socket
        state = Mutex(State(conversation: Conversation(limitBytes: options.maximumAnswerBytes)))
    }

    deinit { socket.shutdown() }

    /// - Parameter address: `HOST:PORT`, `[V6]:PORT` or `unix:PATH`. Blocks while connecting.
    public static func connect(
        to address: String, options: ConnectionOptions = ConnectionOptions()
    ) throws(PorticoClientError) -> PorticoClient {
        let socket = try BlockingSocket.connect(to: address)
        let client = PorticoClient(socket: socket, options: options)
        guard socket.write(setupFrame(options)) else {
            throw .disconnected(reason: "\(address) closed the connection at once")
        }
        ConnectionReader(socket: socket, options: options, client: client).start()
        return client
    }

    /// Calls a method and waits for its answer.
    /// - Parameters:
    ///   - route: `package.Service/Method`.
    ///   - request: the encoded request message.
    /// - Throws: ``PorticoClientError``, or `CancellationError` when the task is cancelled.
    public func call(
        _ route: String, request: [UInt8], options: CallOptions = CallOptions()
    ) async throws -> Reply {
        let (stream, _) = try open(.response, route, request, options)
        for try await reply in stream { return reply }
        try Task.checkCancellation()
        throw PorticoClientError.protocolViolation("\(route) ended without an answer")
    }

    /// Observes a method: its current answer, then each new one.
    /// - Throws: ``PorticoClientError`` when the connection has ended.
    public func observe(
        _ route: String, request: [UInt8], options: CallOptions = CallOptions()
    ) throws(PorticoClientError) -> Answers {
        let (stream, id) = try open(.stream, route, request, options)
        return Answers(stream: stream) {  // keeps the client, and so the connection, while it is read
            var writer = FrameWriter()
            writer.requestN(1, on: id)
            self.write(writer.bytes)
        }
    }

    /// Asks the server to have a method's answer at hand; nothing comes back.
    public func warm(
        _ route: String, request: [UInt8], options: CallOptions = CallOptions()
    ) throws(PorticoClientError) {
        _ = try open(.fireAndForget, route, request, options)
    }

    /// Ends the connection; calls in flight fail.
    public func close() { ended(.disconnected(reason: "closed by this client")) }

    // MARK: Sending

    private typealias Replies = AsyncThrowingStream<Reply, any Error>

    private func open(
        _ kind: RequestKind, _ route: String, _ request: [UInt8], _ options: CallOptions
    ) throws(PorticoClientError) -> (Replies, UInt32) {
        guard route.utf8.count <= 255 else {
            throw .failed(code: StatusCode.unimplemented.name, message: "no method has a name that long")
        }
        let (stream, continuation) = Replies.makeStream()
        let opened = state.withLock { state -> Result<UInt32, PorticoClientError> in
            if let end = state.end { return .failure(end) }
            guard let id = state.conversation.begin(kind) else {
                return .failure(.disconnected(reason: "every stream id is used: connect again"))
            }
            if kind != .fireAndForget { state.waiters[id] = continuation }
            return .success(id)
        }
        let id = try opened.get()
        continuation.onTermination = { [weak self] _ in self?.abandoned(id) }
        var writer = FrameWriter()
        writer.request(
            kind, on: id, initialCredits: kind == .stream ? 1 : nil, metadata: options.metadata(route: route),
            data: request)
        write(writer.bytes)
        return (stream, id)
    }

    private func abandoned(_ id: UInt32) {
        let mustTell = state.withLock { state in
            state.waiters[id] = nil
            return state.conversation.cancelled(id)
        }
        guard mustTell else { return }
        var writer = FrameWriter()
        writer.cancel(id)
        write(writer.bytes)
    }

    /// A failed write shows at the reader, which ends every call.
    func write(_ bytes: [UInt8]) {
        let isWritten = writing.withLock { _ in socket.write(bytes) }
        if !isWritten { socket.shutdown() }
    }

    private static func setupFrame(_ options: ConnectionOptions) -> [UInt8] {
        var hello = Hello()
        hello.clientID = options.clientID
        hello.appVersion = options.appVersion
        hello.platform = options.platform
        hello.locale = options.locale
        hello.acceptsGoAway = true
        var metadata = MetadataWriter()
        if let token = options.token { metadata.bearer(token) }
        var writer = FrameWriter()
        writer.setup(
            keepaliveMilliseconds: options.keepalive.wholeMilliseconds,
            lifetimeMilliseconds: options.lifetime.wholeMilliseconds,
            metadataMIME: MetadataMIME.composite.name, dataMIME: MetadataMIME.protobuf.name,
            metadata: metadata.bytes.isEmpty ? nil : metadata.bytes, data: hello.encoded())
        return writer.bytes
    }

    // MARK: Receiving, on the reader's thread

    /// - Parameter frame: without its length prefix.
    func received(_ frame: Span<UInt8>) throws(WireError) {
        let (event, waiter) = try state.withLock { state throws(WireError) in
            let event = try state.conversation.received(frame)
            return (event, event.streamID.flatMap { state.waiters[$0] })
        }
        switch event {
        case .none, .goingAway: break
        case .send(let bytes): write(bytes)
        case .answered(_, let metadata, let data, let isLast):
            waiter?.yield(Reply(metadata: metadata, data: data))
            if isLast { waiter?.finish() }
        case .completed: waiter?.finish()
        case .failed(_, let text): waiter?.finish(throwing: PorticoClientError(serverText: text))
        case .closed(let text): ended(.disconnected(reason: text))
        }
    }

    /// The first reason counts; every call in flight is told it.
    func ended(_ reason: PorticoClientError) {
        let waiters = state.withLock { state in
            if state.end == nil { state.end = reason }
            return exchange(&state.waiters, with: [:])
        }
        socket.shutdown()
        for waiter in waiters.values { waiter.finish(throwing: reason) }
    }
}

extension Conversation.Event {
    fileprivate var streamID: UInt32? {
        switch self {
        case .answered(let id, _, _, _), .completed(let id), .failed(let id, _): id
        case .none, .send, .goingAway, .closed: nil
        }
    }
}
