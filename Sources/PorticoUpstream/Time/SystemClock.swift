internal import Foundation

/// The machine's own time.
package struct SystemClock: UpstreamClock {
    package init() {}

    package var now: ContinuousClock.Instant { ContinuousClock.now }

    package var secondsSince1970: Int64 { Int64(Date().timeIntervalSince1970) }

    package func sleep(until instant: ContinuousClock.Instant) async throws(CancellationError) {
        do {
            try await ContinuousClock().sleep(until: instant)
        } catch {
            throw CancellationError()
        }
    }
}
