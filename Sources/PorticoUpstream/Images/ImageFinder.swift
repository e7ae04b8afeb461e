internal import PorticoSchema
internal import PorticoTranscode
internal import PorticoWire

/// Answers image methods: finds where the picture lies, then asks the image cache.
struct ImageFinder: Sendable {
    let fetcher: UpstreamFetcher
    let cache: ImageCache

    /// Where a picture lies, or why there is none to be had.
    private enum Place {
        case at(ImageCache.Source)
        case nowhere(ImageLocation.Refusal)
    }

    /// From memory; nil: ask ``answer(_:_:deadline:)``. Does not block.
    func cachedAnswer(_ plan: ImagePlan, _ canonical: [UInt8]) -> Answer? {
        guard let place = try? placeAtHand(plan, canonical) else { return nil }
        switch place {
        case .at(let source): return cache.cachedAnswer(for: source, known: known(plan, canonical))
        case .nowhere(let refusal): return cache.placeholder(because: refusal.reason)
        }
    }

    func answer(
        _ plan: ImagePlan, _ canonical: [UInt8], deadline: ContinuousClock.Instant
    ) async throws(UpstreamError) -> Answer {
        switch try await place(plan, canonical, deadline) {
        case .at(let source):
            return try await cache.answer(for: source, known: known(plan, canonical), deadline: deadline)
        case .nowhere(let refusal): return cache.placeholder(because: refusal.reason)
        }
    }

    /// The etag of the picture that the client has, when the request has a field for it.
    private func known(_ plan: ImagePlan, _ request: [UInt8]) -> String? {
        guard plan.takesEtag else { return nil }
        return (try? fetcher.requestText(request, plan.id))?.text(ImagePlan.etagField)
    }

    /// Nil: the answer that holds the URL has to be fetched first.
    private func placeAtHand(_ plan: ImagePlan, _ request: [UInt8]) throws(UpstreamError) -> Place? {
        switch plan.location {
        case .path(let target): return .at(try source(plan, target, request))
        case .urlInRequest(let field):
            return place(plan, url: try fetcher.requestText(request, plan.id).text(field))
        case .urlInAnswer(let field, let source, let bridge):
            let key = try fetcher.key(source, try filled(request, bridge, plan.id))
            guard let kept = fetcher.store.atHand(key, source.freshness) else { return nil }
            if kept.isRefreshDue { fetcher.follow(source, key, isRefreshDue: true) }
            return try place(plan, field, in: kept.fetched.answer.message, of: source)
        }
    }

    private func place(
        _ plan: ImagePlan, _ request: [UInt8], _ deadline: ContinuousClock.Instant
    ) async throws(UpstreamError) -> Place {
        if let place = try placeAtHand(plan, request) { return place }
        guard case .urlInAnswer(let field, let source, let bridge) = plan.location else {
            preconditionFailure("only a URL in another answer can be out of reach")
        }
        let key = try fetcher.key(source, try filled(request, bridge, plan.id))
        let fetched = try await fetcher.find(source, key, .anyKept, .until(deadline)).get()
        return try place(plan, field, in: fetched.answer.message, of: source)
    }

    private func filled(
        _ request: [UInt8], _ bridge: RequestBridge, _ method: MethodID
    ) throws(UpstreamError) -> [UInt8] {
        do {
            return try bridge.fill(from: request)
        } catch {
            throw fetcher.invalid(method)
        }
    }

    private func source(
        _ plan: ImagePlan, _ target: TargetBuilder, _ request: [UInt8]
    ) throws(UpstreamError) -> ImageCache.Source {
        let text = try fetcher.requestText(request, plan.id)
        do {
            let (path, query) = try target.fill(text.text)
            return ImageCache.Source(client: plan.client, path: path, query: query)
        } catch {
            throw .badRequest(error.sentence)
        }
    }

    private func place(
        _ plan: ImagePlan, _ field: String, in answer: [UInt8], of source: UpstreamPlan
    ) throws(UpstreamError) -> Place {
        do throws(TranscodeError) {
            let fields = try MessageFields(
                schema: fetcher.schema, message: source.method.output, bytes: answer)
            return place(plan, url: fields.text(field))
        } catch {
            throw .underivable(route: plan.method.route, error)
        }
    }

    private func place(_ plan: ImagePlan, url: String?) -> Place {
        do {
            let (path, query) = try ImageLocation.find(url ?? "", under: plan.client.base)
            return .at(ImageCache.Source(client: plan.client, path: path, query: query))
        } catch {
            return .nowhere(error)
        }
    }
}
