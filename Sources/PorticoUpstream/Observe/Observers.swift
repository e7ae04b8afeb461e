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
        let keyBytes: Int
        let ask: Ask
        var task: Task<Void, Never>?
        var latest: ObservedAnswer?

        var bytes: Int { keyBytes + (latest?.message.count ?? 0) + Observers.overheadBytes }
    }

    private struct State {
        var table = Table()
        private(set) var subjects: [Table.SubjectID: Subject] = [:]
        var listeners: [Table.ObserverID: Tell] = [:]
        var versions: UInt64 = 0
        /// Of all subjects: their requests and answers.
        private(set) var bytes = 0

        mutating func add(_ id: Table.SubjectID, _ subject: Subject) {
            bytes += subject.bytes
            subjects[id] = subject
        }

        mutating func remove(_ id: Table.SubjectID) -> Task<Void, Never>? {
            guard let subject = subjects.removeValue(forKey: id) else { return nil }
            bytes -= subject.bytes
            return subject.task
        }

        /// - Parameter change: to what is there; of what is not nothing changes.
        mutating func update(_ id: Table.SubjectID, _ change: (inout Subject) -> Void) {
            guard var subject = subjects[id] else { return }
            bytes -= subject.bytes
            change(&subject)
            bytes += subject.bytes
            subjects[id] = subject
        }
    }

    /// There is that much room, however little the cache has.
    static let leastRoomBytes = 1 << 20
    /// A task and its alarm, the slots of a subject and of an observer, roughly.
    private static let overheadBytes = 1024

    /// Nothing is asked for more often than this, whatever freshness the environment gives it.
    static let shortestPause = Duration.seconds(1)
    /// After a failure, on average; sooner for what is fresh for less.
    static let failurePause = Duration.seconds(5)

    private let state = Mutex(State())
    private let limitBytes: Int
    private let surroundings: UpstreamClient.Surroundings

    /// - Parameter limitBytes: of requests and answers; above it nothing is observed that is not observed already.
    init(limitBytes: Int, _ surroundings: UpstreamClient.Surroundings) {
        self.limitBytes = limitBytes
        self.surroundings = surroundings
    }

    var bytes: Int { state.withLock { $0.bytes } }

    var counts: (subjects: Int, pausing: Int, observers: Int) {
        state.withLock { ($0.table.subjectCount, $0.table.pausingCount, $0.table.observerCount) }
    }

    /// - Parameters:
    ///   - ask: used when nobody observes `key` yet.
    ///   - tell: called from any thread, the first time perhaps before this returns; must not block.
    /// - Throws: as much is observed as there is room for.
    func observe(
        _ key: AnswerKey, ask: @escaping Ask, tell: @escaping Tell
    ) throws(UpstreamError) -> Observation {
        let begun = state.withLock { state -> (joined: Table.Joined, latest: ObservedAnswer?)? in
            let subject = Subject(keyBytes: key.bytes, ask: ask)
            guard state.table.isObserved(key) || subject.bytes <= limitBytes - state.bytes else { return nil }
            let joined = state.table.join(key)
            state.listeners[joined.observer] = tell
            if joined.isFirst { state.add(joined.subject, subject) }
            return (joined, state.subjects[joined.subject]?.latest)
        }
        guard let (joined, latest) = begun else { throw .tooMuchObserved(limitBytes: limitBytes) }
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
            return state.table.leave(observer).flatMap { state.remove($0) }
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
            state.update(subject) { $0.task = Task { await work() } }
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
                _ = state.remove(subject)
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
            let latest = ObservedAnswer(
                message: sighting.answer.message, skippedItems: sighting.answer.skippedItems,
                missingJoins: sighting.answer.missingJoins,
                fetchedAt: sighting.answer.fetchedAt, origin: sighting.origin, cursor: sighting.cursor,
                version: state.versions)
            state.update(subject) { $0.latest = latest }
        case .failure:
            step = state.table.failed(subject, next: now + failurePause * (0.5 + roll))
            guard step != nil, let latest = state.subjects[subject]?.latest else { return step }
            state.versions += 1
            let stale = latest.retold(.stale, version: state.versions)
            state.update(subject) { $0.latest = stale }
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
