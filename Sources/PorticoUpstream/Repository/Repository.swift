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

    let schema: Schema
    let plans: [MethodPlan]
    /// Under what each method's answers are kept.
    private let keptAs: [MethodID]
    package let upstreams: Upstreams
    let store: AnswerStore
    let fetcher: UpstreamFetcher
    let views: ViewDeriver
    private let writes: Writes
    let observers: Observers
    /// Of the answers, by method: equal content in equal bytes.
    let answerLayouts: [MessageLayout]
    private let images: ImageFinder
    let composer: Composer
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
        if case .anywhere = surroundings.workplace {
            surroundings.workplace = .loops(else: transport.ownLoop)
        }
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
            ImageCache(configuration.images, surroundings), Writes(clock: surroundings.clock))
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
            ImageCache(configuration.images, following: previous.images.cache), previous.writes)
        store.adapt(
            limitBytes: configuration.cache.maxBytes, backgroundLimit: configuration.limits.callTimeout,
            keeping: Set(keptAs))
    }

    private init(
        _ schema: Schema, _ configuration: Configuration, _ surroundings: UpstreamClient.Surroundings,
        _ upstreams: Upstreams, _ store: AnswerStore, _ images: ImageCache, _ writes: Writes
    ) throws(SetupFault) {
        let planner = MethodPlanner(schema, configuration, upstreams.clients, store)
        plans = try schema.methods.indices.map { index throws(SetupFault) in try planner.plan(MethodID(index))
        }
        keptAs = plans.map(\.keptAs)
        self.schema = schema
        self.surroundings = surroundings
        self.upstreams = upstreams
        self.store = store
        self.writes = writes
        observers = Observers(
            limitBytes: max(configuration.cache.maxBytes, Observers.leastRoomBytes), surroundings)
        answerLayouts = schema.methods.map { MessageLayout(schema: schema, message: $0.output) }
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

    /// Requests that are observed, how many of them wait for their next refresh, and by how many they are observed.
    package var observed: (subjects: Int, pausing: Int, observers: Int) { observers.counts }

    /// Of the requests that are observed, and their answers. Nothing is added to more than the cache may have, or 1 MiB.
    package var observedBytes: Int { observers.bytes }

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

    /// Makes the kept answers of a method void, those derived from them and those being fetched too. A view's are made
    /// void with those of its source.
    package func invalidate(_ method: MethodID) {
        switch plans[method.index] {
        case .upstream(let plan): invalidate(plan)
        case .view(let plan): invalidate(plan.source)
        case .image, .compose, .none: break
        }
    }

    package var executor: (any TaskExecutor)? { surroundings.workplace.executor }

    private func invalidate(_ source: UpstreamPlan) {
        let views = plans.compactMap { plan -> MethodID? in
            guard case .view(let view) = plan, view.isDerived(from: source) else { return nil }
            return view.keptAs
        }
        store.invalidate(source.keptAs, source.place, views: Set(views))
        observers.invalidated { [plans] key in plans[key.method.index].isFed(by: source, among: plans) }
    }

    package var generation: UInt64 { store.generation &+ images.cache.generation }

    package func cachedAnswer(to method: MethodID, request: Span<UInt8>) -> Answer? {
        let bytes = [UInt8](copying: request)
        // Requests mostly come in canonical form; then the table finds them as they are.
        if let found = kept(method, AnswerKey(method: keptAs[method.index], request: bytes)) { return found }
        guard let canonical = try? fetcher.checked(request, method) else { return nil }
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
        do { request = try fetcher.checked(call.request.span, call.method) } catch {
            throw CallError(error)
        }
        return try await composer.answer(plan, request, to: call, from: self)
    }

    private func found(_ call: Call) async throws(UpstreamError) -> Answer {
        let request = try fetcher.checked(call.request.span, call.method)
        switch plans[call.method.index] {
        case .upstream(let plan) where plan.isRead: return try await read(plan, request, call)
        case .upstream(let plan):
            let writer = Writer(fetcher: fetcher, writes: writes) { [self] in invalidate($0) }
            return try await writer.answer(plan, request, call)
        case .view(let plan): return try await view(plan, request, call)
        case .image(let plan): return try await images.answer(plan, request, deadline: call.deadline)
        case .compose, .none: throw .unsupported("\(schema[call.method].route) has no upstream")
        }
    }

    private func read(
        _ plan: UpstreamPlan, _ request: [UInt8], _ call: Call
    ) async throws(UpstreamError) -> Answer {
        let key = try fetcher.key(plan, request, call.identity)
        if let kept = kept(call.method, key) { return kept }
        await store.restore(key, plan.place, .until(call.deadline))
        if let kept = kept(call.method, key) { return kept }
        let fetched = try await fetcher.find(plan, key, .anyKept, .until(call.deadline)).get()
        fetcher.follow(plan, key, isRefreshDue: false)
        return answer(fetched)
    }

    private func view(
        _ plan: ViewMethodPlan, _ request: [UInt8], _ call: Call
    ) async throws(UpstreamError) -> Answer {
        let key = AnswerKey(method: plan.keptAs, identity: call.identity, request: request)
        if let kept = kept(call.method, key) { return kept }
        let fetched = try await views.find(plan, key, .anyKept, .until(call.deadline)).get()
        // Derived from stale pages, those on disk for instance: it is kept now, and its refresh begins.
        if fetched.origin == .stale, let kept = kept(call.method, key) { return kept }
        return answer(fetched)
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

    func answer(_ fetched: AnswerStore.Fetched) -> Answer {
        Answer(
            message: fetched.answer.message, origin: fetched.origin,
            age: max(.zero, surroundings.clock.now - fetched.answer.fetchedAt),
            skippedItems: fetched.answer.skippedItems, missingJoins: fetched.answer.missingJoins)
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
