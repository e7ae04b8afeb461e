package import PorticoEventLoop

/// The time as the machines of this module see it; a manual one in tests.
package protocol UpstreamClock: Sendable {
    var now: ContinuousClock.Instant { get }
    /// Seconds since 1970-01-01 UTC: for times that outlive the process and for HTTP dates.
    var secondsSince1970: Int64 { get }
    /// Returns at `instant`, or throws when the task is cancelled before.
    func sleep(until instant: ContinuousClock.Instant) async throws(CancellationError)
    /// Calls `ring` once at `instant`, on any thread, unless ``cancel(_:)`` comes before. `ring` must not block.
    func alarm(at instant: ContinuousClock.Instant, _ ring: @escaping @Sendable () -> Void) -> AlarmID
    /// An alarm that has rung or was cancelled is ignored. Nothing is left of it.
    func cancel(_ alarm: AlarmID)
}

/// Names one alarm of one clock.
package struct AlarmID: Hashable, Sendable {
    package let timer: TimerID

    package init(_ timer: TimerID) { self.timer = timer }
}

/// Random numbers, passed in so that tests can say what they are.
package struct Dice: Sendable {
    /// At least 0, below 1.
    package let roll: @Sendable () -> Double

    package init(_ roll: @escaping @Sendable () -> Double) { self.roll = roll }

    /// For pauses and jitter, nothing secret: seeded once by the kernel, which is asked no more after that. A question of
    /// the kernel for each roll was six system calls for each uncached answer.
    package static let system: Dice = {
        let sequence = RollSequence()
        return Dice { sequence.next() }
    }()
}
