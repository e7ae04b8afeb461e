import PorticoEventLoop

/// What the faults that need no content of their own send, given the right answer.
extension SandboxFault {
    /// - Parameters:
    ///   - response: the right answer; not asked for, and a write not made, where nothing of it is sent.
    ///   - url: what was asked for, as a URL.
    func reply(insteadOf response: @autoclosure () -> HTTPResponse, to url: String) -> HTTPReply {
        switch self {
        case .slow(let delay): return .sendLater(response(), after: delay)
        case .fail(let status, let retryAfter):
            var failure = HTTPResponse.failure(status, "The sandbox was told to fail.")
            if let retryAfter { failure.fields = [.init(name: "Retry-After", value: "\(retryAfter)")] }
            return .send(failure)
        case .truncate: return .sendHalf(response())
        case .malformed, .empty: return .send(response())
        case .notJSON:
            let page = "<!doctype html><title>Sorry</title><p>This is not the JSON you asked for.</p>"
            return .send(HTTPResponse(contentType: "text/html; charset=utf-8", body: Array(page.utf8)))
        case .hang: return .keepSilent
        case .reset: return .reset
        case .wrongLength(let error):
            let bytes = response().bytes(lengthErrorBytes: error, dateSeconds: Host.wallClockSeconds)
            return .play(HTTPScript(pieces: [bytes]))
        case .trickle(let size, let pause):
            let bytes = response().bytes(lengthErrorBytes: 0, dateSeconds: Host.wallClockSeconds)
            let pieces = stride(from: 0, to: bytes.count, by: size).map { start in
                Array(bytes[start..<min(start + size, bytes.count)])
            }
            return .play(HTTPScript(pieces: pieces, pause: pause))
        case .notHTTP: return .play(HTTPScript(pieces: [Array("220 mail.example ESMTP\r\n\r\n".utf8)]))
        case .brokenGzip: return .send(Self.brokenGzip(response()))
        case .endless:
            let chunk = Array(("400\r\n" + String(repeating: " ", count: 1024) + "\r\n").utf8)
            return .play(
                HTTPScript(
                    pieces: [response().chunkedHead(), chunk], pause: .milliseconds(1), ending: .repeatLast))
        case .redirect(let target): return .send(Self.redirection(to: target ?? url))
        }
    }

    /// gzip's first ten bytes (RFC 1952 section 2.3), then what no decoder understands.
    private static func brokenGzip(_ response: HTTPResponse) -> HTTPResponse {
        var broken = response
        broken.fields.append(.init(name: "Content-Encoding", value: "gzip"))
        broken.body = [0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0, 0, 0xff] + [UInt8](repeating: 0xff, count: 100)
        return broken
    }

    private static func redirection(to target: String) -> HTTPResponse {
        var response = HTTPResponse(status: 302, contentType: "text/plain; charset=utf-8", body: [])
        response.fields = [.init(name: "Location", value: target)]
        return response
    }
}
