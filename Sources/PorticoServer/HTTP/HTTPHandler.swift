/// What becomes of a request: a value, so that misbehaviour is as easy to test as an answer.
package enum HTTPReply: Equatable, Sendable {
    case send(HTTPResponse)
    case sendLater(HTTPResponse, after: Duration)
    /// The head promises the whole body; half of it is sent, then the connection closes.
    case sendHalf(HTTPResponse)
    /// Piece by piece, right or wrong.
    case play(HTTPScript)
    /// No answer; the connection stays until the peer goes or it has been idle for too long.
    case keepSilent
    /// The answer comes when the work is done; the connection reads nothing meanwhile.
    case sendWhenDone(HTTPWork)
    /// An abrupt end, no answer.
    case reset
}

/// Work whose result is an answer, done in a task. Two are equal when they are the same piece of work.
package final class HTTPWork: Equatable, Sendable {
    let run: @Sendable () async -> HTTPResponse

    package init(_ run: @escaping @Sendable () async -> HTTPResponse) { self.run = run }

    package static func == (one: HTTPWork, other: HTTPWork) -> Bool { one === other }
}

/// Answers requests on one loop. It must not block.
package protocol HTTPHandler: AnyObject {
    func reply(to request: HTTPRequest) -> HTTPReply
}
