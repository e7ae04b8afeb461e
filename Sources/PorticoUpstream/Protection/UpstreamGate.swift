package import PorticoConfig
internal import Synchronization

/// What stands before every HTTP call to one upstream: its concurrency limit, then its breaker. The shell around both.
package final class UpstreamGate: Sendable {
    package enum Refusal: Error, Equatable, Sendable {
        case breakerOpen
        case overloaded(limit: Int)
        /// Cancelled while it waited.
        case cancelled
    }

    /// What one who waits has got so far; gone once it has been woken.
    private enum Seat {
        /// Has a ticket, does not sleep yet.
        case taken
        case asleep(CheckedContinuation<Bool, Never>)
        /// Its turn or its end came before the sleep.
        case told(isGranted: Bool)
    }

    private typealias Sleeper = CheckedContinuation<Bool, Never>
    private typealias Pair = (Sleeper?, Sleeper?)

    private struct State {
        var limit: ConcurrencyLimit
        var breaker: Breaker
        var seats: [ConcurrencyLimit.Ticket: Seat] = [:]
    }

    private let state: Mutex<State>
    private let queueLimit: Int
    private let clock: any UpstreamClock
    private let changed: @Sendable (Breaker.State) -> Void

    /// - Parameter changed: told when the breaker's state is another one.
    package init(
        _ settings: Configuration.Upstream, clock: any UpstreamClock,
        changed: @escaping @Sendable (Breaker.State) -> Void = { _ in }
    ) {
        let concurrency = settings.concurrency
        queueLimit = concurrency.queue
        self.clock = clock
        self.changed = changed
        state = Mutex(
            State(
                limit: ConcurrencyLimit(limit: concurrency.limit, queueLimit: concurrency.queue),
                breaker: Breaker(BreakerPolicy(settings.breaker), now: clock.now)))
    }

    package var breakerState: Breaker.State { state.withLock { $0.breaker.state } }
    package var running: Int { state.withLock { $0.limit.runningCount } }
    package var waiting: Int { state.withLock { $0.limit.waitingCount } }

    /// Runs `work` when its turn comes.
    ///
    /// - Parameter outcome: what its result says about the upstream.
    package func pass<Value: Sendable>(
        outcome: (Value) -> Breaker.Outcome, work: () async -> Value
    ) async throws(Refusal) -> Value {
        // Those who would be refused anyway do not take up the queue.
        let arrived = clock.now
        if state.withLock({ $0.breaker.isRefusing(now: arrived) }) { throw .breakerOpen }
        let ticket = try await turn()
        defer { leave(ticket) }
        let began = clock.now
        guard let permit = change({ $0.admit(now: began) }) else { throw .breakerOpen }
        let value = await work()
        let ended = clock.now
        let result = outcome(value)
        change { $0.ended(permit, result, took: ended - began, now: ended) }
        return value
    }

    private func change<Value: Sendable>(_ body: (inout sending Breaker) -> sending Value) -> Value {
        let (value, before, after) = state.withLock { state in
            let before = state.breaker.state
            let value = body(&state.breaker)
            return (value, before, state.breaker.state)
        }
        if before != after { changed(after) }
        return value
    }

    private func turn() async throws(Refusal) -> ConcurrencyLimit.Ticket {
        let arrival = state.withLock { state in
            let arrival = state.limit.arrive()
            if case .waits(let ticket) = arrival { state.seats[ticket] = .taken }
            return arrival
        }
        switch arrival {
        case .goes(let ticket): return ticket
        case .refused: throw .overloaded(limit: queueLimit)
        case .waits(let ticket):
            let isGranted = await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in sleep(ticket, continuation) }
            } onCancel: {
                giveUp(ticket)
            }
            guard isGranted else { throw .cancelled }
            return ticket
        }
    }

    private func sleep(_ ticket: ConcurrencyLimit.Ticket, _ continuation: Sleeper) {
        let told: Bool? = state.withLock { state in
            switch state.seats[ticket] {
            case .taken?:
                state.seats[ticket] = .asleep(continuation)
                return nil
            case .told(let isGranted)?:
                state.seats[ticket] = nil
                return isGranted
            case .asleep?, nil: preconditionFailure("a ticket sleeps once, right after it was drawn")
            }
        }
        if let told { continuation.resume(returning: told) }
    }

    /// Its task was cancelled: in the queue, before it, or just after its turn came.
    private func giveUp(_ ticket: ConcurrencyLimit.Ticket) {
        let (sleeper, next) = state.withLock { state in
            // Awake already: whoever holds the ticket will leave by itself.
            guard state.seats[ticket] != nil else { return (nil, nil) as Pair }
            let sleeper = Self.tell(ticket, isGranted: false, &state)
            return (sleeper, Self.advance(after: ticket, &state)) as Pair
        }
        sleeper?.resume(returning: false)
        next?.resume(returning: true)
    }

    private func leave(_ ticket: ConcurrencyLimit.Ticket) {
        state.withLock { Self.advance(after: ticket, &$0) }?.resume(returning: true)
    }

    /// - Returns: whom to wake, after the lock is free.
    private static func advance(
        after ticket: ConcurrencyLimit.Ticket, _ state: inout State
    ) -> Sleeper? {
        switch state.limit.leave(ticket) {
        case .none: nil
        case .next(let next): tell(next, isGranted: true, &state)
        }
    }

    private static func tell(
        _ ticket: ConcurrencyLimit.Ticket, isGranted: Bool, _ state: inout State
    ) -> Sleeper? {
        switch state.seats[ticket] {
        case .taken?, .told?:
            state.seats[ticket] = .told(isGranted: isGranted)
            return nil
        case .asleep(let continuation)?:
            state.seats[ticket] = nil
            return continuation
        case nil: preconditionFailure("a ticket in the queue has a seat: a bug in this gate")
        }
    }
}
