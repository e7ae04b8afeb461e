/// How many retries an upstream can bear: a token bucket, filled by successful calls, one token for each retry.
///
/// While everything fails nothing fills it, so that an outage is not made worse by those who ask again.
package struct RetryBudget: Equatable, Sendable {
    /// Tokens held at the start, and at most: a few retries before the first success, no hoard after many.
    package static let capacity = 10.0

    private(set) package var tokens = Self.capacity
    private let tokensPerSuccess: Double

    /// - Parameter percent: retries allowed per 100 successful calls.
    package init(percent: Int) {
        tokensPerSuccess = Double(percent) / 100
    }

    package mutating func succeeded() {
        tokens = min(Self.capacity, tokens + tokensPerSuccess)
    }

    /// False: spent, and nothing is taken.
    package mutating func takeRetry() -> Bool {
        guard tokens >= 1 else { return false }
        tokens -= 1
        return true
    }
}
