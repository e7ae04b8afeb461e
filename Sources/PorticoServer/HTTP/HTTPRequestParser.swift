import PorticoWire

/// Bytes in pieces, requests out (RFC 9112). Pure: no socket, no clock.
///
/// Worked example: `GET /people/?page=2 HTTP/1.1\r\nHost: a\r\n\r\n` is a request line (method, target, version), one
/// field line and the empty line that ends the head; there is no Content-Length, so there is no body, and the next
/// byte begins the next request.
///
/// Strict where leniency lets two readers disagree about where a request ends: lines end in CRLF, a field name is
/// followed by its colon at once, Content-Length occurs once, Transfer-Encoding is refused, Host occurs once.
package struct HTTPRequestParser: Sendable {
    private let limits: HTTPLimits
    private var buffer: [UInt8] = []
    /// Bytes at the front that belong to requests already given out.
    private var consumed = 0
    /// Nothing before it, counted from ``consumed``, holds the end of the head.
    private var searched = 0
    private var head: HTTPRequestHead?

    package init(limits: HTTPLimits) { self.limits = limits }

    /// Whether a request has begun and is not complete.
    package var isMidRequest: Bool { buffer.count > consumed }

    package mutating func append(_ bytes: Span<UInt8>) { buffer.append(copying: bytes) }

    /// The next whole request; nil: more bytes are needed. Call until nil, requests may come in one piece.
    ///
    /// After a fault the connection is of no further use: where the next request begins is unknown.
    package mutating func next() throws(HTTPFault) -> HTTPRequest? {
        skipEmptyLines()
        if head == nil {
            guard let length = try headLength() else { return nil }
            let parsed = try HTTPRequestHead(buffer.span.extracting(consumed..<consumed + length))
            guard parsed.contentLength <= limits.bodyBytes else {
                throw .bodyTooLong(declared: parsed.contentLength, limit: limits.bodyBytes)
            }
            head = parsed
            consumed += length
            searched = 0
        }
        guard let head, buffer.count - consumed >= head.contentLength else { return nil }
        let body = [UInt8](buffer[consumed..<consumed + head.contentLength])
        consumed += head.contentLength
        self.head = nil
        compact()
        return head.request(with: body)
    }

    /// An empty line before a request line is ignored (RFC 9112 section 2.2).
    private mutating func skipEmptyLines() {
        guard head == nil else { return }
        while buffer.count - consumed >= 2, buffer[consumed] == 13, buffer[consumed + 1] == 10 {
            consumed += 2
        }
    }

    /// Length of the head with its empty line; nil: its end has not come.
    private mutating func headLength() throws(HTTPFault) -> Int? {
        let pending = buffer[consumed...]
        let lineLimit = limits.requestLineBytes
        let limit = lineLimit + limits.headerBytes
        var index = pending.startIndex + max(0, searched - 3)
        while index + 4 <= min(pending.endIndex, pending.startIndex + limit) {
            if pending[index] == 13, pending[index + 1] == 10, pending[index + 2] == 13,
                pending[index + 3] == 10
            {
                let length = index + 4 - pending.startIndex
                try checkRequestLine(pending.prefix(length), limit: lineLimit)
                return length
            }
            index += 1
        }
        searched = pending.count
        try checkRequestLine(pending, limit: lineLimit)
        guard pending.count < limit else { throw .headersTooLong(limit: limits.headerBytes) }
        return nil
    }

    private func checkRequestLine(_ head: ArraySlice<UInt8>, limit: Int) throws(HTTPFault) {
        guard head.count > limit, !head.prefix(limit).contains(10) else { return }
        throw .requestLineTooLong(limit: limit)
    }

    private mutating func compact() {
        guard consumed == buffer.count || consumed > 16 << 10 else { return }
        buffer.removeSubrange(..<consumed)
        consumed = 0
    }
}
