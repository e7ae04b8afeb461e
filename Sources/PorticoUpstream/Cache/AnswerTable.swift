package import PorticoSchema

/// What an answer is kept under.
package struct AnswerKey: Hashable, Sendable {
    package let method: MethodID
    /// The request in canonical form, so that equal requests are equal bytes.
    package let request: [UInt8]

    package init(method: MethodID, request: [UInt8]) {
        self.method = method
        self.request = request
    }
}

/// An upstream's answer as records, or one derived from such.
package struct StoredAnswer: Sendable, Equatable {
    package var message: [UInt8]
    package var skippedItems: Int
    /// When the upstream gave it; of a derived one: when it gave the oldest source.
    package var fetchedAt: ContinuousClock.Instant
    /// The page behind it, to be fetched ahead once somebody has read this one.
    package var nextPage: AnswerKey?

    package init(
        message: [UInt8], skippedItems: Int, fetchedAt: ContinuousClock.Instant, nextPage: AnswerKey? = nil
    ) {
        self.message = message
        self.skippedItems = skippedItems
        self.fetchedAt = fetchedAt
        self.nextPage = nextPage
    }
}

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
        fileprivate let epoch: Int
    }

    private struct Entry: Sendable {
        var answer: StoredAnswer
        var generation: Generation
        var sources: [AnswerKey]
        var refreshNotBefore: ContinuousClock.Instant?
    }

    /// Dictionary and list slots of one entry, roughly.
    private static let overheadBytes = 256

    private var entries: [AnswerKey: Entry] = [:]
    private var recency: RecencyList<AnswerKey>
    private var derived: [AnswerKey: Set<AnswerKey>] = [:]
    private var epochs: [MethodID: Int] = [:]
    private var generations: Generation = 0

    package init(limitBytes: Int) { recency = RecencyList(limitBytes: limitBytes) }

    /// Never above the limit.
    package var bytes: Int { recency.bytes }
    package var count: Int { entries.count }

    /// - Parameter refreshPause: how long after a refresh was handed out the next one may be.
    package mutating func lookup(
        _ key: AnswerKey, _ freshness: Freshness, now: ContinuousClock.Instant, refreshPause: Duration
    ) -> Lookup {
        guard let slot = entries.index(forKey: key) else { return .missing }
        let entry = entries.values[slot]
        switch freshness.state(age: now - entry.answer.fetchedAt) {
        case .fresh:
            recency.touch(key)
            return .fresh(entry.answer, entry.generation)
        case .stale:
            recency.touch(key)
            let isDue = entry.refreshNotBefore.map { $0 <= now } ?? true
            if isDue { entries.values[slot].refreshNotBefore = now + refreshPause }
            return .stale(entry.answer, entry.generation, isRefreshDue: isDue)
        case .expired: return .missing
        }
    }

    /// The page to fetch behind `key`'s answer; each is told once.
    package mutating func takeNextPage(_ key: AnswerKey) -> AnswerKey? {
        entries[key]?.answer.nextPage.take()
    }

    package func ticket(for method: MethodID) -> Ticket { Ticket(epoch: epochs[method, default: 0]) }

    /// - Returns: its generation; nil: not kept, because the method's answers were made void since the ticket.
    @discardableResult
    package mutating func store(_ answer: StoredAnswer, for key: AnswerKey, _ ticket: Ticket) -> Generation? {
        guard ticket == self.ticket(for: key.method) else { return nil }
        return insert(answer, for: key, sources: [])
    }

    /// Keeps a derived answer, unless one of its sources was replaced meanwhile.
    package mutating func store(
        _ answer: StoredAnswer, for key: AnswerKey,
        derivedFrom sources: [(key: AnswerKey, generation: Generation)]
    ) {
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
        remove(key)
        generations += 1
        entries[key] = Entry(answer: answer, generation: generations, sources: sources)
        for source in sources { derived[source, default: []].insert(key) }
        let keyBytes = sources.reduce(key.request.count) { $0 + $1.request.count }
        for leaving in recency.insert(key, bytes: answer.message.count + keyBytes + Self.overheadBytes) {
            remove(leaving)
        }
        return generations
    }

    private mutating func dropDerived(from source: AnswerKey) {
        for key in derived[source] ?? [] { remove(key) }
    }

    private mutating func remove(_ key: AnswerKey) {
        guard let entry = entries.removeValue(forKey: key) else { return }
        recency.remove(key)
        for source in entry.sources {
            derived[source]?.remove(key)
            if derived[source]?.isEmpty == true { derived[source] = nil }
        }
    }
}
