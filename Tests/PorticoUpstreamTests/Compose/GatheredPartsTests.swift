import PorticoSchema
import PorticoTranscode
import PorticoUpstream
import PorticoWire
import TestSupport
import Testing

@Suite struct GatheredPartsTests {
    private static func plan(_ id: MethodID) throws -> ComposePlan {
        let method = TestSchema.schema[id]
        guard case .compose(let binding) = method.binding else {
            throw SetupFault.unknownUpstream("none", route: method.route)
        }
        return ComposePlan(binding, of: id, in: TestSchema.schema)
    }

    /// The example of the file: byte by byte.
    @Test func theAnswerIsGatheredByBytes() throws {
        var parts = GatheredParts(try Self.plan(TestSchema.home))
        try parts.add(.success(Answer(message: [0x0a, 0x00], origin: .hit)), of: 1)
        let expected: [UInt8] =
            [0x0a, 0x02, 0x0a, 0x00, 0x12, 0x0a, 0x0a, 0x06] + Array("groups".utf8) + [0x10, 0x01]
        #expect(try parts.answer().message == expected)
    }

    @Test func anEmptyAnswerIsThereAllTheSame() throws {
        var parts = GatheredParts(try Self.plan(TestSchema.home))
        try parts.add(.success(Answer(message: [], origin: .miss)), of: 0)
        let fields = try parts.answer().fields(TestSchema.homeID)
        #expect(fields.isSet("item") && !fields.isSet("groups"))
    }

    /// Random outcomes of both parts, against rules written down once more.
    @Test(arguments: 0..<200) func whatComesOutIsWhatTheRulesSay(seed: UInt64) throws {
        var dice = SeededGenerator(seed: seed)
        let outcomes = (0..<2).map { _ in Self.outcome(&dice) }
        var parts = GatheredParts(try Self.plan(TestSchema.home))
        for (index, outcome) in outcomes.enumerated() { try parts.add(outcome, of: index) }
        let there = outcomes.compactMap { try? $0.get() }
        guard !there.isEmpty else {
            #expect(throws: CallError.self) { try parts.answer() }
            return
        }
        let answer = try parts.answer()
        #expect((answer.origin == .stale) == there.contains { $0.origin == .stale })
        #expect((answer.origin == .hit) == there.allSatisfy { $0.origin == .hit })
        #expect(answer.age == there.map(\.age).max())
        #expect(answer.skippedItems == there.map(\.skippedItems).reduce(0, +))
        let ends = there.compactMap(\.holdsUntil)
        #expect(answer.holdsUntil == (ends.count == 2 ? ends.min() : nil))
        let fields = try answer.fields(TestSchema.homeID)
        #expect(fields.isSet("item") == ((try? outcomes[0].get()) != nil))
        #expect(fields.isSet("groups") == ((try? outcomes[1].get()) != nil))
    }

    private static let start = ContinuousClock.now

    private static func outcome(_ dice: inout SeededGenerator) -> GatheredParts.Outcome {
        let number = Int.random(in: 0..<60, using: &dice)
        guard number % 3 > 0 else { return .failure(CallError(.unavailable, "number \(number)")) }
        let origins: [Answer.Origin] = [.hit, .stale, .miss]
        return .success(
            Answer(
                message: [], origin: origins[number % 5 % 3], age: .seconds(number), skippedItems: number % 4,
                holdsUntil: number % 2 == 0 ? start + .seconds(number) : nil))
    }
}
