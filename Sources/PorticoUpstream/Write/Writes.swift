internal import Synchronization

/// Writes under way. One that has begun goes on when its caller leaves, since nobody can tell how much of it has been done;
/// those that carry an idempotency key are made once. The shell around ``IdempotencyTable``.
final class Writes: Sendable {
    typealias Outcome = Result<IdempotencyTable.Answer, UpstreamError>
    typealias Work = @Sendable () async -> Outcome

    private struct State {
        var table = IdempotencyTable()
        var running: [IdempotencyTable.Key: Task<Outcome, Never>] = [:]
    }

    private enum Step {
        case wait(Task<Outcome, Never>)
        case end(Outcome)
    }

    private let state = Mutex(State())
    private let clock: any UpstreamClock

    init(clock: any UpstreamClock) { self.clock = clock }

    /// The outcome of `work`, or of the same write that is under way or was made before.
    ///
    /// - Parameters:
    ///   - key: nil: it is made whatever was made before.
    ///   - digest: of the request.
    ///   - deadline: then `work` is cancelled, and whoever waits is told `late`.
    func outcome(
        of key: IdempotencyTable.Key?, digest: String, deadline: ContinuousClock.Instant, late: UpstreamError,
        work: @escaping Work
    ) async -> Outcome {
        let bounded: Work = { [self] in await limited(deadline, late, work) }
        guard let key else {
            let task = Task { await bounded() }
            return await limited(deadline, late) { await task.value }
        }
        switch begin(key, digest, bounded) {
        case .wait(let task): return await limited(deadline, late) { await task.value }
        case .end(let outcome): return outcome
        }
    }

    /// Waits until the deadline at most; a task that is cancelled stops waiting.
    private func limited(
        _ deadline: ContinuousClock.Instant, _ late: UpstreamError, _ work: @escaping Work
    ) async -> Outcome {
        let flights = Flights<Int, IdempotencyTable.Answer>(clock: clock)
        return await flights.outcome(for: 0, .until(deadline), late: late) { _ in await work() }
    }

    private func begin(_ key: IdempotencyTable.Key, _ digest: String, _ work: @escaping Work) -> Step {
        state.withLock { state in
            switch state.table.begin(key, digest: digest, now: clock.now) {
            case .answered(let answer): return .end(.success(answer))
            case .refused:
                return .end(.failure(.badRequest("the idempotency key was used for another request")))
            case .full: return .end(.failure(.tooManyWrites))
            case .perform:
                if let task = state.running[key] { return .wait(task) }
                let task = Task { [self] in
                    let outcome = await work()
                    ended(key, outcome)
                    return outcome
                }
                state.running[key] = task
                return .wait(task)
            }
        }
    }

    private func ended(_ key: IdempotencyTable.Key, _ outcome: Outcome) {
        state.withLock { state in
            state.running[key] = nil
            state.table.ended(key, try? outcome.get(), now: clock.now)
        }
    }
}
