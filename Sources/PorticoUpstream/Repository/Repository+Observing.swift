internal import PorticoSchema
internal import PorticoTranscode
package import PorticoWire

/// Observing: a read method's answer, and each other one that takes its place.
extension Repository {
    package func observe(
        _ call: Call, tell: @escaping @Sendable (Observed) -> Void
    ) throws(CallError) -> Observation {
        do throws(UpstreamError) {
            let request = try fetcher.canonical(call.request.span, call.method)
            let seek = try seek(call, request)
            let layout = answerLayouts[call.method.index]
            let key = AnswerKey(method: call.method, identity: call.audience, request: request)
            let ask: Observers.Ask = { demand in
                await seek(demand).map { found in Self.sighting(layout, found.fetched, found.freshness) }
            }
            return observers.observe(key, ask: ask, tell: tell)
        } catch {
            throw CallError(error)
        }
    }

    private typealias Found = (fetched: AnswerStore.Fetched, freshness: Freshness)
    /// Finds an answer, and says how long it is fresh.
    private typealias Seek = @Sendable (AnswerStore.Demand) async -> Result<Found, CallError>

    private func seek(_ call: Call, _ request: [UInt8]) throws(UpstreamError) -> Seek {
        switch plans[call.method.index] {
        case .upstream(let plan):
            let key = try fetcher.key(plan, request, call.identity)
            return { [fetcher] demand in
                await fetcher.find(plan, key, demand, .until(fetcher.store.backgroundDeadline))
                    .map { ($0, plan.freshness) }.mapError { CallError($0) }
            }
        case .view(let plan):
            let key = AnswerKey(method: plan.keptAs, identity: call.identity, request: request)
            return { [views] demand in
                await views.find(plan, key, demand, .until(views.fetcher.store.backgroundDeadline))
                    .map { ($0, plan.freshness) }.mapError { CallError($0) }
            }
        case .compose(let plan): return try seek(plan, call, request)
        case .image:
            throw .unsupported(
                "\(schema[call.method].route) gives images, which are not observed: ask again with the etag")
        case .none: throw .unsupported("\(schema[call.method].route) has no upstream")
        }
    }

    /// Its parts are made fresh, all at a time, and then put together; how each fares is in the answer itself.
    private func seek(_ plan: ComposePlan, _ call: Call, _ request: [UInt8]) throws(UpstreamError) -> Seek {
        var parts: [Seek] = []
        for part in plan.parts where call.refusals[part.method] == nil {
            guard let filled = try? part.bridge.fill(from: request) else {
                throw fetcher.invalid(call.method)
            }
            let asked = Call(
                method: part.method, request: filled, deadline: call.deadline, identity: call.identity)
            parts.append(try seek(asked, try fetcher.canonical(filled.span, part.method)))
        }
        return { [self, parts] demand in
            let freshness = await Self.freshest(parts, demand)
            var whole = call
            whole.deadline = store.backgroundDeadline
            do throws(CallError) {
                let answer = try await composer.answer(plan, request, to: whole, from: self)
                var stored = StoredAnswer(
                    message: answer.message, skippedItems: answer.skippedItems,
                    fetchedAt: store.surroundings.clock.now - answer.age)
                stored.missingJoins = answer.missingJoins
                return .success((.init(answer: stored, generation: nil, origin: answer.origin), freshness))
            } catch {
                return .failure(error)
            }
        }
    }

    /// Seeks all parts at a time.
    /// - Returns: the freshness of the one that is fresh for the shortest time.
    private static func freshest(_ parts: [Seek], _ demand: AnswerStore.Demand) async -> Freshness {
        await withTaskGroup(of: Freshness?.self) { group in
            for part in parts { group.addTask { try? await part(demand).get().freshness } }
            var shortest: Freshness?
            for await found in group {
                guard let found else { continue }
                shortest = shortest.map { $0.fresh <= found.fresh ? $0 : found } ?? found
            }
            return shortest ?? Freshness(fresh: Observers.failurePause, stale: .zero)
        }
    }

    private static func sighting(
        _ layout: MessageLayout, _ fetched: AnswerStore.Fetched, _ freshness: Freshness
    ) -> Observers.Sighting {
        // What is kept was made by our own decoder and views: it is a message.
        let canonical = (try? layout.canonical(fetched.answer.message.span)) ?? fetched.answer.message
        return Observers.Sighting(
            answer: fetched.answer, origin: fetched.origin, cursor: ObservedAnswer.cursor(of: canonical),
            freshUntil: fetched.answer.freshEnd(freshness.adjusted(by: fetched.answer.said)))
    }
}

extension Call {
    /// Those who are given the same answer: of a composed one, those who are refused the same parts.
    fileprivate var audience: Identity {
        guard !refusals.isEmpty else { return identity }
        let refused = refusals.keys.map(\.index).sorted().map { "\($0)" }.joined(separator: " ")
        return Identity(digest: identity.digest + Array(" without \(refused)".utf8))
    }
}
