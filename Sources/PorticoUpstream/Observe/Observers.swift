internal import PorticoWire
internal import Synchronization

/// Keeps observed answers fresh and tells who observes them. The shell around ``ObservationTable``.
///
/// A task runs for each subject that is asked for, and one for each that pauses; none when nobody observes.
final class Observers: Sendable {
    typealias Table = ObservationTable<AnswerKey>
    typealias Tell = @Sendable (Observed) -> Void
    /// Asks for the answer: the first time any that is kept will do.
    typealias Ask = @Sendable (AnswerStore.Demand) async -> Result<Sighting, CallError>

    /// An answer as it was found.
    struct Sighting: Sendable {
        var answer: StoredAnswer
        var origin: Answer.Origin
        var cursor: [UInt8]
        var freshUntil: ContinuousClock.Instant
    }

    private struct Subject {
        let ask: Ask
        var task: Task<Void, Never>?
        var latest: ObservedAnswer?
    }

    private struct State {
        var table = Table()
        var subjects: [Table.SubjectID: Subject] = [:]
        var listeners: [Table.ObserverID: Tell] = [:]
        var versions: UInt64 = 0
    }

    /// Nothing is asked for more often than this, whatever freshness the environment gives it.
    static let shortestPause = Duration.seconds(1)
    /// After a failure, on average; sooner for what is fresh for less.
    static let failurePause = Duration.seconds(5)

    private let state = Mutex(State())
    private let surroundings: UpstreamClient.Surroundings

    init(_ surroundings: UpstreamClient.Surroundings) { self.surroundings = surroundings }

    var counts: (subjects: Int, pausing: Int, observers: Int) {
        state.withLock { ($0.table.subjectCount, $0.table.pausingCount, $0.table.observerCount) }
    }

    /// - Parameters:
    ///   - ask: used when nobody observes `key` yet.
    ///   - tell: called from any thread, the first time perhaps before this returns; must not block.
    func observe(_ key: AnswerKey, ask: @escaping Ask, tell: @escaping Tell) -> Observation {
        let (joined, latest) = state.withLock { state in
            let joined = state.table.join(key)
            state.listeners[joined.observer] = tell
            if joined.isFirst { state.subjects[joined.subject] = Subject(ask: ask) }
            return (joined, state.subjects[joined.subject]?.latest)
        }
        if joined.isFirst { begin(joined.subject, .anyKept) }
        if let latest {
            tell(.answer(latest.origin.isStale ? latest : latest.retold(.hit, version: latest.version)))
        }
        return Observation { [self] in leave(joined.observer) }
    }

    /// Asks at once for what was made void, and tells what has changed.
    func invalidated(where isVoid: (AnswerKey) -> Bool) {
        let due = state.withLock { state in
            let due = state.table.invalidated(where: isVoid)
            return due.map { ($0, state.subjects[$0]?.task) }
        }
        for (subject, pause) in due {
            pause?.cancel()
            begin(subject, .fresh)
        }
    }

    private func leave(_ observer: Table.ObserverID) {
        let task = state.withLock { state -> Task<Void, Never>? in
            state.listeners[observer] = nil
            return state.table.leave(observer).flatMap { state.subjects.removeValue(forKey: $0)?.task }
        }
        task?.cancel()
    }

    private func begin(_ subject: Table.SubjectID, _ demand: AnswerStore.Demand) {
        run(subject) { [self] in
            guard let ask = state.withLock({ $0.subjects[subject]?.ask }) else { return }
            arrived(subject, await ask(demand))
        }
    }

    /// - Parameter work: what the subject waits for from now on.
    private func run(_ subject: Table.SubjectID, _ work: @escaping @Sendable () async -> Void) {
        // Begun under the lock: what it leads to finds its own task in its place.
        state.withLock { state in
            guard state.subjects[subject] != nil else { return }
            state.subjects[subject]?.task = Task { await work() }
        }
    }

    private func arrived(_ subject: Table.SubjectID, _ result: Result<Sighting, CallError>) {
        let now = surroundings.clock.now
        let roll = surroundings.dice.roll()
        let (step, listeners, latest) = state.withLock { state in
            let step = Self.step(subject, result, now, roll, &state)
            let listeners = (step?.told ?? []).compactMap { state.listeners[$0] }
            if case .over? = step?.news {
                for observer in step?.told ?? [] { state.listeners[observer] = nil }
                state.subjects[subject] = nil
            }
            return (step, listeners, state.subjects[subject]?.latest)
        }
        guard let step else { return }
        switch (step.news, result) {
        case (.over, .failure(let error)):
            for tell in listeners { tell(.failed(error)) }
        case (.changed, _), (.aged, _):
            if let latest { for tell in listeners { tell(.answer(latest)) } }
        case (.nothing, _), (.over, .success): break
        }
        go(on: subject, step.next)
    }

    private func go(on subject: Table.SubjectID, _ next: Table.Next) {
        switch next {
        case .ask: begin(subject, .fresh)
        case .pause(let pause, let end):
            run(subject) { [self] in
                try? await surroundings.clock.sleep(until: end)
                guard !Task.isCancelled, state.withLock({ $0.table.pauseEnded(subject, pause) }) else {
                    return
                }
                begin(subject, .fresh)
            }
        case .end: break
        }
    }

    /// Lets the table decide, and keeps what the observers are told.
    private static func step(
        _ subject: Table.SubjectID, _ result: Result<Sighting, CallError>, _ now: ContinuousClock.Instant,
        _ roll: Double, _ state: inout State
    ) -> Table.Step? {
        let step: Table.Step?
        switch result {
        case .success(let sighting):
            step = state.table.answered(
                subject, sighting.cursor, isStale: sighting.origin.isStale,
                next: next(sighting, now, roll, isFirst: state.subjects[subject]?.latest == nil))
            guard step != nil else { return nil }
            state.versions += 1
            state.subjects[subject]?.latest = ObservedAnswer(
                message: sighting.answer.message, skippedItems: sighting.answer.skippedItems,
                missingJoins: sighting.answer.missingJoins,
                fetchedAt: sighting.answer.fetchedAt, origin: sighting.origin, cursor: sighting.cursor,
                version: state.versions)
        case .failure:
            step = state.table.failed(subject, next: now + failurePause * (0.5 + roll))
            guard step != nil, let latest = state.subjects[subject]?.latest else { return step }
            state.versions += 1
            state.subjects[subject]?.latest = latest.retold(.stale, version: state.versions)
        }
        return step
    }

    /// When to ask again: when it is no longer fresh, up to a tenth of what is left until then late so that many subjects
    /// are not asked for together. A stale one that was at hand at first is refreshed now; one that the upstream's failure left, soon.
    private static func next(
        _ sighting: Sighting, _ now: ContinuousClock.Instant, _ roll: Double, isFirst: Bool
    ) -> ContinuousClock.Instant {
        if sighting.origin.isStale {
            let fresh = max(sighting.freshUntil - sighting.answer.fetchedAt, shortestPause)
            return isFirst ? now : now + min(fresh, failurePause) * (0.5 + roll)
        }
        let left = max(sighting.freshUntil - now, shortestPause)
        return now + left + left / 10 * roll
    }
}
