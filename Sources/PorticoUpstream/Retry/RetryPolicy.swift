package import PorticoConfig

/// When a failed attempt is followed by another, and after which pause.
package struct RetryPolicy: Equatable, Sendable {
    /// The first included.
    package let attempts: Int
    package let baseDelay: Duration
    package let maxDelay: Duration
    package let maxRetryAfter: Duration
    /// Whether the call may be made twice at all.
    package let isRepeatable: Bool

    package init(_ settings: Configuration.Retry) {
        attempts = max(1, settings.attempts)
        baseDelay = settings.baseDelay
        maxDelay = settings.maxDelay
        maxRetryAfter = settings.maxRetryAfter
        isRepeatable = true
    }

    /// For calls that must not be made twice.
    package var once: RetryPolicy { RetryPolicy(once: self) }

    private init(once other: RetryPolicy) {
        attempts = 1
        baseDelay = other.baseDelay
        maxDelay = other.maxDelay
        maxRetryAfter = other.maxRetryAfter
        isRepeatable = false
    }

    /// Full jitter: evenly between nothing and `min(maxDelay, baseDelay · 2^(retry - 1))`; a `Retry-After` is waited for
    /// instead when it is longer, up to ``maxRetryAfter``.
    ///
    /// - Parameter retry: counted from 1.
    package func delay(retry: Int, asked retryAfter: Duration?, roll: Double) -> Duration {
        let doublings = min(retry - 1, 30)  // 2^30 base delays are longer than any maximum
        let ceiling = min(maxDelay, baseDelay * (1 << doublings))
        let jittered = ceiling * roll
        guard let retryAfter else { return jittered }
        return max(jittered, min(retryAfter, maxRetryAfter))
    }
}
