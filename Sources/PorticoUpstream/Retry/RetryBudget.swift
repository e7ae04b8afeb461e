/// How many retries an upstream can bear: a token bucket, filled by successful calls, one token for each retry.
///
/// While everything fails nothing fills it, so that an outage is not made worse by those who ask again. What an outage
/// costs is bounded besides, however full the bucket was when it began: `n` calls without a success between them make at
/// most `n + max(2, 20 % of n)` attempts, and never more than `n + 10`. From the tenth call on that is 1.2 attempts a
/// call; before, it is the two retries of a single call. The one free retry of a lost connection is not counted:
/// the upstream never saw that call.
package struct RetryBudget: Equatable, Sendable {
    /// Tokens held at the start, and at most: a few retries before the first success, no hoard after many.
    package static let capacity = 10.0
    /// Retries that an outage may cost while its calls are few: as many as a call makes by default.
    package static let outageReserve = 2

    private(set) package var tokens: Double
    private let percent: Int
    /// Since the last success.
    private var outage = (calls: 0, retries: 0)

    /// - Parameter percent: retries allowed per 100 successful calls; 0: none at all.
    package init(percent: Int) {
        self.percent = percent
        tokens = percent > 0 ? Self.capacity : 0
    }

    /// A call is about to make its first attempt.
    package mutating func called() { outage.calls += 1 }

    package mutating func succeeded() {
        tokens = min(Self.capacity, tokens + Double(percent) / 100)
        outage = (0, 0)
    }

    /// False: spent, and nothing is taken.
    package mutating func takeRetry() -> Bool {
        let allowed = max(Self.outageReserve, outage.calls * percent / 100)
        guard tokens >= 1, outage.retries < allowed else { return false }
        tokens -= 1
        outage.retries += 1
        return true
    }

    package static func == (one: RetryBudget, other: RetryBudget) -> Bool {
        one.tokens == other.tokens && one.percent == other.percent && one.outage == other.outage
    }
}
