internal import PorticoEventLoop
internal import PorticoWire
internal import Synchronization

/// Many alarms, of which most are cancelled, and one task that sleeps until the earliest.
///
/// A task for each alarm would be a task for each call, and on Linux one that is cancelled in its sleep leaves its timer
/// behind until it would have ended: half a kilobyte for half a minute.
final class AlarmClock: Sendable {
    private struct State: ~Copyable {
        var alarms = TimerHeap<@Sendable () -> Void>()
        /// When the sleeper wakes that counts; another one that wakes finds nothing to do.
        var wakesAt: Instant?

        /// - Returns: until when a new sleeper is to sleep; nil: the one there is will do.
        mutating func sleepBegins() -> Instant? {
            guard let next = alarms.nextDeadline, wakesAt.map({ next < $0 }) ?? true else { return nil }
            wakesAt = next
            return next
        }
    }

    private let state = Mutex(State())

    func set(at instant: ContinuousClock.Instant, _ ring: @escaping @Sendable () -> Void) -> AlarmID {
        let instant = Instant.now + (instant - .now)
        let (alarm, sleep) = state.withLock { state in
            let timer = state.alarms.insert(ring, at: instant)
            return (AlarmID(timer), state.sleepBegins())
        }
        if let sleep { wake(at: sleep) }
        return alarm
    }

    func cancel(_ alarm: AlarmID) {
        // What it held is let go of when the lock is free.
        _ = state.withLock { $0.alarms.remove(alarm.timer) }
    }

    private func wake(at instant: Instant) {
        Task {
            try? await ContinuousClock().sleep(for: Instant.now.duration(to: instant))
            ringDue()
        }
    }

    private func ringDue() {
        let now = Instant.now
        let (due, sleep) = state.withLock { state in
            var due: [@Sendable () -> Void] = []
            let mark = state.alarms.mark
            while let (_, ring) = state.alarms.popDue(at: now, setBefore: mark) { due.append(ring) }
            if let wakesAt = state.wakesAt, wakesAt <= now { state.wakesAt = nil }
            return (due, state.sleepBegins())
        }
        for ring in due { ring() }
        if let sleep { wake(at: sleep) }
    }
}
