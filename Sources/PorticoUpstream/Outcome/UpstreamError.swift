package import PorticoTranscode
package import PorticoWire

/// Everything that can go wrong between a call and its upstream, and with what the environment says about upstreams.
///
/// ``CallError/init(_:)`` is the one table that turns it into what a client is told.
///
/// Indirect, so that a result of a step is as large as what succeeds, mostly one reference; errors may allocate.
package indirect enum UpstreamError: Error, Equatable, Sendable {
    /// A status outside 200–299, or an envelope that says so; `text` is the upstream's own or the schema's.
    case refused(upstream: String, status: Int, text: String?, retryAfter: Duration?)
    case unreachable(upstream: String, text: String?)
    /// A reused connection turned out to be closed.
    case connectionLost(upstream: String, text: String?)
    /// Not asked, because it kept failing.
    case breakerOpen(upstream: String, text: String?)
    /// Not asked, because as many calls as the environment allows are under way and waiting.
    case overloaded(upstream: String, limit: Int)
    /// One attempt took longer than the environment allows.
    case timedOut(upstream: String, text: String?)
    /// The connection ended, or the answer stopped making sense, at `offset` of the body.
    case unreadable(upstream: String, offset: Int, reason: String)
    /// Whole, but not JSON, or not of the schema's shape.
    case undecodable(upstream: String, TranscodeError)
    case tooLong(upstream: String, limitBytes: Int)
    case redirected(upstream: String, Redirection.Refusal)
    /// Its host lies in a network that must not be reached this way.
    case privateAddress(upstream: String)
    /// The caller's deadline came first.
    case deadline(upstream: String)
    case cancelled
    /// The request cannot be turned into an upstream call.
    case badRequest(String)
    /// Known before asking, or the upstream has no such page; nil: the number of pages is not known.
    case pastLastPage(page: Int, totalPages: Int?)
    /// A list that goes on and on.
    case tooManyPages(upstream: String, limit: Int)
    case unsupported(String)
    /// As many writes with idempotency keys are under way as are kept account of.
    case tooManyWrites
    /// What is observed leaves no room for another request.
    case tooMuchObserved(limitBytes: Int)
    /// Records that a view cannot be made of: a bug in this program.
    case underivable(route: String, TranscodeError)
}

extension CallError {
    package init(_ error: UpstreamError) {
        switch error {
        case .refused(let upstream, let status, let text, _):
            self.init(.init(httpStatus: status), text ?? "upstream '\(upstream)' answered \(status)")
        case .unreachable(let upstream, let text):
            self.init(.unavailable, text ?? "upstream '\(upstream)' cannot be reached")
        case .connectionLost(let upstream, let text):
            self.init(.unavailable, text ?? "upstream '\(upstream)' closed its connection")
        case .breakerOpen(let upstream, let text):
            self.init(
                .unavailable, text ?? "upstream '\(upstream)' keeps failing and is left alone for a while")
        case .overloaded(let upstream, let limit):
            self.init(.resourceExhausted, "upstream '\(upstream)' has \(limit) calls waiting already")
        case .timedOut(let upstream, let text):
            self.init(.deadlineExceeded, text ?? "upstream '\(upstream)' took too long to answer")
        case .unreadable(let upstream, let offset, let reason):
            self.init(.internal, "upstream '\(upstream)': \(reason), at byte \(offset) of the answer")
        case .undecodable(let upstream, let error):
            let place = error.offset == nil ? " (byte 0)" : ""
            self.init(.internal, "upstream '\(upstream)': \(error)\(place)")
        case .tooLong(let upstream, let limit):
            self.init(.internal, "upstream '\(upstream)': the answer goes past the limit, at byte \(limit)")
        case .privateAddress(let upstream):
            self.init(
                .permissionDenied,
                "upstream '\(upstream)' lies in a private network, which its environment does not allow")
        case .redirected(let upstream, let refusal):
            self.init(.unavailable, "upstream '\(upstream)' \(refusal.sentence)")
        case .deadline(let upstream):
            self.init(.deadlineExceeded, "upstream '\(upstream)' did not answer within the call's deadline")
        case .cancelled:
            self.init(.cancelled, "the call was cancelled")
        case .badRequest(let reason):
            self.init(.invalidArgument, reason)
        case .pastLastPage(let page, let totalPages):
            self.init(.outOfRange, "page \(page) is past the last" + (totalPages.map { ", \($0)" } ?? ""))
        case .tooManyPages(let upstream, let limit):
            self.init(.resourceExhausted, "upstream '\(upstream)' has more than \(limit) pages")
        case .unsupported(let what):
            self.init(.unimplemented, what)
        case .tooManyWrites:
            self.init(.resourceExhausted, "too many writes are under way")
        case .tooMuchObserved(let limit):
            self.init(.resourceExhausted, "all that is observed has \(limit) bytes together")
        case .underivable(let route, let error):
            self.init(.internal, "\(route) cannot be derived from its source: \(error)")
        }
    }
}

extension StatusCode {
    /// 200–299 come here only when an envelope says that the call failed.
    package init(httpStatus: Int) {
        switch httpStatus {
        case 401, 403: self = .permissionDenied
        case 404: self = .notFound
        case 429: self = .resourceExhausted
        case 500...599: self = .unavailable
        default: self = .failedPrecondition
        }
    }
}
