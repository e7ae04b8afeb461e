package import PorticoWire

/// The parts of one composed answer as they come in, and what they come to. No clock, no waiting.
///
/// The answer is gathered by bytes: `tag, length, the part's encoded answer` for each part that is there, and the statuses.
/// A `Screen` whose part `teams = 2` answered `0a 00` and whose `sources = 4` tells only that is
/// `12 02 0a 00 22 09 0a 05 "teams" 10 01`.
package struct GatheredParts {
    package typealias Outcome = Result<Answer, CallError>

    private let plan: ComposePlan
    private var outcomes: [Outcome?]

    package init(_ plan: ComposePlan) {
        self.plan = plan
        outcomes = Array(repeating: nil, count: plan.parts.count)
    }

    /// - Throws: the part was required and failed.
    package mutating func add(_ outcome: Outcome, of part: Int) throws(CallError) {
        outcomes[part] = outcome
        guard case .failure(let error) = outcome, plan.parts[part].isRequired else { return }
        throw CallError(
            error.code,
            "\(plan.route) cannot do without its part \"\(plan.parts[part].name)\": \(error.message)")
    }

    /// Every part is there.
    var isWhole: Bool { outcomes.allSatisfy { (try? $0?.get()) != nil } }

    /// When the first of the parts that are there ceases to hold; nil: none of them says when.
    var firstEnd: ContinuousClock.Instant? { outcomes.compactMap { try? $0?.get().holdsUntil }.min() }

    /// Of what has come in. It is as old as its oldest part, and stale if one of them is.
    ///
    /// - Throws: no part is there.
    package func answer() throws(CallError) -> Answer {
        let there = outcomes.compactMap { try? $0?.get() }
        guard !there.isEmpty else { throw failure }
        // What holds for a while is told without ages, so that it can be given again as it is.
        let ends = there.compactMap(\.holdsUntil)
        return Answer(
            message: message(bytes: there.reduce(0) { $0 + $1.message.count }),
            origin: Answer.Origin(of: there.map(\.origin)),
            age: there.map(\.age).max() ?? .zero,
            skippedItems: there.reduce(0) { $0 + $1.skippedItems },
            missingJoins: there.reduce(0) { $0 + $1.missingJoins },
            holdsUntil: ends.count == plan.parts.count ? ends.min() : nil)
    }

    private var failure: CallError {
        var errors: [(name: String, error: CallError)] = []
        for (part, outcome) in zip(plan.parts, outcomes) {
            if case .failure(let error)? = outcome { errors.append((part.name, error)) }
        }
        let codes = Set(errors.map(\.error.code))
        let reasons = errors.map { "\($0.name): \($0.error.message)" }.joined(separator: "; ")
        let code = codes.count == 1 ? codes.first : nil
        return CallError(code ?? .unavailable, "\(plan.route) has none of its parts: \(reasons)")
    }

    // MARK: Bytes

    /// Tags, lengths and statuses of one part, roughly.
    private static let bytesBesidePart = 64

    private func message(bytes: Int) -> [UInt8] {
        var writer = ProtobufWriter()
        writer.bytes.reserveCapacity(bytes + plan.parts.count * Self.bytesBesidePart)
        for slot in plan.slots {
            switch slot {
            case .part(let index):
                guard case .success(let answer)? = outcomes[index] else { continue }
                writer.bytesField(plan.parts[index].number, answer.message)
            case .sources:
                for (part, outcome) in zip(plan.parts, outcomes) {
                    guard let outcome else { continue }
                    writer.messageField(plan.sourcesNumber) {
                        SourceStatus(part.name, outcome).write(to: &$0)
                    }
                }
            }
        }
        return writer.bytes
    }
}
