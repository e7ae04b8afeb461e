internal import PorticoSchema
internal import PorticoTranscode
internal import PorticoWire

/// Answers methods that are one HTTP call: what is kept, else what the upstream says, as records.
final class UpstreamFetcher: Sendable {
    let schema: Schema
    /// Of the requests, by method.
    let layouts: [MessageLayout]
    /// Of the requests, by method.
    let rules: [RequestRules]
    let store: AnswerStore

    init(_ schema: Schema, _ store: AnswerStore) {
        self.schema = schema
        self.store = store
        layouts = schema.methods.map { MessageLayout(schema: schema, message: $0.input) }
        rules = schema.methods.map { RequestRules(schema: schema, message: $0.input) }
    }

    /// The key of a read: the canonical request, its page always written out.
    /// - Throws: the request breaks a rule of the schema, or has no such page.
    func key(
        _ plan: UpstreamPlan, _ canonical: [UInt8], _ identity: Identity = .everyone
    ) throws(UpstreamError) -> AnswerKey {
        try check(canonical, plan.id)
        let plain = AnswerKey(method: plan.keptAs, identity: identity, request: canonical)
        guard let paging = plan.paging else { return plain }
        let (page, request): (Int, [UInt8])
        do {
            page = try paging.field.page(of: canonical)
            request = try paging.field.setting(page, in: canonical)
        } catch {
            throw invalid(plan.id)
        }
        guard page >= 1 else { throw .badRequest("pages are counted from 1, not \(page)") }
        return plain.asking(request)
    }

    func find(
        _ plan: UpstreamPlan, _ key: AnswerKey, _ demand: AnswerStore.Demand, _ patience: AnswerStore.Patience
    ) async -> AnswerStore.Outcome {
        await store.restore(key, plan.place, patience)
        return await store.find(key, plan.freshness, demand, patience, upstream: plan.client.name) {
            [self] flight in
            await fetch(plan, key, flight)
        }
    }

    /// After an answer was given: its refresh when it is due, and the page behind it.
    func follow(_ plan: UpstreamPlan, _ key: AnswerKey, isRefreshDue: Bool) {
        if isRefreshDue { fetchBehind(plan, key) }
        if plan.paging?.prefetches == true, let next = store.takeNextPage(key, plan.freshness) {
            fetchBehind(plan, next)
        }
    }

    private func fetchBehind(_ plan: UpstreamPlan, _ key: AnswerKey) {
        let (events, route) = (store.surroundings.events, plan.method.route)
        store.behind(key, upstream: plan.client.name) { error in
            events(.refreshFailed(route: route, CallError(error)))
        } work: { [self] flight in
            await fetch(plan, key, flight)
        }
    }

    private func fetch(
        _ plan: UpstreamPlan, _ key: AnswerKey, _ flight: AnswerStore.FlightID
    ) async -> AnswerStore.Outcome {
        do throws(UpstreamError) {
            try checkPage(plan, key)
            let ticket = store.ticket(for: plan.keptAs)
            let kept = store.kept(key)
            let response = try await exchange(
                plan, key.request, idempotencyKey: nil, validators: kept?.answer.validators ?? Validators()
            ) { [store] in
                store.flights.deadline(of: flight)
            }
            if response.status == 304, let kept {
                return .success(renewed(plan, key, kept, response, ticket))
            }
            let decoded = try await decode(plan, response)
            return .success(stored(plan, key, decoded, response, ticket))
        } catch {
            return .failure(pastTheEnd(error, plan, key) ?? error)
        }
    }

    /// Keeps what has come.
    private func stored(
        _ plan: UpstreamPlan, _ key: AnswerKey, _ decoded: DecodedMessage, _ response: HTTPResponse,
        _ ticket: AnswerTable.Ticket
    ) -> AnswerStore.Fetched {
        let clock = store.surroundings.clock
        var answer = StoredAnswer(
            page: decoded.page, skippedItems: decoded.skippedItems,
            fetchedAt: clock.now)
        answer.refreshJitter = store.surroundings.dice.roll()
        answer.validators = Validators(response)
        answer.said = CacheControl(response, secondsSince1970: clock.secondsSince1970)
        answer.nextPage = learn(plan, key, from: answer)
        let generation = store.keep(answer, for: key, plan, ticket)
        return .init(answer: answer, generation: generation, origin: .miss)
    }

    /// The same records with a new age: the upstream has nothing newer.
    private func renewed(
        _ plan: UpstreamPlan, _ key: AnswerKey, _ kept: AnswerStore.Fetched, _ response: HTTPResponse,
        _ ticket: AnswerTable.Ticket
    ) -> AnswerStore.Fetched {
        let clock = store.surroundings.clock
        var answer = kept.answer
        answer.fetchedAt = clock.now
        // A 304 repeats what has changed of these (RFC 9110 section 15.4.5); what it leaves out stays.
        let (validators, said) = (
            Validators(response), CacheControl(response, secondsSince1970: clock.secondsSince1970)
        )
        if !validators.isEmpty { answer.validators = validators }
        if said.lifetime != nil { answer.said = said }
        answer.nextPage = learn(plan, key, from: answer)
        let generation = kept.generation.flatMap { store.renew(answer, for: key, $0, plan, ticket) }
        return .init(answer: answer, generation: generation, origin: .miss)
    }

    /// A list has its first page; of a later one "not found" says that the list is shorter.
    private func pastTheEnd(_ error: UpstreamError, _ plan: UpstreamPlan, _ key: AnswerKey) -> UpstreamError?
    {
        guard case .refused(_, 404, _, _) = error, let page = place(plan, key)?.page, page > 1 else {
            return nil
        }
        return .pastLastPage(page: page, totalPages: nil)
    }

    /// - Parameter validators: of the answer that is kept; then the response may be a 304.
    func exchange(
        _ plan: UpstreamPlan, _ request: [UInt8], idempotencyKey: String?, validators: Validators,
        deadline: @Sendable () -> ContinuousClock.Instant
    ) async throws(UpstreamError) -> HTTPResponse {
        let text = try requestText(request, plan.id)
        let target = try target(plan, text)
        do {
            return try await plan.client.send(
                .init(
                    method: plan.binding.method, path: target.path, query: target.query,
                    body: try body(plan, text), idempotencyKey: idempotencyKey, validators: validators),
                deadline: deadline, judge: plan.judge.judge)
        } catch {
            throw plan.judge.worded(error)
        }
    }

    /// Unset, it is an empty object.
    private func body(_ plan: UpstreamPlan, _ text: RequestText) throws(UpstreamError) -> [UInt8]? {
        guard let body = plan.body else { return nil }
        var json: [UInt8] = []
        let message = text.message(body.field) ?? []
        do {
            try body.encoder.encode(message.span, into: &json)
        } catch {
            throw invalid(plan.id)
        }
        return json
    }

    func decode(
        _ plan: UpstreamPlan, _ response: HTTPResponse
    ) async throws(UpstreamError) -> DecodedMessage {
        let decoded: DecodedMessage
        do {
            decoded = try await LongWork.on(response.body.count) { () throws(TranscodeError) in
                try plan.decoder.decode(response.body.span, root: plan.binding.root)
            }
        } catch {
            throw .undecodable(upstream: plan.client.name, error)
        }
        try plan.judge.judgeDecoded(response)
        return decoded
    }

    private func target(
        _ plan: UpstreamPlan, _ text: RequestText
    ) throws(UpstreamError) -> (path: String, query: String?) {
        do {
            return try plan.target.fill(text.text)
        } catch {
            throw .badRequest(error.sentence)
        }
    }

    func requestText(_ request: [UInt8], _ method: MethodID) throws(UpstreamError) -> RequestText {
        do {
            return try RequestText(request, as: schema[method].input, layouts[method.index], in: schema)
        } catch {
            throw invalid(method)
        }
    }

    /// Equal requests in equal bytes.
    func canonical(_ request: Span<UInt8>, _ method: MethodID) throws(UpstreamError) -> [UInt8] {
        do {
            return try layouts[method.index].canonical(request)
        } catch {
            throw invalid(method)
        }
    }

    /// A request in canonical form; of a method without an upstream of its own it holds what the schema's rules ask for.
    /// Those of the others are looked at by ``key(_:_:_:)`` and by ``Writer``.
    func checked(_ request: Span<UInt8>, _ method: MethodID) throws(UpstreamError) -> [UInt8] {
        let request = try canonical(request, method)
        switch schema[method].binding {
        case .upstream, .builtIn: break
        case .view, .image, .compose: try check(request, method)
        }
        return request
    }

    private func check(_ request: [UInt8], _ method: MethodID) throws(UpstreamError) {
        let faults = rules[method.index].faults(in: request)
        guard faults.isEmpty else { throw .badRequest(faults.sentence) }
    }

    func invalid(_ method: MethodID) -> UpstreamError {
        .badRequest("the request is not a valid \(schema[schema[method].input].fullName)")
    }

    /// Past the last page there is nothing to ask for, once the last is known.
    private func checkPage(_ plan: UpstreamPlan, _ key: AnswerKey) throws(UpstreamError) {
        guard let place = place(plan, key), let last = store.lastPage(of: place.list), place.page > last
        else {
            return
        }
        throw .pastLastPage(page: place.page, totalPages: last)
    }

    /// - Returns: the page to fetch ahead, when the schema says so and there is one.
    private func learn(_ plan: UpstreamPlan, _ key: AnswerKey, from answer: StoredAnswer) -> AnswerKey? {
        guard let paging = plan.paging, let place = place(plan, key),
            let facts = try? paging.reader.facts(of: answer.message.span, skippedItems: answer.skippedItems),
            let last = facts.lastPage(seenFrom: place.page)
        else { return nil }
        // An empty page past the end says nothing about where the end is.
        if facts.items > 0 || facts.totalPages != nil || place.page == 1 {
            store.learn(lastPage: last, of: place.list, plan.freshness)
        }
        guard paging.prefetches, place.page < last,
            let next = try? paging.field.setting(place.page + 1, in: key.request)
        else { return nil }
        return key.asking(next)
    }

    /// The list that a key's page is of, and which page it is; nil: the method has no pages.
    private func place(_ plan: UpstreamPlan, _ key: AnswerKey) -> (list: AnswerKey, page: Int)? {
        guard let paging = plan.paging, let page = try? paging.field.page(of: key.request),
            let list = try? paging.field.setting(nil, in: key.request)
        else { return nil }
        return (key.asking(list), page)
    }
}

extension TargetBuilder.Fault {
    /// For the caller of the method.
    var sentence: String {
        switch self {
        case .missing(let field): "the field '\(field)' is needed"
        case .unsafePath(let field): "the value of '\(field)' is not a plain path"
        }
    }
}
