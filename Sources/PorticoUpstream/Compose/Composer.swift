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
        let reserve = min((call.deadline - clock.now) / Self.reservedShare, Self.longestReserve)
        let deadline = call.deadline - max(.zero, reserve)
        let outcome = await withTaskGroup(of: (Int, GatheredParts.Outcome).self) { group in
            for (index, part) in plan.parts.enumerated() {
                group.addTask {
                    (index, await Self.outcome(of: part, request, by: deadline, call, source))
                }
            }
            var parts = GatheredParts(plan)
            do throws(CallError) {
                while let (index, outcome) = await group.next() { try parts.add(outcome, of: index) }
                return GatheredParts.Outcome.success(try parts.answer())
            } catch {
                group.cancelAll()
                return .failure(error)
            }
        }
        return try outcome.get()
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
