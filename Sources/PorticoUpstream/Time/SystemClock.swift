internal import Foundation
internal import PorticoEventLoop

/// The machine's own time.
package struct SystemClock: UpstreamClock {
    private let alarms = AlarmClock()

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

    package func alarm(
        at instant: ContinuousClock.Instant, _ ring: @escaping @Sendable () -> Void
    ) -> AlarmID {
        alarms.set(at: instant, ring)
    }

    package func cancel(_ alarm: AlarmID) { alarms.cancel(alarm) }
}
