package import PorticoSchema

/// Kept answers, bounded in bytes; derived ones fall when a source of theirs is replaced.
package struct AnswerTable: Sendable {
    /// A stored answer's identity: another answer to the same request has another one.
    package typealias Generation = UInt64

    package enum Lookup: Equatable, Sendable {
        case missing
        case fresh(StoredAnswer, Generation)
        /// - isRefreshDue: true for one reader at a time; that one refreshes it.
        case stale(StoredAnswer, Generation, isRefreshDue: Bool)
    }

    /// Begins with the fetch; an invalidation in between makes it worthless.
    package struct Ticket: Equatable, Sendable {
        fileprivate let method: MethodID
        fileprivate let epoch: Int
    }

    private struct Entry: Sendable {
        var answer: StoredAnswer
        var generation: Generation
        var sources: [AnswerKey]
        var refreshNotBefore: ContinuousClock.Instant?

        /// Dictionary and list slots of one entry, and of one that has left and is remembered, roughly.
        private static let overheadBytes = 256

        func bytes(under key: AnswerKey) -> Int {
            sources.reduce(answer.bytes + key.bytes + Self.overheadBytes) { $0 + $1.bytes }
        }
    }

    private var entries: [AnswerKey: Entry] = [:]
    private var uses: S3FIFO<AnswerKey>
    private var derived: [AnswerKey: Set<AnswerKey>] = [:]
    private var epochs: [MethodID: Int] = [:]
    private var generations: Generation = 0

    package init(limitBytes: Int) { uses = S3FIFO(limitBytes: limitBytes) }

    /// What does not fit any more leaves.
    package mutating func adapt(limitBytes: Int) {
        for leaving in uses.adapt(limitBytes: limitBytes) {
            evictions += 1
            remove(leaving)
        }
    }

    /// Never above the limit.
    package var bytes: Int { uses.bytes }
    package var count: Int { entries.count }
    package private(set) var evictions = 0

    /// - Parameter refreshPause: how long after a refresh was handed out the next one may be.
    package mutating func lookup(
        _ key: AnswerKey, _ freshness: Freshness, now: ContinuousClock.Instant, refreshPause: Duration
    ) -> Lookup {
        guard let slot = entries.index(forKey: key) else { return .missing }
        let entry = entries.values[slot]
        let own = freshness.adjusted(by: entry.answer.said)
        // So old that what is left of its freshness ends when it should.
        let age = own.fresh + (now - entry.answer.freshEnd(own))
        switch own.state(age: age) {
        case .fresh:
            uses.touch(key)
            return .fresh(entry.answer, entry.generation)
        case .stale:
            uses.touch(key)
            let firstDue = own.fresh + own.fresh / 30 * entry.answer.refreshJitter
            let isDue = entry.refreshNotBefore.map { $0 <= now } ?? (age >= firstDue)
            if isDue { entries.values[slot].refreshNotBefore = now + refreshPause }
            return .stale(entry.answer, entry.generation, isRefreshDue: isDue)
        case .expired: return .missing
        }
    }

    /// Whatever is kept, however old: to be asked whether it still holds.
    package func kept(_ key: AnswerKey) -> (answer: StoredAnswer, generation: Generation)? {
        entries[key].map { ($0.answer, $0.generation) }
    }

    package func contains(_ key: AnswerKey) -> Bool { entries[key] != nil }

    /// The page to fetch behind `key`'s answer; each is told once.
    package mutating func takeNextPage(_ key: AnswerKey) -> AnswerKey? {
        entries[key]?.answer.nextPage.take()
    }

    package func ticket(for method: MethodID) -> Ticket {
        Ticket(method: method, epoch: epochs[method, default: 0])
    }

    /// - Returns: its generation; nil: not kept, because the method's answers were made void since the ticket.
    @discardableResult
    package mutating func store(_ answer: StoredAnswer, for key: AnswerKey, _ ticket: Ticket) -> Generation? {
        guard ticket == self.ticket(for: key.method) else { return nil }
        return insert(answer, for: key, sources: [])
    }

    /// The kept answer holds still: it is as old as `answer` again, and what was derived from it stays.
    ///
    /// - Parameter generation: of the one that was asked about; when it was replaced meanwhile, or had to leave,
    ///   `answer` is stored anew.
    package mutating func renew(
        _ answer: StoredAnswer, for key: AnswerKey, _ generation: Generation, _ ticket: Ticket
    ) -> Generation? {
        guard ticket == self.ticket(for: key.method) else { return nil }
        guard var entry = entries[key], entry.generation == generation else {
            return insert(answer, for: key, sources: [])
        }
        entry.answer = answer
        entry.refreshNotBefore = nil
        entries[key] = entry
        // Its validators may be longer than those before.
        makeRoom(for: key, entry)
        uses.touch(key)
        return generation
    }

    /// Keeps a derived answer, unless one of its sources was replaced or made void meanwhile.
    ///
    /// - Parameter tickets: of the sources' methods, drawn before they were looked for.
    package mutating func store(
        _ answer: StoredAnswer, for key: AnswerKey,
        derivedFrom sources: [(key: AnswerKey, generation: Generation)], _ tickets: [Ticket]
    ) {
        guard tickets.allSatisfy({ $0 == ticket(for: $0.method) }) else { return }
        let isOvertaken = sources.contains { source in
            entries[source.key].map { $0.generation != source.generation } ?? false
        }
        if !isOvertaken { _ = insert(answer, for: key, sources: sources.map(\.key)) }
    }

    /// Makes all answers of `method` void, those being fetched too.
    package mutating func invalidate(_ method: MethodID) {
        epochs[method, default: 0] += 1
        for key in Array(entries.keys) where key.method == method {
            dropDerived(from: key)
            remove(key)
        }
    }

    private mutating func insert(_ answer: StoredAnswer, for key: AnswerKey, sources: [AnswerKey])
        -> Generation
    {
        dropDerived(from: key)
        unlink(key)
        generations += 1
        let entry = Entry(
            answer: answer, generation: generations, sources: sources,
            refreshNotBefore: answer.refreshNotBefore)
        entries[key] = entry
        for source in sources { derived[source, default: []].insert(key) }
        makeRoom(for: key, entry)
        return generations
    }

    /// Others leave for it, or itself when it is larger than everything may be.
    private mutating func makeRoom(for key: AnswerKey, _ entry: Entry) {
        for leaving in uses.insert(key, bytes: entry.bytes(under: key)) {
            evictions += 1
            remove(leaving)
        }
    }

    private mutating func dropDerived(from source: AnswerKey) {
        for key in derived[source] ?? [] { remove(key) }
    }

    private mutating func remove(_ key: AnswerKey) {
        unlink(key)
        uses.remove(key)
    }

    /// Takes it out, but for its place among the uses.
    private mutating func unlink(_ key: AnswerKey) {
        guard let entry = entries.removeValue(forKey: key) else { return }
        for source in entry.sources {
            derived[source]?.remove(key)
            if derived[source]?.isEmpty == true { derived[source] = nil }
        }
    }
}
