internal import PorticoSchema
internal import PorticoTranscode
internal import PorticoWire

/// Answers views: from their kept answer, else from the pages of their source, followed to the end.
struct ViewDeriver: Sendable {
    /// A list of more pages is not followed.
    static let pageLimit = 1000
    /// Pages asked for at a time.
    static let width = 4

    let fetcher: UpstreamFetcher
    private var store: AnswerStore { fetcher.store }

    init(_ fetcher: UpstreamFetcher) { self.fetcher = fetcher }

    private typealias Page = (key: AnswerKey, fetched: AnswerStore.Fetched)

    func find(_ plan: ViewMethodPlan, _ key: AnswerKey, _ patience: AnswerStore.Patience) async
        -> AnswerStore.Outcome
    {
        await store.find(key, plan.freshness, .anyKept, patience, upstream: plan.source.client.name) {
            [self] flight in
            await derive(plan, key, .anyKept, flight)
        }
    }

    /// After a stale answer was given: the same from fresh pages.
    func refresh(_ plan: ViewMethodPlan, _ key: AnswerKey) {
        let (events, route) = (store.surroundings.events, plan.method.route)
        store.behind(key, upstream: plan.source.client.name) { error in
            events(.refreshFailed(route: route, CallError(error)))
        } work: { [self] flight in
            await derive(plan, key, .fresh, flight)
        }
    }

    private func derive(
        _ plan: ViewMethodPlan, _ key: AnswerKey, _ demand: AnswerStore.Demand, _ flight: AnswerStore.FlightID
    ) async -> AnswerStore.Outcome {
        do throws(UpstreamError) {
            let pages = try await pages(plan, key.request, demand, flight)
            let answer = try derived(plan, key.request, from: pages)
            let origins = pages.map(\.fetched.origin)
            let origin: Answer.Origin =
                origins.contains(.stale) ? .stale : origins.contains(.miss) ? .miss : .hit
            // A refresh that found nothing newer leaves the kept answer, and its time of the next refresh.
            if origin != .stale || demand == .anyKept {
                store.keep(answer, for: key, derivedFrom: pages.map { ($0.key, $0.fetched) })
            }
            return .success(.init(answer: answer, generation: nil, origin: origin))
        } catch {
            return .failure(error)
        }
    }

    private func derived(
        _ plan: ViewMethodPlan, _ request: [UInt8], from pages: [Page]
    ) throws(UpstreamError) -> StoredAnswer {
        do {
            return StoredAnswer(
                message: try plan.view.run(pages: pages.map(\.fetched.answer.message), request: request),
                skippedItems: pages.reduce(0) { $0 + $1.fetched.answer.skippedItems },
                fetchedAt: pages.map(\.fetched.answer.fetchedAt).min() ?? store.surroundings.clock.now)
        } catch {
            throw .underivable(route: plan.method.route, error)
        }
    }

    private func pages(
        _ plan: ViewMethodPlan, _ request: [UInt8], _ demand: AnswerStore.Demand,
        _ flight: AnswerStore.FlightID
    ) async throws(UpstreamError) -> [Page] {
        let source = try fetcher.key(plan.source, try filled(plan, request))
        guard plan.followsPages, let paging = plan.source.paging else {
            let fetched = try await fetcher.find(plan.source, source, demand, .asLongAs(flight)).get()
            return [(source, fetched)]
        }
        let walk = WalkShell(
            plan: plan.source, paging: paging, list: source, demand: demand, flight: flight, fetcher: fetcher)
        return try await walk.run(limit: Self.pageLimit, width: Self.width)
    }

    private func filled(_ plan: ViewMethodPlan, _ request: [UInt8]) throws(UpstreamError) -> [UInt8] {
        do {
            return try plan.bridge.fill(from: request)
        } catch {
            throw fetcher.invalid(plan.id)
        }
    }
}

/// Performs what ``PageWalk`` decides.
private struct WalkShell: Sendable {
    typealias Page = (key: AnswerKey, fetched: AnswerStore.Fetched)

    let plan: UpstreamPlan
    let paging: PagingPlan
    let list: AnswerKey
    let demand: AnswerStore.Demand
    let flight: AnswerStore.FlightID
    let fetcher: UpstreamFetcher

    /// All pages in their order, or the first failure.
    func run(limit: Int, width: Int) async throws(UpstreamError) -> [Page] {
        let outcome = await withTaskGroup(of: (Int, AnswerKey, AnswerStore.Outcome).self) { group in
            var walk = PageWalk(limit: limit, width: width)
            var found: [Int: Page] = [:]
            do throws(UpstreamError) {
                try add(walk.start(), to: &group)
                while let (number, key, outcome) = await group.next() {
                    let fetched = try outcome.get()
                    found[number] = (key, fetched)
                    try add(try next(&walk, number, fetched.answer), to: &group)
                }
                return Result<[Page], UpstreamError>.success(found.sorted { $0.key < $1.key }.map(\.value))
            } catch {
                group.cancelAll()
                return .failure(error)
            }
        }
        return try outcome.get()
    }

    private func next(
        _ walk: inout PageWalk, _ number: Int, _ page: StoredAnswer
    ) throws(UpstreamError) -> Range<Int> {
        let facts: PageFacts
        do {
            facts = try paging.reader.facts(of: page.message.span, skippedItems: page.skippedItems)
        } catch {
            throw .unreadable(
                upstream: plan.client.name, offset: error.offset, reason: "page \(number) is not a record")
        }
        do {
            return try walk.answered(number, facts)
        } catch {
            throw .tooManyPages(upstream: plan.client.name, limit: error.limit)
        }
    }

    private func add(
        _ numbers: Range<Int>, to group: inout TaskGroup<(Int, AnswerKey, AnswerStore.Outcome)>
    ) throws(UpstreamError) {
        for number in numbers {
            guard let request = try? paging.field.setting(number, in: list.request) else {
                throw fetcher.invalid(plan.id)
            }
            let key = AnswerKey(method: plan.id, request: request)
            group.addTask { [self] in
                (number, key, await fetcher.find(plan, key, demand, .asLongAs(flight)))
            }
        }
    }
}
