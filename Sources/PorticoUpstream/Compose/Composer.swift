package import PorticoWire
internal import Synchronization

/// Answers composed methods from what `source` answers to their parts: with the caches, the shared calls and the views of
/// the parts' own methods. The whole is not kept for longer than a moment, ``GatheredAnswers``.
package final class Composer: Sendable {
    /// Of the time that a call has left, so much is kept back from its parts, and never more than ``longestReserve``:
    /// a part that takes too long is told of, in an answer that still comes in time.
    static let reservedShare = 10
    static let longestReserve = Duration.milliseconds(250)

    private let clock: any UpstreamClock
    private let gathered = Mutex(GatheredAnswers())

    package init(clock: any UpstreamClock) { self.clock = clock }

    /// - Parameter request: in canonical form.
    /// - Returns: nil: a part is not at hand. Does not block.
    package func answerAtHand(
        _ plan: ComposePlan, _ request: [UInt8], from source: some AnswerSource
    ) -> Answer? {
        let (generation, now) = (source.generation, clock.now)
        let known = gathered.withLock {
            $0.answer(to: plan.method, request, generation: generation, at: now)
        }
        if let known { return known }
        guard let answer = gather(plan, request, from: source) else { return nil }
        gathered.withLock { $0.keep(answer, to: plan.method, request, generation: generation, at: now) }
        return answer
    }

    private func gather(
        _ plan: ComposePlan, _ request: [UInt8], from source: some AnswerSource
    ) -> Answer? {
        var parts = GatheredParts(plan)
        for (index, part) in plan.parts.enumerated() {
            guard let request = try? part.bridge.fill(from: request),
                let answer = source.cachedAnswer(to: part.method, request: request.span),
                (try? parts.add(.success(answer), of: index)) != nil
            else { return nil }
        }
        return try? parts.answer()
    }

    /// All parts at the same time. It ends early when a required one fails, and the others with it.
    ///
    /// - Parameter request: in canonical form.
    package func answer(
        _ plan: ComposePlan, _ request: [UInt8], to call: Call, from source: some AnswerSource
    ) async throws(CallError) -> Answer {
        let deadline = Self.deadlineOfParts(of: call.deadline, now: clock.now)
        return try await Self.parts(of: plan) { index in
            await Self.outcome(of: plan.parts[index], request, by: deadline, call, source)
        }.answer()
    }

    /// When the parts give up, of a whole that is needed by `deadline`.
    static func deadlineOfParts(
        of deadline: ContinuousClock.Instant, now: ContinuousClock.Instant
    ) -> ContinuousClock.Instant {
        deadline - max(.zero, min((deadline - now) / reservedShare, longestReserve))
    }

    /// All parts, asked for at the same time.
    ///
    /// - Parameter ask: for the part of this number.
    /// - Throws: a required one failed; nobody waits for the others any more.
    static func parts(
        of plan: ComposePlan, ask: @escaping @Sendable (Int) async -> GatheredParts.Outcome
    ) async throws(CallError) -> GatheredParts {
        let gathered = await withTaskGroup(of: (Int, GatheredParts.Outcome).self) { group in
            for index in plan.parts.indices { group.addTask { (index, await ask(index)) } }
            var parts = GatheredParts(plan)
            do throws(CallError) {
                while let (index, outcome) = await group.next() { try parts.add(outcome, of: index) }
                return Result<GatheredParts, CallError>.success(parts)
            } catch {
                group.cancelAll()
                return .failure(error)
            }
        }
        return try gathered.get()
    }

    private static func outcome(
        of part: ComposePlan.Part, _ request: [UInt8], by deadline: ContinuousClock.Instant, _ call: Call,
        _ source: some AnswerSource
    ) async -> GatheredParts.Outcome {
        if let refusal = call.refusals[part.method] { return .failure(refusal) }
        guard let filled = try? part.bridge.fill(from: request) else {
            preconditionFailure("a request in canonical form has been read before")
        }
        let asked = Call(method: part.method, request: filled, deadline: deadline, identity: call.identity)
        do throws(CallError) {
            return .success(try await source.answer(to: asked))
        } catch {
            return .failure(error)
        }
    }
}
