extension UpstreamError {
    package init(_ error: TransportError, upstream: String) {
        switch error {
        case .unreachable: self = .unreachable(upstream: upstream, text: nil)
        case .privateAddress: self = .privateAddress(upstream: upstream)
        case .reusedConnectionClosed: self = .connectionLost(upstream: upstream, text: nil)
        case .timedOut: self = .timedOut(upstream: upstream, text: nil)
        case .truncated(let offset):
            self = .unreadable(upstream: upstream, offset: offset, reason: "the connection ended early")
        case .bodyTooLong(let limit): self = .tooLong(upstream: upstream, limitBytes: limit)
        case .headTooLong(let limit):
            self = .unreadable(upstream: upstream, offset: 0, reason: "its header goes past \(limit) bytes")
        case .unsendable: self = .badRequest("the request cannot be written as HTTP")
        case .malformed:
            self = .unreadable(
                upstream: upstream, offset: 0, reason: "it is not HTTP, or its content coding is broken")
        case .cancelled: self = .cancelled
        }
    }

    package init(_ refusal: UpstreamGate.Refusal, upstream: String) {
        switch refusal {
        case .breakerOpen: self = .breakerOpen(upstream: upstream, text: nil)
        case .overloaded(let limit): self = .overloaded(upstream: upstream, limit: limit)
        case .cancelled: self = .cancelled
        }
    }

    /// What the retry machine needs to know. A broken body is worth another try, a wrong one is not: the transport
    /// reports the first, the decoder the second, after the attempts.
    package var asFailure: RetryMachine.Failure {
        switch self {
        case .refused(_, let status, _, let retryAfter):
            .init(isTransient: [408, 429, 500, 502, 503, 504].contains(status), retryAfter: retryAfter)
        case .connectionLost: .init(isTransient: true, isFree: true)
        case .unreachable, .timedOut, .unreadable: .init(isTransient: true)
        case .undecodable, .tooLong, .redirected, .privateAddress, .deadline, .cancelled, .badRequest,
            .pastLastPage,
            .tooManyPages, .unsupported, .tooManyWrites, .tooMuchObserved, .underivable, .breakerOpen,
            .overloaded:
            .init(isTransient: false)
        }
    }
}
