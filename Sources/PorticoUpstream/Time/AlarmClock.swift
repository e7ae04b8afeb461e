internal import PorticoEventLoop
internal import PorticoWire
internal import Synchronization

/// Many alarms, of which most are cancelled, and a task that sleeps until the earliest.
///
/// A task for each alarm would be a task for each call, and on Linux one that is cancelled in its sleep leaves its timer
/// behind until it would have ended: half a kilobyte for half a minute.
final class AlarmClock: Sendable {
    private struct State: ~Copyable {
        private var order = TimerOrder()
        /// By ``TimerID/place``.
        private var rings: [(@Sendable () -> Void)?] = []
        /// When sleepers wake, the earliest last. One that finds nothing to do is not replaced.
        private var wakes: [Instant] = []

        var sleeperCount: Int { wakes.count }

        mutating func set(at instant: Instant, _ ring: @escaping @Sendable () -> Void) -> TimerID {
            let id = order.insert(at: instant)
            if id.place == rings.count { rings.append(ring) } else { rings[id.place] = ring }
            return id
        }

        /// - Returns: what it held.
        mutating func cancel(_ id: TimerID) -> (@Sendable () -> Void)? {
            order.remove(id) ? rings[id.place].take() : nil
        }

        /// - Parameter instant: when the sleeper that has woken was to wake.
        mutating func takeDue(at now: Instant, wokenAt instant: Instant) -> [@Sendable () -> Void] {
            if let index = wakes.lastIndex(of: instant) { wakes.remove(at: index) }
            var due: [@Sendable () -> Void] = []
            let mark = order.mark
            while let id = order.popDue(at: now, setBefore: mark) {
                if let ring = rings[id.place].take() { due.append(ring) }
            }
            return due
        }

        /// - Returns: until when a new sleeper is to sleep; nil: one of those there are will do.
        mutating func sleepBegins() -> Instant? {
            guard let next = order.nextDeadline, wakes.last.map({ next < $0 }) ?? true else { return nil }
            wakes.append(next)
            return next
        }
    }

    private let state = Mutex(State())

    /// Tasks that sleep.
    var sleeperCount: Int { state.withLock { $0.sleeperCount } }

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
            ringDue(wokenAt: instant)
        }
    }

    /// - Parameter instant: when the sleeper was to wake; it does a little later, or a moment too early.
    private func ringDue(wokenAt instant: Instant) {
        let now = Instant.now
        let (due, sleep) = state.withLock { state in
            (state.takeDue(at: now, wokenAt: instant), state.sleepBegins())
        }
        for ring in due { ring() }
        if let sleep { wake(at: sleep) }
    }
}
