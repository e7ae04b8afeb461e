internal import PorticoEventLoop
internal import PorticoWire
internal import Synchronization

/// Many alarms, of which most are cancelled, and one task that sleeps until the earliest.
///
/// A task for each alarm would be a task for each call, and on Linux one that is cancelled in its sleep leaves its timer
/// behind until it would have ended: half a kilobyte for half a minute.
final class AlarmClock: Sendable {
    private struct State: ~Copyable {
        private var order = TimerOrder()
        /// By ``TimerID/place``.
        private var rings: [(@Sendable () -> Void)?] = []
        /// When the sleeper wakes that counts; another one that wakes finds nothing to do.
        private var wakesAt: Instant?

        mutating func set(at instant: Instant, _ ring: @escaping @Sendable () -> Void) -> TimerID {
            let id = order.insert(at: instant)
            if id.place == rings.count { rings.append(ring) } else { rings[id.place] = ring }
            return id
        }

        /// - Returns: what it held.
        mutating func cancel(_ id: TimerID) -> (@Sendable () -> Void)? {
            order.remove(id) ? rings[id.place].take() : nil
        }

        mutating func takeDue(at now: Instant) -> [@Sendable () -> Void] {
            var due: [@Sendable () -> Void] = []
            let mark = order.mark
            while let id = order.popDue(at: now, setBefore: mark) {
                if let ring = rings[id.place].take() { due.append(ring) }
            }
            if let wakesAt, wakesAt <= now { self.wakesAt = nil }
            return due
        }

        /// - Returns: until when a new sleeper is to sleep; nil: the one there is will do.
        mutating func sleepBegins() -> Instant? {
            guard let next = order.nextDeadline, wakesAt.map({ next < $0 }) ?? true else { return nil }
            wakesAt = next
            return next
        }
    }

    private let state = Mutex(State())

    func set(at instant: ContinuousClock.Instant, _ ring: @escaping @Sendable () -> Void) -> AlarmID {
        let instant = Instant.now + (instant - .now)
        let (alarm, sleep) = state.withLock { state in
            (AlarmID(state.set(at: instant, ring)), state.sleepBegins())
        }
        if let sleep { wake(at: sleep) }
        return alarm
    }

    func cancel(_ alarm: AlarmID) {
        // What it held is let go of when the lock is free.
        _ = state.withLock { $0.cancel(alarm.timer) }
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
            (state.takeDue(at: now), state.sleepBegins())
        }
        for ring in due { ring() }
        if let sleep { wake(at: sleep) }
    }
}
