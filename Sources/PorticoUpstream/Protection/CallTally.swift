/// How the HTTP calls to one upstream ended, since the start, and those that were not made.
package struct CallTally: Equatable, Sendable {
    package enum Outcome: String, CaseIterable, Sendable {
        case succeeded
        /// Answered, but with a status or an envelope that means failure.
        case refused
        case unreachable
        case timedOut = "timed_out"
        /// Answered, but not to the end, or not in HTTP, or too long, or by a redirect that is not followed.
        case unreadable
        case cancelled
        /// Not made: the breaker was open.
        case breakerOpen = "breaker_open"
        /// Not made: the queue was full.
        case overloaded
    }

    private var counts: [Outcome: Int] = [:]
    package private(set) var retries = 0

    package init() {}

    package subscript(outcome: Outcome) -> Int { counts[outcome, default: 0] }

    /// Whatever became of them.
    package var total: Int { counts.values.reduce(0, +) }

    package mutating func ended(_ outcome: Outcome) { counts[outcome, default: 0] += 1 }

    package mutating func retried() { retries += 1 }
}

extension CallTally.Outcome {
    init(_ error: UpstreamError) {
        switch error {
        case .refused: self = .refused
        case .unreachable, .connectionLost: self = .unreachable
        case .timedOut, .deadline: self = .timedOut
        case .breakerOpen: self = .breakerOpen
        case .overloaded: self = .overloaded
        case .cancelled: self = .cancelled
        case .unreadable, .undecodable, .tooLong, .redirected, .privateAddress, .badRequest, .pastLastPage,
            .tooManyPages,
            .unsupported, .tooManyWrites, .tooMuchObserved, .underivable:
            self = .unreadable
        }
    }
}

extension Breaker.Outcome {
    /// What the end of a call says about its upstream.
    init(_ result: Result<HTTPResponse, UpstreamError>) {
        switch result {
        case .success: self = .succeeded
        case .failure(.refused(_, let status, _, _)): self = status >= 500 ? .failed : .succeeded
        case .failure(.unreachable), .failure(.timedOut), .failure(.unreadable): self = .failed
        case .failure(.cancelled), .failure(.connectionLost): self = .abandoned
        case .failure: self = .succeeded  // an answer there was
        }
    }
}
