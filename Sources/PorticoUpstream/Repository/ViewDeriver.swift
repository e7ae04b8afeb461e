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

    private typealias Page = PageCollection.Page

    func find(
        _ plan: ViewMethodPlan, _ key: AnswerKey, _ demand: AnswerStore.Demand,
        _ patience: AnswerStore.Patience
    ) async -> AnswerStore.Outcome {
        await store.find(key, plan.freshness, demand, patience, upstream: plan.source.client.name) {
            [self] flight in
            await derive(plan, key, demand, flight)
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
            let tickets = plan.sources.map { store.ticket(for: $0.keptAs) }
            let found = try await pages(plan, key, demand, flight)
            let joined = try await joined(found.pages, plan, key, demand, flight)
            let message = try await message(plan, key.request, from: joined.pages)
            return .success(kept(message, plan, key, demand, from: found, joined, tickets))
        } catch {
            return .failure(error)
        }
    }

    /// What has been derived, kept if it may be.
    private func kept(
        _ message: [UInt8], _ plan: ViewMethodPlan, _ key: AnswerKey, _ demand: AnswerStore.Demand,
        from found: PageCollection, _ joined: JoinedAnswers, _ tickets: [AnswerTable.Ticket]
    ) -> AnswerStore.Fetched {
        let pages = found.pages
        var answer = stored(message, from: pages.map(\.fetched.answer), joined)
        answer.skippedItems += found.missingItems
        let origin = Answer.Origin(of: pages.map(\.fetched.origin))
        let whole = Answer.Origin(of: [origin] + joined.sources.map(\.fetched.origin))
        // The list is newer than the records that it is joined with: these are asked for again after a while.
        if whole == .stale, demand == .fresh {
            answer.refreshNotBefore = store.surroundings.clock.now + AnswerStore.refreshPause
        }
        // A refresh that found nothing newer leaves the kept answer, and its time of the next refresh. An answer that lacks
        // pages is given, but the next caller may have better luck.
        if found.isWhole, joined.isLasting, origin != .stale || demand == .anyKept {
            store.keep(answer, for: key, derivedFrom: pages + joined.sources, tickets)
        }
        return .init(answer: answer, generation: nil, origin: whole)
    }

    private func stored(
        _ message: [UInt8], from answers: [StoredAnswer], _ joined: JoinedAnswers
    ) -> StoredAnswer {
        var derived = StoredAnswer(
            message: message, skippedItems: answers.reduce(0) { $0 + $1.skippedItems },
            fetchedAt: answers.map(\.fetchedAt).min() ?? store.surroundings.clock.now)
        derived.refreshJitter = store.surroundings.dice.roll()
        derived.said = CacheControl(strictestOf: answers.map(\.said))
        (derived.freshUntil, derived.missingJoins) = (joined.freshUntil, joined.missing)
        return derived
    }

    private func joined(
        _ pages: [Page], _ plan: ViewMethodPlan, _ key: AnswerKey, _ demand: AnswerStore.Demand,
        _ flight: AnswerStore.FlightID
    ) async throws(UpstreamError) -> JoinedAnswers {
        var joined = JoinedAnswers(pages: pages.map(\.fetched.answer.page))
        for join in plan.joins {
            joined = try await Joiner(fetcher: fetcher)
                .join(joined, join, for: plan, key.identity, demand, flight)
        }
        return joined
    }

    private func message(
        _ plan: ViewMethodPlan, _ request: [UInt8], from pages: [RecordPage]
    ) async throws(UpstreamError) -> [UInt8] {
        do {
            return try await LongWork.on(pages.reduce(0) { $0 + $1.bytes.count }) {
                () throws(TranscodeError) in
                // Without a plan it is the one page of a source that is not followed.
                try plan.view?.run(pages: pages, request: request) ?? pages[0].bytes
            }
        } catch {
            if error == .invalidCursor { throw .badRequest("\(error)") }
            throw .underivable(route: plan.method.route, error)
        }
    }

    private func pages(
        _ plan: ViewMethodPlan, _ key: AnswerKey, _ demand: AnswerStore.Demand, _ flight: AnswerStore.FlightID
    ) async throws(UpstreamError) -> PageCollection {
        let source = try fetcher.key(plan.source, try filled(plan, key.request), key.identity)
        guard plan.followsPages, let paging = plan.source.paging else {
            let fetched = try await fetcher.find(plan.source, source, demand, .asLongAs(flight)).get()
            return PageCollection(single: source, fetched)
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
