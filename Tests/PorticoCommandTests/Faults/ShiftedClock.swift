import PorticoUpstream
import Synchronization

/// The machine's time, moved forward by a test: deadlines run as they do in a server, and answers age at a word.
///
/// Move it while nobody sleeps: who sleeps already is not woken earlier.
final class ShiftedClock: UpstreamClock {
    private let system = SystemClock()
    private let moved = Mutex(Duration.zero)

    private var shift: Duration { moved.withLock { $0 } }
    var now: ContinuousClock.Instant { system.now + shift }
    var secondsSince1970: Int64 { system.secondsSince1970 + shift.components.seconds }

    func advance(by duration: Duration) { moved.withLock { $0 += duration } }

    func sleep(until instant: ContinuousClock.Instant) async throws(CancellationError) {
        try await system.sleep(until: instant - shift)
    }

    func alarm(at instant: ContinuousClock.Instant, _ ring: @escaping @Sendable () -> Void) -> AlarmID {
        system.alarm(at: instant - shift, ring)
    }

    func cancel(_ alarm: AlarmID) { system.cancel(alarm) }
}
