internal import Synchronization

/// Makes one piece of work serve all who want it at the same time. The shell around ``FlightTable``.
package final class Flights<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    package typealias Table = FlightTable<Key>
    package typealias Outcome = Result<Value, UpstreamError>
    package typealias Work = @Sendable (Table.FlightID) async -> Outcome

    /// What a waiter has got so far.
    private enum Seat {
        /// Has joined, does not sleep yet.
        case taken
        case asleep(CheckedContinuation<Outcome, Never>)
        /// The end came before the sleep.
        case told(Outcome)
    }

    private struct State {
        var table = Table()
        var seats: [Table.WaiterID: Seat] = [:]
        var tasks: [Table.FlightID: Task<Void, Never>] = [:]
    }

    private let state = Mutex(State())
    private let clock: any UpstreamClock
    private let workplace: Workplace

    /// - Parameter workplace: where the work is done.
    package init(clock: any UpstreamClock, workplace: Workplace = .anywhere) {
        self.clock = clock
        self.workplace = workplace
    }

    package var count: Int { state.withLock { $0.table.count } }
    package var waiterCount: Int { state.withLock { $0.table.waiterCount } }

    package func isInFlight(_ key: Key) -> Bool { state.withLock { $0.table.isInFlight(key) } }

    /// Whoever comes later begins anew; those who wait are told what the flights bring.
    package func setAside(where isOutdated: (Key) -> Bool) {
        state.withLock { $0.table.setAside(where: isOutdated) }
    }

    /// When the last one who waits for `flight` gives up; now, when nobody does.
    package func deadline(of flight: Table.FlightID) -> ContinuousClock.Instant {
        state.withLock { $0.table.latestDeadline(of: flight) } ?? clock.now
    }

    /// The outcome of the flight for `key`, begun with `work` when there is none.
    ///
    /// - Parameter late: told to this waiter when its patience ends first.
    package func outcome(
        for key: Key, _ patience: Table.Patience, late: UpstreamError, work: @escaping Work
    ) async -> Outcome {
        let joined = state.withLock { state in
            let joined = state.table.join(key, patience)
            state.seats[joined.waiter] = .taken
            return joined
        }
        if joined.isFirst { begin(joined.flight, work) }
        let alarm = alarm(for: joined.waiter, patience, late)
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in sleep(joined.waiter, continuation) }
        } onCancel: {
            leave(joined.waiter, .cancelled)
        }
        if let alarm { clock.cancel(alarm) }
        return outcome
    }

    private func begin(_ flight: Table.FlightID, _ work: @escaping Work) {
        let task = Task(executorPreference: workplace.executor) { [self] in
            let outcome = await work(flight)
            landed(flight, outcome)
        }
        let isAbandoned = state.withLock { state in
            guard state.table.latestDeadline(of: flight) != nil else { return true }
            state.tasks[flight] = task
            return false
        }
        if isAbandoned { task.cancel() }
    }

    private func alarm(
        for waiter: Table.WaiterID, _ patience: Table.Patience, _ late: UpstreamError
    ) -> AlarmID? {
        switch patience {
        case .asLongAs: nil
        case .until(let instant): clock.alarm(at: instant) { [weak self] in self?.leave(waiter, late) }
        }
    }

    private func sleep(_ waiter: Table.WaiterID, _ continuation: CheckedContinuation<Outcome, Never>) {
        let told: Outcome? = state.withLock { state in
            switch state.seats[waiter] {
            case .taken?:
                state.seats[waiter] = .asleep(continuation)
                return nil
            case .told(let outcome)?:
                state.seats[waiter] = nil
                return outcome
            case .asleep?, nil: preconditionFailure("a waiter sleeps once, right after it has joined")
            }
        }
        if let told { continuation.resume(returning: told) }
    }

    private func leave(_ waiter: Table.WaiterID, _ error: UpstreamError) {
        let (sleeper, abandoned) = state.withLock { state in
            let flight = state.table.leave(waiter)
            let task = flight.flatMap { state.tasks.removeValue(forKey: $0) }
            return (Self.tell(.failure(error), waiter, &state), task)
        }
        abandoned?.cancel()
        sleeper?.resume(returning: .failure(error))
    }

    private func landed(_ flight: Table.FlightID, _ outcome: Outcome) {
        let sleepers = state.withLock { state in
            state.tasks[flight] = nil
            return state.table.landed(flight).compactMap { Self.tell(outcome, $0, &state) }
        }
        for sleeper in sleepers { sleeper.resume(returning: outcome) }
    }

    /// - Returns: whom to wake, after the lock is free.
    private static func tell(
        _ outcome: Outcome, _ waiter: Table.WaiterID, _ state: inout State
    ) -> CheckedContinuation<Outcome, Never>? {
        switch state.seats[waiter] {
        case .taken?:
            state.seats[waiter] = .told(outcome)
            return nil
        case .asleep(let continuation)?:
            state.seats[waiter] = nil
            return continuation
        case .told?, nil: return nil  // was told before: the deadline, the cancellation and the landing race
        }
    }
}
