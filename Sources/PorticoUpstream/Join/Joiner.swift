internal import PorticoSchema
internal import PorticoTranscode
internal import PorticoWire

/// A join with the method that gives the other records.
struct JoinMethodPlan: Sendable {
    let join: JoinPlan
    let source: UpstreamPlan
}

/// Answers, and the other records that were put into theirs.
struct JoinedAnswers: Sendable {
    /// In the order that they came in.
    var pages: [RecordPage]
    /// The answers with the other records.
    var sources: [(key: AnswerKey, fetched: AnswerStore.Fetched)] = []
    /// Records whose key names something that cannot be had.
    var missing = 0
    /// Nothing is missing that might be there the next time, and everything may be kept.
    var isLasting = true
    /// When the first of the sources ceases to be fresh.
    var freshUntil: ContinuousClock.Instant?
}

/// Follows the keys of records to other records, through the kept answers and the shared calls of their method.
struct Joiner: Sendable {
    /// Other records asked for at a time.
    static let width = 8

    let fetcher: UpstreamFetcher

    private typealias Arrival = (key: AnswerKey, outcome: AnswerStore.Outcome)

    /// One join more. What cannot be had is left out.
    ///
    /// - Throws: nobody waits any more, or the records cannot be read.
    func join(
        _ answers: JoinedAnswers, _ plan: JoinMethodPlan, for viewer: ViewMethodPlan, _ identity: Identity,
        _ demand: AnswerStore.Demand, _ flight: AnswerStore.FlightID
    ) async throws(UpstreamError) -> JoinedAnswers {
        var keys: [JoinPlan.Key: AnswerKey] = [:]
        for page in answers.pages {
            let found = try readable(viewer) { () throws(TranscodeError) in
                try plan.join.requests(in: page.bytes)
            }
            for (text, request) in found where keys[text] == nil {
                // One that cannot be asked for is missing, like one that does not look like a key.
                guard let request else { continue }
                keys[text] = try? fetcher.key(plan.source, request, identity)
            }
        }
        let outcomes = await outcomes(of: Set(keys.values), plan.source, demand, flight)
        var (joined, fields) = (answers, [AnswerKey: [UInt8]]())
        for (key, outcome) in outcomes {
            switch outcome {
            case .success(let fetched):
                fields[key] = try readable(viewer) { () throws(TranscodeError) in
                    try plan.join.field(from: fetched.answer.message)
                }
                joined.add(key, fetched, plan.source.freshness)
            case .failure(.cancelled): throw .cancelled
            case .failure(let error):
                // What does not exist, or cannot be asked for, stays so; what else is missing may be there the next time.
                if ![.notFound, .invalidArgument].contains(CallError(error).code) {
                    joined.isLasting = false
                }
            }
        }
        let byText = keys.compactMapValues { fields[$0] }
        for index in joined.pages.indices {
            let message = joined.pages[index].bytes
            let (answer, missing) = try readable(viewer) { () throws(TranscodeError) in
                try plan.join.joined(message, byText)
            }
            // What was put in has moved the rest.
            joined.pages[index] = RecordPage(answer)
            joined.missing += missing
        }
        return joined
    }

    /// Each key once, ``width`` at a time.
    private func outcomes(
        of keys: Set<AnswerKey>, _ source: UpstreamPlan, _ demand: AnswerStore.Demand,
        _ flight: AnswerStore.FlightID
    ) async -> [Arrival] {
        await withTaskGroup(of: Arrival.self) { group in
            var (arrivals, waiting) = ([Arrival](), keys.makeIterator())
            func begin() {
                guard let key = waiting.next() else { return }
                group.addTask { [fetcher] in
                    (key, await fetcher.find(source, key, demand, .asLongAs(flight)))
                }
            }
            for _ in 0..<Self.width { begin() }
            while let arrival = await group.next() {
                arrivals.append(arrival)
                begin()
            }
            return arrivals
        }
    }

    private func readable<Value>(
        _ viewer: ViewMethodPlan, _ work: () throws(TranscodeError) -> Value
    ) throws(UpstreamError) -> Value {
        do {
            return try work()
        } catch {
            throw .underivable(route: viewer.method.route, error)
        }
    }
}

extension JoinedAnswers {
    fileprivate mutating func add(
        _ key: AnswerKey, _ fetched: AnswerStore.Fetched, _ freshness: Freshness
    ) {
        sources.append((key, fetched))
        let end = fetched.answer.freshEnd(freshness.adjusted(by: fetched.answer.said))
        freshUntil = freshUntil.map { min($0, end) } ?? end
        if fetched.answer.said.forbidsKeeping { isLasting = false }
    }
}
