package import PorticoConfig
package import PorticoSchema
internal import PorticoTranscode
package import PorticoWire
internal import Synchronization

/// Every method's answers: from memory when they are there, else from their upstreams.
///
/// It owns no thread. What is at hand is found without waiting, on whatever thread asks; all else runs in tasks.
package final class Repository: AnswerSource {
    /// Gives an upstream its transport; a test gives any of them a stand-in.
    package typealias Transports =
        @Sendable (_ upstream: String, _ settings: Configuration.Upstream) -> any HTTPTransport

    private let schema: Schema
    private let plans: [MethodPlan]
    /// Under what each method's answers are kept.
    private let keptAs: [MethodID]
    package let upstreams: Upstreams
    private let store: AnswerStore
    private let fetcher: UpstreamFetcher
    private let views: ViewDeriver
    private let images: ImageFinder
    private let composer: Composer
    private let surroundings: UpstreamClient.Surroundings

    /// Every upstream on one ``SchemeTransport``; those that images come from behind a ``GuardedTransport``, unless the
    /// environment opens its own network to them.
    package convenience init(
        schema: Schema, configuration: Configuration,
        surroundings: UpstreamClient.Surroundings = UpstreamClient.Surroundings()
    ) throws(SetupFault) {
        let transport: SchemeTransport
        do { transport = try SchemeTransport(clock: surroundings.clock) } catch { throw .system(error) }
        var surroundings = surroundings
        surroundings.executor = surroundings.executor ?? transport.executor
        let guarded = GuardedTransport(transport, lookup: GuardedTransport.systemLookup)
        let imageUpstreams = Set(schema.methods.compactMap(\.imageUpstream))
        try self.init(schema: schema, configuration: configuration, surroundings: surroundings) {
            name, settings -> any HTTPTransport in
            let isGuarded = imageUpstreams.contains(name) && !settings.allowPrivateAddresses
            return isGuarded ? guarded as any HTTPTransport : transport
        }
    }

    package convenience init(
        schema: Schema, configuration: Configuration,
        surroundings: UpstreamClient.Surroundings = UpstreamClient.Surroundings(),
        transports: @escaping Transports
    ) throws(SetupFault) {
        try self.init(
            schema, configuration, surroundings,
            Upstreams(configuration, transports: transports, surroundings: surroundings),
            AnswerStore(
                limitBytes: configuration.cache.maxBytes, backgroundLimit: configuration.limits.callTimeout,
                disk: AnswerDisk(configuration, surroundings), surroundings),
            ImageCache(configuration.images, surroundings))
    }

    /// Goes on from `previous` with another schema or configuration: connections and upstreams whose settings are the
    /// same live on with all that is known of them, and so do the answers of methods that would be fetched in the same
    /// way. Calls that `previous` has begun end there.
    ///
    /// What needs a restart (directories and their sizes) must be the same.
    package convenience init(
        schema: Schema, configuration: Configuration, following previous: Repository
    ) throws(SetupFault) {
        try self.init(
            schema, configuration, previous.surroundings,
            Upstreams(configuration, following: previous.upstreams, surroundings: previous.surroundings),
            previous.store,
            ImageCache(configuration.images, following: previous.images.cache))
        store.adapt(
            limitBytes: configuration.cache.maxBytes, backgroundLimit: configuration.limits.callTimeout,
            keeping: Set(keptAs))
    }

    private init(
        _ schema: Schema, _ configuration: Configuration, _ surroundings: UpstreamClient.Surroundings,
        _ upstreams: Upstreams, _ store: AnswerStore, _ images: ImageCache
    ) throws(SetupFault) {
        let planner = MethodPlanner(schema, configuration, upstreams.clients, store)
        plans = try schema.methods.indices.map { index throws(SetupFault) in try planner.plan(MethodID(index))
        }
        keptAs = plans.map(\.keptAs)
        self.schema = schema
        self.surroundings = surroundings
        self.upstreams = upstreams
        self.store = store
        fetcher = UpstreamFetcher(schema, store)
        views = ViewDeriver(fetcher)
        self.images = ImageFinder(fetcher: fetcher, cache: images)
        composer = Composer(clock: surroundings.clock)
    }

    /// Bytes of answers in memory, never above the environment's limit.
    package var answerBytes: Int { store.bytes }
    /// Upstream calls and derivations under way, how many wait for them, and how many were begun for nobody in particular.
    package var inFlight: (flights: Int, waiters: Int, background: Int) {
        let restoring = store.restoring
        return (
            store.flights.count + restoring.flights, store.flights.waiterCount + restoring.waiters,
            store.backgroundCount
        )
    }

    /// Returns when what was to be written is on disk.
    package func settleDisk() async {
        await store.settleDisk()
        await images.cache.settle()
    }

    /// What upstreams and caches have done so far. Does not block.
    package var statistics: UpstreamStatistics {
        UpstreamStatistics(
            upstreams: upstreams.byName.map(UpstreamStatistics.Upstream.init),
            answers: store.statistics,
            images: images.cache.statistics, imageSavings: images.cache.savings.counts)
    }

    /// How each upstream did when it was asked last, by name.
    package var health: [UpstreamHealth] { upstreams.byName.map(\.health) }

    /// Makes the kept answers of a method void, those being fetched too.
    package func invalidate(_ method: MethodID) {
        switch plans[method.index] {
        case .upstream(let plan): store.invalidate(plan.keptAs, plan.place)
        case .view, .image, .compose, .none: store.invalidate(keptAs[method.index], nil)
        }
    }

    package var executor: (any TaskExecutor)? { surroundings.executor }

    package var generation: UInt64 { store.generation &+ images.cache.generation }

    package func cachedAnswer(to method: MethodID, request: Span<UInt8>) -> Answer? {
        let bytes = [UInt8](copying: request)
        // Requests mostly come in canonical form; then the table finds them as they are.
        if let found = kept(method, AnswerKey(method: keptAs[method.index], request: bytes)) { return found }
        guard let canonical = try? fetcher.canonical(request, method) else { return nil }
        switch plans[method.index] {
        case .upstream(let plan):
            guard let key = try? fetcher.key(plan, canonical), key.request != bytes else { return nil }
            return kept(method, key)
        case .view:
            return canonical == bytes
                ? nil : kept(method, AnswerKey(method: keptAs[method.index], request: canonical))
        case .image(let plan): return images.cachedAnswer(plan, canonical)
        case .compose(let plan): return composer.answerAtHand(plan, canonical, from: self)
        case .none: return nil
        }
    }

    package func answer(to call: Call) async throws(CallError) -> Answer {
        // Nothing is begun for who left before it was their turn: a flood of calls that are cancelled at once would
        // keep everybody else waiting for work that nobody wants.
        if Task.isCancelled { throw CallError(UpstreamError.cancelled) }
        if case .compose(let plan) = plans[call.method.index] { return try await composed(plan, call) }
        do throws(UpstreamError) {
            return try await found(call)
        } catch {
            throw CallError(error)
        }
    }

    private func composed(_ plan: ComposePlan, _ call: Call) async throws(CallError) -> Answer {
        let request: [UInt8]
        do { request = try fetcher.canonical(call.request.span, call.method) } catch {
            throw CallError(error)
        }
        return try await composer.answer(plan, request, to: call, from: self)
    }

    private func found(_ call: Call) async throws(UpstreamError) -> Answer {
        let request = try fetcher.canonical(call.request.span, call.method)
        switch plans[call.method.index] {
        case .upstream(let plan) where plan.isRead:
            let key = try fetcher.key(plan, request, call.identity)
            if let kept = kept(call.method, key) { return kept }
            await store.restore(key, plan.place, .until(call.deadline))
            if let kept = kept(call.method, key) { return kept }
            let fetched = try await fetcher.find(plan, key, .anyKept, .until(call.deadline)).get()
            fetcher.follow(plan, key, isRefreshDue: false)
            return answer(fetched)
        case .upstream(let plan): return try await write(plan, request, call)
        case .view(let plan):
            let key = AnswerKey(method: plan.keptAs, identity: call.identity, request: request)
            if let kept = kept(call.method, key) { return kept }
            let fetched = try await views.find(plan, key, .until(call.deadline)).get()
            // Derived from stale pages, those on disk for instance: it is kept now, and its refresh begins.
            if fetched.origin == .stale, let kept = kept(call.method, key) { return kept }
            return answer(fetched)
        case .image(let plan): return try await images.answer(plan, request, deadline: call.deadline)
        case .compose, .none: throw .unsupported("\(schema[call.method].route) has no upstream")
        }
    }

    /// From the table, and what is due behind it; nil: not there.
    private func kept(_ method: MethodID, _ key: AnswerKey) -> Answer? {
        switch plans[method.index] {
        case .upstream(let plan):
            guard let (fetched, isRefreshDue) = store.atHand(key, plan.freshness) else { return nil }
            fetcher.follow(plan, key, isRefreshDue: isRefreshDue)
            return answer(fetched, plan.freshness)
        case .view(let plan):
            guard let (fetched, isRefreshDue) = store.atHand(key, plan.freshness) else { return nil }
            if isRefreshDue { views.refresh(plan, key) }
            return answer(fetched, plan.freshness)
        case .image, .compose, .none: return nil
        }
    }

    /// One from the table: a fresh one stays what it is until it ages.
    private func answer(_ fetched: AnswerStore.Fetched, _ freshness: Freshness) -> Answer {
        var answer = answer(fetched)
        guard case .hit = answer.origin else { return answer }
        answer.holdsUntil = fetched.answer.freshEnd(freshness.adjusted(by: fetched.answer.said))
        return answer
    }

    private func answer(_ fetched: AnswerStore.Fetched) -> Answer {
        Answer(
            message: fetched.answer.message, origin: fetched.origin,
            age: max(.zero, surroundings.clock.now - fetched.answer.fetchedAt),
            skippedItems: fetched.answer.skippedItems, missingJoins: fetched.answer.missingJoins)
    }

    /// A call of its own: neither shared nor kept.
    private func write(_ plan: UpstreamPlan, _ request: [UInt8], _ call: Call) async throws(UpstreamError)
        -> Answer
    {
        let decoded = try await withDeadline(call.deadline, late: .deadline(upstream: plan.client.name)) {
            [fetcher] () async throws(UpstreamError) in
            try await fetcher.call(plan, request, idempotencyKey: call.idempotencyKey) { call.deadline }
        }
        return Answer(message: decoded.bytes, origin: .miss, skippedItems: decoded.skippedItems)
    }

    /// What `work` gives, or `late` at the deadline, when it is cancelled.
    private func withDeadline<Value: Sendable>(
        _ deadline: ContinuousClock.Instant, late: UpstreamError,
        work: @escaping @Sendable () async throws(UpstreamError) -> Value
    ) async throws(UpstreamError) -> Value {
        let flights = Flights<Int, Value>(clock: surroundings.clock, executor: surroundings.executor)
        return try await flights.outcome(for: 0, .until(deadline), late: late) { _ in
            do throws(UpstreamError) {
                return .success(try await work())
            } catch {
                return .failure(error)
            }
        }.get()
    }
}

extension MethodDescriptor {
    /// Where its images come from; nil: it gives none.
    fileprivate var imageUpstream: String? {
        switch binding {
        case .image(let binding): binding.base
        case .upstream, .view, .compose, .builtIn: nil
        }
    }
}
