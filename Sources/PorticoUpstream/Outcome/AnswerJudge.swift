package import PorticoSchema
internal import PorticoTranscode

/// Tells success from failure, and finds the words for a failure: by status, then by the envelope inside the JSON.
package struct AnswerJudge: Sendable {
    private let client: UpstreamClient
    private let envelope: EnvelopeBinding?

    package init(_ client: UpstreamClient, _ envelope: EnvelopeBinding?) {
        self.client = client
        self.envelope = envelope
    }

    /// - Throws: ``UpstreamError/refused(upstream:status:text:retryAfter:)``. A body that is not JSON passes when its status
    ///   is good: the decoder says better what is wrong with it.
    package func judge(_ response: HTTPResponse) throws(UpstreamError) {
        if !(200..<300).contains(response.status) { throw refusal(response) }
        guard let envelope, !envelope.field.isEmpty,
            let found = JSONPath.find(envelope.field, in: response.body.span), found != envelope.equals
        else { return }
        throw refusal(response)
    }

    /// For JSON that could be decoded: an envelope without its status did not say that the call succeeded.
    package func judgeDecoded(_ response: HTTPResponse) throws(UpstreamError) {
        guard let envelope, !envelope.field.isEmpty,
            JSONPath.find(envelope.field, in: response.body.span) == nil
        else { return }
        throw refusal(response)
    }

    /// The schema's own words for an upstream that cannot be had.
    package func worded(_ error: UpstreamError) -> UpstreamError {
        switch error {
        case .unreachable(let upstream, nil): .unreachable(upstream: upstream, text: envelope?.otherwise)
        case .connectionLost(let upstream, nil):
            .connectionLost(upstream: upstream, text: envelope?.otherwise)
        case .breakerOpen(let upstream, nil): .breakerOpen(upstream: upstream, text: envelope?.otherwise)
        case .timedOut(let upstream, nil): .timedOut(upstream: upstream, text: envelope?.otherwise)
        case .refused, .unreachable, .connectionLost, .breakerOpen, .overloaded, .timedOut, .unreadable,
            .undecodable, .tooLong, .redirected, .privateAddress, .deadline,
            .cancelled,
            .badRequest, .pastLastPage, .tooManyPages, .unsupported, .tooManyWrites, .tooMuchObserved,
            .underivable:
            error
        }
    }

    private func refusal(_ response: HTTPResponse) -> UpstreamError {
        let found = envelope?.messages.lazy.compactMap { path in
            JSONPath.find(path, in: response.body.span).flatMap { $0.isEmpty ? nil : $0 }
        }.first
        return .refused(
            upstream: client.name, status: response.status,
            text: found.map(client.redacted) ?? envelope?.otherwise,
            retryAfter: client.retryAfter(of: response))
    }
}
