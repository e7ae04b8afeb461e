internal import PorticoSchema
internal import Synchronization

/// Where answers come from once they are there: the table of kept ones, the calls in flight, and what lists have told.
/// It decides what is refreshed and fetched ahead behind an answer that has been given.
final class AnswerStore: Sendable {
    typealias FlightID = FlightTable<AnswerKey>.FlightID
    typealias Patience = FlightTable<AnswerKey>.Patience
    typealias Outcome = Result<Fetched, UpstreamError>
    /// Makes the answer that is missing.
    typealias Work = @Sendable (FlightID) async -> Outcome

    /// An answer with what is needed to derive others from it. An object: it passes through a dozen hands.
    final class Fetched: Sendable {
        let answer: StoredAnswer
        /// Nil: not kept.
        let generation: AnswerTable.Generation?
        let origin: Answer.Origin

        init(answer: StoredAnswer, generation: AnswerTable.Generation?, origin: Answer.Origin) {
            self.answer = answer
            self.generation = generation
            self.origin = origin
        }
    }

    /// What a source must be.
    enum Demand: Sendable {
        /// What is at hand, stale or not, and else a fetched one.
        case anyKept
        /// A fresh one; a stale one only when the upstream fails.
        case fresh
    }

    /// After a refresh was begun, so long until the next, on average; jittered so that many keys spread out.
    static let refreshPause = Duration.seconds(5)

    let flights: Flights<AnswerKey, Fetched>
    let surroundings: UpstreamClient.Surroundings
    /// Answers being read from disk.
    private let restores: Flights<AnswerKey, Bool>
    private let table: Mutex<AnswerTable>
    /// Its own lock is taken inside the table's, so that no answer gets to it that was made void.
    private let disk: AnswerDisk?
    /// Counts the changes of ``table``. It is added to before the lock is given back, so that whoever reads it before
    /// looking into the table never takes an old answer for a new one.
    private let changes = Atomic<UInt64>(0)
    private let totals = Mutex(PageTotals())
    private let inBackground = Atomic(0)
    private let numbers = Mutex(KeptMethods())
    /// How long something may take that nobody waits for.
    private let backgroundLimit: Mutex<Duration>

    /// - Parameter disk: nil: memory only.
    init(
        limitBytes: Int, backgroundLimit: Duration, disk: AnswerDisk?,
        _ surroundings: UpstreamClient.Surroundings
    ) {
        table = Mutex(AnswerTable(limitBytes: limitBytes))
        self.disk = disk
        restores = Flights(clock: surroundings.clock)
        flights = Flights(clock: surroundings.clock, workplace: surroundings.workplace)
        self.backgroundLimit = Mutex(backgroundLimit)
        self.surroundings = surroundings
    }

    /// What the answers of a method are kept under that is fetched in the way of `identity`.
    func number(for identity: String) -> MethodID { numbers.withLock { $0.number(for: identity) } }

    /// Goes on with other limits and for other methods: what was kept for those that are gone is dropped.
    func adapt(limitBytes: Int, backgroundLimit: Duration, keeping methods: Set<MethodID>) {
        self.backgroundLimit.withLock { $0 = backgroundLimit }
        let gone = numbers.withLock { $0.keep(methods) }
        table.withLock { table in
            for method in gone { table.invalidate(method) }
            table.adapt(limitBytes: limitBytes)
        }
    }

    /// Refreshes and pages fetched ahead that have begun and not ended.
    var backgroundCount: Int { inBackground.load(ordering: .relaxed) }

    /// Another one: kept answers have changed.
    var generation: UInt64 { changes.load(ordering: .relaxed) }

    private func changing<Value: Sendable>(_ body: (inout AnswerTable) -> Value) -> Value {
        table.withLock { table in
            defer { changes.add(1, ordering: .relaxed) }
            return body(&table)
        }
    }

    var bytes: Int { table.withLock { $0.bytes } }
    var restoring: (flights: Int, waiters: Int) { (restores.count, restores.waiterCount) }

    var statistics: UpstreamStatistics.Store {
        table.withLock { table in
            .init(
                bytes: table.bytes, entries: table.count, evictions: table.evictions, disk: disk?.statistics)
        }
    }

    /// Returns when what was to be written is on disk.
    func settleDisk() async { await disk?.settle() }

    /// Nil: none that may still be given.
    func atHand(_ key: AnswerKey, _ freshness: Freshness) -> (fetched: Fetched, isRefreshDue: Bool)? {
        let pause = Self.refreshPause * (0.5 + surroundings.dice.roll())
        let now = surroundings.clock.now
        switch table.withLock({ $0.lookup(key, freshness, now: now, refreshPause: pause) }) {
        case .missing: return nil
        case .fresh(let answer, let generation):
            return (Fetched(answer: answer, generation: generation, origin: .hit), false)
        case .stale(let answer, let generation, let isDue):
            return (Fetched(answer: answer, generation: generation, origin: .stale), isDue)
        }
    }

    /// The page behind `key`'s answer that should be fetched now, once.
    func takeNextPage(_ key: AnswerKey, _ freshness: Freshness) -> AnswerKey? {
        guard let next = table.withLock({ $0.takeNextPage(key) }), atHand(next, freshness) == nil else {
            return nil
        }
        return next
    }

    /// What is kept, else what `work` makes, shared with all who want the same.
    func find(
        _ key: AnswerKey, _ freshness: Freshness, _ demand: Demand, _ patience: Patience, upstream: String,
        work: @escaping Work
    ) async -> Outcome {
        let kept = atHand(key, freshness)?.fetched
        if let kept, kept.origin == .hit || demand == .anyKept { return .success(kept) }
        let outcome = await flights.outcome(
            for: key, patience, late: .deadline(upstream: upstream), work: work)
        switch (outcome, kept) {
        case (.failure(let error), let kept?) where error != .cancelled: return .success(kept)
        case (.failure, _), (.success, _): return outcome
        }
    }

    /// Of what begins now and nobody waits for.
    var backgroundDeadline: ContinuousClock.Instant {
        surroundings.clock.now + backgroundLimit.withLock { $0 }
    }

    /// Runs `work` for `key` although nobody waits, unless it is under way.
    func behind(
        _ key: AnswerKey, upstream: String, failed: @escaping @Sendable (UpstreamError) -> Void,
        work: @escaping Work
    ) {
        guard !flights.isInFlight(key) else { return }
        let deadline = backgroundDeadline
        inBackground.add(1, ordering: .relaxed)
        Task(executorPreference: surroundings.workplace.executor) { [self] in
            let outcome = await flights.outcome(
                for: key, .until(deadline), late: .deadline(upstream: upstream), work: work)
            if case .failure(let error) = outcome { failed(error) }
            inBackground.subtract(1, ordering: .relaxed)
        }
    }

    /// Takes what is on disk into memory, when it is not there; other callers who want the same share the reading.
    func restore(_ key: AnswerKey, _ place: AnswerDisk.Place, _ patience: Patience) async {
        guard let disk, !table.withLock({ $0.contains(key) }), disk.mayHold(key, place) else { return }
        let deadline =
            switch patience {
            case .until(let instant): instant
            case .asLongAs(let flight): flights.deadline(of: flight)
            }
        // Too late or cancelled: the caller goes on without, and ends for the same reason.
        _ = await restores.outcome(for: key, .until(deadline), late: .cancelled) { [self] _ in
            let ticket = ticket(for: key.method)
            guard let answer = await disk.answer(for: key, place) else { return .success(false) }
            return .success(changing { $0.contains(key) || $0.store(answer, for: key, ticket) != nil })
        }
    }

    func ticket(for method: MethodID) -> AnswerTable.Ticket { table.withLock { $0.ticket(for: method) } }

    /// Whatever is kept, however old.
    func kept(_ key: AnswerKey) -> Fetched? {
        table.withLock { $0.kept(key) }.map {
            Fetched(answer: $0.answer, generation: $0.generation, origin: .stale)
        }
    }

    /// In memory, and behind that on disk.
    func keep(
        _ answer: StoredAnswer, for key: AnswerKey, _ plan: UpstreamPlan, _ ticket: AnswerTable.Ticket
    ) -> AnswerTable.Generation? {
        changing { table in
            let generation = table.store(answer, for: key, ticket)
            if generation != nil { keepOnDisk(answer, for: key, plan) }
            return generation
        }
    }

    /// The upstream said that what is kept still holds.
    func renew(
        _ answer: StoredAnswer, for key: AnswerKey, _ generation: AnswerTable.Generation,
        _ plan: UpstreamPlan,
        _ ticket: AnswerTable.Ticket
    ) -> AnswerTable.Generation? {
        changing { table in
            let generation = table.renew(answer, for: key, generation, ticket)
            if generation != nil { keepOnDisk(answer, for: key, plan) }
            return generation
        }
    }

    /// What may never be given stale is of no use there.
    private func keepOnDisk(_ answer: StoredAnswer, for key: AnswerKey, _ plan: UpstreamPlan) {
        guard plan.freshness.adjusted(by: answer.said).stale > .zero else { return }
        disk?.keepBehind(answer, for: key, plan.place)
    }

    /// - Parameter tickets: of the sources' methods, drawn before their answers were asked for.
    func keep(
        _ answer: StoredAnswer, for key: AnswerKey, derivedFrom sources: [PageCollection.Page],
        _ tickets: [AnswerTable.Ticket]
    ) {
        // A source that was not kept may have been made void: nothing is derived from it for later.
        let identified = sources.compactMap { key, fetched in
            fetched.generation.map { (key: key, generation: $0) }
        }
        guard identified.count == sources.count else { return }
        changing { $0.store(answer, for: key, derivedFrom: identified, tickets) }
    }

    /// Makes the kept answers of a method void, those derived from them, and those of which the fetch has begun: whoever
    /// asks from now on waits for one that begins now.
    ///
    /// - Parameters:
    ///   - place: of them on disk.
    ///   - views: methods that derive their answers from these.
    func invalidate(_ method: MethodID, _ place: AnswerDisk.Place, views: Set<MethodID>) {
        changing { table in
            table.invalidate(method)
            disk?.void(place)
        }
        flights.setAside { $0.method == method || views.contains($0.method) }
    }

    func learn(lastPage: Int, of list: AnswerKey, _ freshness: Freshness) {
        let until = surroundings.clock.now + freshness.fresh
        totals.withLock { $0.learn(list, lastPage: lastPage, until: until) }
    }

    func lastPage(of list: AnswerKey) -> Int? {
        let now = surroundings.clock.now
        return totals.withLock { $0.lastPage(of: list, now: now) }
    }
}
