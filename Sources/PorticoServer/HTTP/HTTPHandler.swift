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
    /// An abrupt end, no answer.
    case reset
}

/// Answers requests on one loop. It must not block.
package protocol HTTPHandler: AnyObject {
    func reply(to request: HTTPRequest) -> HTTPReply
}
