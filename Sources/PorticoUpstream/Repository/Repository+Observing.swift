internal import PorticoSchema
internal import PorticoTranscode
package import PorticoWire

/// Observing: a read method's answer, and each other one that takes its place.
extension Repository {
    package func observe(
        _ call: Call, tell: @escaping @Sendable (Observed) -> Void
    ) throws(CallError) -> Observation {
        do throws(UpstreamError) {
            let request = try fetcher.checked(call.request.span, call.method)
            let seek = try seek(call, request)
            let (layout, plan) = (answerLayouts[call.method.index], plans[call.method.index])
            let key = AnswerKey(method: call.method, identity: call.audience, request: request)
            let ask: Observers.Ask = { [store] demand in
                await seek(demand, store.backgroundDeadline).map { found in
                    Self.sighting(found, plan, layout)
                }
            }
            return try observers.observe(key, ask: ask, tell: tell)
        } catch {
            throw CallError(error)
        }
    }

    private typealias Found = (fetched: AnswerStore.Fetched, freshUntil: ContinuousClock.Instant)
    /// Finds an answer, and says how long it is fresh.
    private typealias Seek =
        @Sendable (AnswerStore.Demand, _ deadline: ContinuousClock.Instant) async -> Result<Found, CallError>

    private func seek(_ call: Call, _ request: [UInt8]) throws(UpstreamError) -> Seek {
        switch plans[call.method.index] {
        case .upstream(let plan):
            let key = try fetcher.key(plan, request, call.identity)
            return { [fetcher] demand, deadline in
                Self.found(await fetcher.find(plan, key, demand, .until(deadline)), plan.freshness)
            }
        case .view(let plan):
            let key = AnswerKey(method: plan.keptAs, identity: call.identity, request: request)
            return { [views] demand, deadline in
                Self.found(await views.find(plan, key, demand, .until(deadline)), plan.freshness)
            }
        case .compose(let plan): return seek(plan, call, request)
        case .image:
            throw .unsupported(
                "\(schema[call.method].route) gives images, which are not observed: ask again with the etag")
        case .none: throw .unsupported("\(schema[call.method].route) has no upstream")
        }
    }

    private static func found(
        _ outcome: AnswerStore.Outcome, _ freshness: Freshness
    ) -> Result<Found, CallError> {
        outcome.map { ($0, $0.answer.freshEnd(freshness.adjusted(by: $0.answer.said))) }
            .mapError { CallError($0) }
    }

    /// Its parts, found at the same time and put together; how each fares is in the answer itself. It is fresh as long as
    /// all of them are; for one that is absent it is asked for again soon.
    private func seek(_ plan: ComposePlan, _ call: Call, _ request: [UInt8]) -> Seek {
        let parts = plan.parts.map { seek($0, of: call, request) }
        return { [self] demand, deadline in
            do throws(CallError) {
                return .success(try await whole(plan, parts, demand, deadline))
            } catch {
                return .failure(error)
            }
        }
    }

    private func whole(
        _ plan: ComposePlan, _ parts: [Seek], _ demand: AnswerStore.Demand,
        _ deadline: ContinuousClock.Instant
    ) async throws(CallError) -> Found {
        let clock = store.surroundings.clock
        let end = Composer.deadlineOfParts(of: deadline, now: clock.now)
        let gathered = try await Composer.parts(of: plan) { [self] index in
            await parts[index](demand, end).map { part in
                var known = answer(part.fetched)
                known.holdsUntil = part.freshUntil
                return known
            }
        }
        let composed = try gathered.answer()
        var stored = StoredAnswer(
            message: composed.message, skippedItems: composed.skippedItems,
            fetchedAt: clock.now - composed.age)
        stored.missingJoins = composed.missingJoins
        let soon = clock.now + Observers.failurePause
        let first = gathered.firstEnd ?? soon
        return (
            .init(answer: stored, generation: nil, origin: composed.origin),
            gathered.isWhole ? first : min(first, soon)
        )
    }

    /// A part that cannot be asked for is told of in the answer, as it would be in that of a call.
    private func seek(_ part: ComposePlan.Part, of call: Call, _ request: [UInt8]) -> Seek {
        if let refusal = call.refusals[part.method] { return { _, _ in .failure(refusal) } }
        guard let filled = try? part.bridge.fill(from: request) else {
            preconditionFailure("a request in canonical form has been read before")
        }
        let asked = Call(
            method: part.method, request: filled, deadline: call.deadline, identity: call.identity)
        do throws(UpstreamError) {
            return try seek(asked, try fetcher.checked(filled.span, part.method))
        } catch {
            return { _, _ in .failure(CallError(error)) }
        }
    }

    private static func sighting(
        _ found: Found, _ plan: MethodPlan, _ layout: MessageLayout
    ) -> Observers.Sighting {
        let answer = found.fetched.answer
        // What is kept was made by our own decoder and views: it is a message.
        let canonical = (try? layout.canonical(answer.message.span)) ?? answer.message
        return Observers.Sighting(
            answer: answer, origin: found.fetched.origin,
            cursor: ObservedAnswer.cursor(of: plan.content(of: canonical)), freshUntil: found.freshUntil)
    }
}

extension MethodPlan {
    /// What makes an answer another one for those who observe it.
    fileprivate func content(of answer: [UInt8]) -> [UInt8] {
        switch self {
        case .compose(let plan): plan.content(of: answer)
        case .upstream, .view, .image, .none: answer
        }
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
