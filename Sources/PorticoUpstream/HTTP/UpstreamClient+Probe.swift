/// What came of calling an upstream's base once.
package struct UpstreamProbe: Sendable, Equatable {
    /// The HTTP status, whatever it is; nil: there was no answer.
    package let status: Int?
    /// Why there was none.
    package let error: UpstreamError?
    package let duration: Duration
}

extension UpstreamClient {
    /// Statuses of a gateway that reached nobody behind it (RFC 9110 sections 15.6.3 to 15.6.5). Any other one says that the
    /// upstream is there: its base need not be a page.
    private static let gatewayStatuses = 502...504

    /// Calls the base URL itself, once, without another attempt and without following a redirect. How it ends counts as
    /// any call does: for the breaker, for ``health``, for the tally.
    package func probe() async -> UpstreamProbe {
        let start = ContinuousClock.now
        let request = httpRequest(Request(path: "", accept: "*/*", mayBeRetried: false))
        let name = name
        let result = await guarded {
            do throws(UpstreamError) {
                let response = try await send(request)
                guard !Self.gatewayStatuses.contains(response.status) else {
                    throw .refused(upstream: name, status: response.status, text: nil, retryAfter: nil)
                }
                return .success(response)
            } catch {
                return .failure(error)
            }
        }
        let duration = ContinuousClock.now - start
        switch result {
        case .success(let response):
            return UpstreamProbe(status: response.status, error: nil, duration: duration)
        case .failure(.refused(_, let status, _, _)):
            return UpstreamProbe(status: status, error: nil, duration: duration)
        case .failure(let error):
            return UpstreamProbe(status: nil, error: error, duration: duration)
        }
    }

    /// Calls the base when ``UpstreamWatch`` says so, until the task is cancelled.
    func watch() async {
        let clock = surroundings.clock
        var watch = UpstreamWatch()
        while !Task.isCancelled {
            let pause: Duration
            let roll = surroundings.dice.roll()
            switch watch.looked(at: health.state, calls: tally.total, roll: roll) {
            case .wait(let duration):
                pause = duration
            case .ask(let duration):
                await probeAndTell()
                pause = duration
            }
            do { try await clock.sleep(until: clock.now + pause) } catch { return }
        }
    }

    private func probeAndTell() async {
        let before = health.state
        _ = await probe()
        let after = health
        switch (before, after.state) {
        case (.notAsked, .fails), (.answers, .fails), (.fails, .answers):
            surroundings.events(.probed(after))
        case (.notAsked, .notAsked), (.notAsked, .answers), (.answers, .notAsked), (.answers, .answers),
            (.fails, .notAsked), (.fails, .fails):
            break  // nothing that operators do not know
        }
    }
}
