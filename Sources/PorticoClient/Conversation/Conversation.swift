import PorticoWire

/// The client's half of a session as a value: frames in, events out. Socket, clock and waiting callers stay outside.
///
/// Streams are numbered 1, 3, 5, …; an answer in fragments is put together here (Schemas/README.md, "The wire").
struct Conversation: ~Copyable {
    enum Event: Equatable {
        case none
        /// Bytes to send at once: the answer to a KEEPALIVE.
        case send([UInt8])
        /// One answer; with `isLast` its stream has ended.
        case answered(streamID: UInt32, metadata: [UInt8], data: [UInt8], isLast: Bool)
        /// The stream ended without a further answer.
        case completed(streamID: UInt32)
        /// `text` is the server's `CODE: message`.
        case failed(streamID: UInt32, text: String)
        /// The server says that it goes; calls in flight may still end well.
        case goingAway(GoAway)
        /// An error about the connection: nothing else will come.
        case closed(text: String)
    }

    private struct Stream {
        let isSingle: Bool
        var metadata: [UInt8] = []
        var data: [UInt8] = []
    }

    private let limitBytes: Int
    private var nextID: UInt32 = 1
    private var streams: [UInt32: Stream] = [:]

    /// - Parameter limitBytes: of one answer, put together.
    init(limitBytes: Int) { self.limitBytes = limitBytes }

    /// - Returns: the new stream's id, nil when all 2^30 are used up and a new connection is due.
    mutating func begin(_ kind: RequestKind) -> UInt32? {
        guard nextID < 0x8000_0000 else { return nil }
        defer { nextID += 2 }
        switch kind {
        case .response: streams[nextID] = Stream(isSingle: true)
        case .stream, .channel: streams[nextID] = Stream(isSingle: false)
        case .fireAndForget: break
        }
        return nextID
    }

    /// The caller has lost interest.
    /// - Returns: whether the server must be told; false when the stream has ended already.
    mutating func cancelled(_ streamID: UInt32) -> Bool { streams.removeValue(forKey: streamID) != nil }

    /// - Parameter bytes: one frame without its length prefix.
    mutating func received(_ bytes: Span<UInt8>) throws(WireError) -> Event {
        let frame = try Frame(bytes)
        switch frame.body {
        case .payload(let payload): return try payloadArrived(payload, of: frame, in: bytes)
        case .error(_, let text):
            let text = String(decoding: Array(copying: bytes.extracting(text)), as: UTF8.self)
            guard frame.streamID != 0 else { return .closed(text: text) }
            guard streams.removeValue(forKey: frame.streamID) != nil else { return .none }
            return .failed(streamID: frame.streamID, text: text)
        case .keepalive(_, let data):
            guard frame.flags.contains(.respond) else { return .none }
            var writer = FrameWriter()
            writer.keepalive([], data: bytes.extracting(data))
            return .send(writer.bytes)
        case .metadataPush(let range):
            guard let goAway = Self.goAway(range, in: bytes) else { return .none }
            return .goingAway(goAway)
        case .setup, .lease, .request, .requestN, .cancel, .resume, .resumeOK, .ignored:
            return .none  // not a server's to send, or not for us: the protocol says to ignore them
        }
    }

    private mutating func payloadArrived(
        _ payload: Payload, of frame: Frame, in bytes: Span<UInt8>
    ) throws(WireError) -> Event {
        let id = frame.streamID
        guard var stream = streams.removeValue(forKey: id) else { return .none }
        if let metadata = payload.metadata { stream.metadata += Array(copying: bytes.extracting(metadata)) }
        stream.data += Array(copying: bytes.extracting(payload.data))
        let size = stream.metadata.count + stream.data.count
        guard size <= limitBytes else { throw .frameTooLong(declared: size, limit: limitBytes) }
        if frame.flags.contains(.follows) {
            streams[id] = stream
            return .none
        }
        let isLast = stream.isSingle || frame.flags.contains(.complete)
        if !isLast { streams[id] = Stream(isSingle: false) }
        guard frame.flags.contains(.next) else { return isLast ? .completed(streamID: id) : .none }
        return .answered(streamID: id, metadata: stream.metadata, data: stream.data, isLast: isLast)
    }

    /// A push whose composite metadata holds a `portico.v1.GoAway`; nil for anything else.
    private static func goAway(_ range: Range<Int>, in bytes: Span<UInt8>) -> GoAway? {
        guard let metadata = try? RequestMetadata(range, in: bytes), let context = metadata.context
        else { return nil }
        return try? GoAway(context, in: bytes)
    }
}
