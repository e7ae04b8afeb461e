internal import PorticoWire

/// The pages of a list as they come in.
struct PageCollection: Sendable {
    typealias Page = (key: AnswerKey, fetched: AnswerStore.Fetched)

    private var found: [Int: Page] = [:]
    private var lost = 0
    /// Of all pages together, as the first one said.
    private var total: Int?
    private var items: [Int: Int] = [:]

    init() {}

    init(single key: AnswerKey, _ fetched: AnswerStore.Fetched) { found[1] = (key, fetched) }

    /// In their order.
    var pages: [Page] { found.sorted { $0.key < $1.key }.map(\.value) }

    var isWhole: Bool { lost == 0 }

    /// How many items the lost pages had: by the list's total, else as many as the first page on each.
    var missingItems: Int {
        guard lost > 0 else { return 0 }
        guard let total else { return lost * (items[1] ?? 0) }
        return max(0, total - items.values.reduce(0, +))
    }

    mutating func add(_ page: Page, _ number: Int, _ facts: PageFacts) {
        found[number] = page
        items[number] = facts.items
        if number == 1 { total = facts.total }
    }

    mutating func lose() { lost += 1 }
}

/// Follows a list to its end: performs what ``PageWalk`` decides.
struct WalkShell: Sendable {
    private typealias Arrival = (number: Int, key: AnswerKey, outcome: AnswerStore.Outcome)

    let plan: UpstreamPlan
    let paging: PagingPlan
    let list: AnswerKey
    let demand: AnswerStore.Demand
    let flight: AnswerStore.FlightID
    let fetcher: UpstreamFetcher

    /// All pages, or the first failure; where the schema allows it, the pages there are, the first among them.
    func run(limit: Int, width: Int) async throws(UpstreamError) -> PageCollection {
        let outcome = await withTaskGroup(of: Arrival.self) { group in
            var walk = PageWalk(limit: limit, width: width)
            var pages = PageCollection()
            do throws(UpstreamError) {
                try add(walk.start(), to: &group)
                while let arrival = await group.next() {
                    try add(try next(&walk, &pages, arrival), to: &group)
                }
                return Result<PageCollection, UpstreamError>.success(pages)
            } catch {
                group.cancelAll()
                return .failure(error)
            }
        }
        return try outcome.get()
    }

    private func next(
        _ walk: inout PageWalk, _ pages: inout PageCollection, _ arrival: Arrival
    ) throws(UpstreamError) -> Range<Int> {
        switch arrival.outcome {
        case .success(let fetched):
            let facts = try facts(arrival.number, fetched.answer)
            pages.add((arrival.key, fetched), arrival.number, facts)
            return try bounded { () throws(PageWalk.TooManyPages) in try walk.answered(arrival.number, facts)
            }
        case .failure(let error):
            guard paging.allowsPartial, arrival.number > 1, error != .cancelled else { throw error }
            pages.lose()
            return try bounded { () throws(PageWalk.TooManyPages) in try walk.lost(arrival.number) }
        }
    }

    private func bounded(
        _ step: () throws(PageWalk.TooManyPages) -> Range<Int>
    ) throws(UpstreamError) -> Range<Int> {
        do {
            return try step()
        } catch {
            throw .tooManyPages(upstream: plan.client.name, limit: error.limit)
        }
    }

    private func facts(_ number: Int, _ page: StoredAnswer) throws(UpstreamError) -> PageFacts {
        do {
            return try paging.reader.facts(of: page.message.span, skippedItems: page.skippedItems)
        } catch {
            throw .unreadable(
                upstream: plan.client.name, offset: error.offset, reason: "page \(number) is not a record")
        }
    }

    private func add(_ numbers: Range<Int>, to group: inout TaskGroup<Arrival>) throws(UpstreamError) {
        for number in numbers {
            guard let request = try? paging.field.setting(number, in: list.request) else {
                throw fetcher.invalid(plan.id)
            }
            let key = list.asking(request)
            group.addTask { [self] in
                (number, key, await fetcher.find(plan, key, demand, .asLongAs(flight)))
            }
        }
    }
}
