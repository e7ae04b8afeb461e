internal import PorticoWire

/// Bytes of one connection in pieces, one answer out (RFC 9112). Pure: no socket, no clock.
///
/// Worked example, to a GET: `HTTP/1.1 103 Early Hints\r\n\r\n` is an informational head and is skipped;
/// `HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n` announces two bytes, `ok` completes the answer, and a byte after
/// them belongs to nothing that was asked for: the connection is not used again.
struct ResponseParser: Sendable {
    struct Limits: Sendable {
        /// Status line and fields, informational heads included; trailers and chunk extensions again as much.
        var headBytes = 64 << 10
        /// Before the content coding is undone.
        var bodyBytes: Int
    }

    private enum Stage: Sendable {
        /// Nothing before `searched` holds the end of the head.
        case head(searched: Int)
        case sized(left: Int)
        case chunked(ChunkedBody)
        case untilClose
        case complete
    }

    private let method: String
    private let limits: Limits
    private var stage = Stage.head(searched: 0)
    private var pending: [UInt8] = []
    private var informationalBytes = 0
    private var head: ResponseHead?
    private var framing: ResponseFraming?
    private var body: [UInt8] = []
    private var hasExcess = false

    init(to method: String, limits: Limits) {
        self.method = method
        self.limits = limits
    }

    /// Whether any byte of an answer has come.
    private(set) var hasBegun = false

    var isComplete: Bool {
        if case .complete = stage { true } else { false }
    }

    /// Bytes of the body so far.
    var bodyCount: Int { body.count }

    /// What the connection may be used for afterwards; bytes that nobody asked for end it.
    var persistence: ResponseFraming.Persistence { hasExcess ? .close : framing?.persistence ?? .close }

    /// - Throws: ``TransportError``: `malformed`, `headTooLong`, `bodyTooLong`. Nothing more can be read then.
    mutating func append(_ bytes: Span<UInt8>) throws(TransportError) {
        guard !bytes.isEmpty else { return }
        hasBegun = true
        guard case .head(let searched) = stage else { return try appendBody(bytes) }
        if try readHead(atOnce: bytes) { return }
        pending.append(copying: bytes)
        try readHead(searched: searched)
    }

    /// The peer has finished sending.
    ///
    /// - Throws: ``TransportError/truncated(atByte:)`` inside an answer. A body
    ///   that only the connection's end delimits is complete now.
    mutating func endOfStream() throws(TransportError) {
        switch stage {
        case .untilClose: stage = .complete
        case .complete: break
        case .sized, .chunked: throw .truncated(atByte: body.count)
        case .head: throw .truncated(atByte: 0)
        }
    }

    /// The whole answer, its content coding still on it.
    consuming func response() -> HTTPResponse {
        guard let head, isComplete else {
            preconditionFailure("response() before the answer is complete: a bug in the caller")
        }
        return HTTPResponse(status: head.status, fields: head.fields, body: body)
    }

    /// What has come of an answer whose end never will; nil: nothing of its body.
    consuming func partialResponse() -> HTTPResponse? {
        guard let head, !isComplete, !body.isEmpty else { return nil }
        return HTTPResponse(status: head.status, fields: head.fields, body: body)
    }

    /// A head that comes in one piece is not copied, nor is what comes with it.
    /// - Returns: false: it has not, or it is an informational one.
    private mutating func readHead(atOnce bytes: Span<UInt8>) throws(TransportError) -> Bool {
        guard pending.isEmpty, let end = Self.endOfHead(in: bytes, from: 0), end <= limits.headBytes,
            informationalBytes == 0
        else { return false }
        let head = try ResponseHead(bytes.extracting(first: end))
        guard head.status >= 200 else { return false }
        try headEnded(head)
        try appendBody(bytes.extracting(droppingFirst: end))
        return true
    }

    private mutating func readHead(searched: Int) throws(TransportError) {
        var searched = searched
        while let end = Self.endOfHead(in: pending.span, from: searched) {
            guard informationalBytes + end <= limits.headBytes else { throw tooLong }
            let head = try ResponseHead(pending.span.extracting(first: end))
            guard head.status < 200 else {
                try headEnded(head)
                let rest = exchange(&pending, with: [])
                return try appendBody(rest.span.extracting(droppingFirst: end))
            }
            // 101 would make the connection something else, which nobody asked for.
            guard head.status != 101 else { throw .malformed }
            informationalBytes += end
            pending.removeSubrange(..<end)
            searched = 0
        }
        try checkBeginning()
        guard informationalBytes + pending.count <= limits.headBytes else { throw tooLong }
        stage = .head(searched: pending.count)
    }

    private var tooLong: TransportError { .headTooLong(limitBytes: limits.headBytes) }

    /// What is not HTTP is told by its first bytes, not by the limit.
    private func checkBeginning() throws(TransportError) {
        let prefix = "HTTP/1.".utf8
        guard zip(pending, prefix).allSatisfy({ $0 == $1 }) else { throw .malformed }
    }

    /// The length of the head with its empty line; nil: its end has not come.
    private static func endOfHead(in bytes: Span<UInt8>, from searched: Int) -> Int? {
        var index = max(3, searched)
        while index < bytes.count {
            if bytes[index] == 10, bytes[index - 1] == 13, bytes[index - 2] == 10, bytes[index - 3] == 13 {
                return index + 1
            }
            index += 1
        }
        return nil
    }

    private mutating func headEnded(_ head: ResponseHead) throws(TransportError) {
        let framing = try ResponseFraming(of: head, to: method)
        self.head = head
        self.framing = framing
        switch framing.body {
        case .none, .sized(0): stage = .complete
        case .sized(let length):
            guard length <= limits.bodyBytes else { throw .bodyTooLong(limitBytes: limits.bodyBytes) }
            // Within reason: a length is only a promise.
            body.reserveCapacity(min(length, 1 << 20))
            stage = .sized(left: length)
        case .chunked: stage = .chunked(ChunkedBody(overheadBytes: limits.headBytes))
        case .untilClose: stage = .untilClose
        }
    }

    private mutating func appendBody(_ bytes: Span<UInt8>) throws(TransportError) {
        switch stage {
        case .sized(let left):
            let count = min(left, bytes.count)
            body.append(copying: bytes.extracting(first: count))
            stage = count == left ? .complete : .sized(left: left - count)
            hasExcess = bytes.count > count
        case .chunked(var chunks):
            let count = try chunks.append(bytes, to: &body, limitBytes: limits.bodyBytes)
            stage = chunks.isDone ? .complete : .chunked(chunks)
            hasExcess = bytes.count > count
        case .untilClose:
            guard bytes.count <= limits.bodyBytes - body.count else {
                throw .bodyTooLong(limitBytes: limits.bodyBytes)
            }
            body.append(copying: bytes)
        case .complete: if !bytes.isEmpty { hasExcess = true }
        case .head: preconditionFailure("a body before its head: a bug in ResponseParser")
        }
    }
}
