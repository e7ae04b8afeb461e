/// What came of calling an upstream's base once.
package struct UpstreamProbe: Sendable, Equatable {
    /// The HTTP status, whatever it is; nil: there was no answer.
    package let status: Int?
    /// Why there was none.
    package let error: UpstreamError?
    package let duration: Duration
}

extension UpstreamClient {
    /// Calls the base URL itself, once, without another attempt. Any status is an answer; its body is not looked at.
    package func probe() async -> UpstreamProbe {
        let start = ContinuousClock.now
        let request = Request(path: "", accept: "*/*", mayBeRetried: false)
        let name = name
        do {
            let response = try await send(request, deadline: { start + .seconds(3600) }) {
                response throws(UpstreamError) in
                guard response.status >= 500 else { return }
                throw .refused(upstream: name, status: response.status, text: nil, retryAfter: nil)
            }
            return UpstreamProbe(status: response.status, error: nil, duration: ContinuousClock.now - start)
        } catch {
            let duration = ContinuousClock.now - start
            if case .refused(_, let status, _, _) = error {
                return UpstreamProbe(status: status, error: nil, duration: duration)
            }
            return UpstreamProbe(status: nil, error: error, duration: duration)
        }
    }
}
