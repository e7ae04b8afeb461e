import PorticoUpstream
import TestSupport
import Testing

@Suite struct IdempotencyTableTests {
    typealias Table = IdempotencyTable
    private let start = ContinuousClock.now

    private func key(_ text: String, caller: UInt8 = 0, route: String = "p.S/M") -> Table.Key {
        Table.Key(caller: Identity(digest: [caller]), route: route, text: text)
    }
    private func answer(_ byte: UInt8, count: Int = 1) -> Table.Answer {
        Table.Answer(message: [UInt8](repeating: byte, count: count), skippedItems: 0)
    }

    @Test func theFirstAnswerIsGivenForTenMinutes() {
        var table = Table()
        #expect(table.begin(key("k"), digest: "a", now: start) == .perform)
        #expect(table.begin(key("k"), digest: "a", now: start) == .perform)
        #expect(table.begin(key("k"), digest: "b", now: start) == .refused)
        table.ended(key("k"), answer(1), now: start)
        table.ended(key("k"), answer(2), now: start)
        let last = start + Table.lifetime - .nanoseconds(1)
        #expect(table.begin(key("k"), digest: "a", now: last) == .answered(answer(1)))
        #expect(table.begin(key("k"), digest: "b", now: last) == .refused)
        #expect(table.begin(key("k"), digest: "b", now: start + Table.lifetime) == .perform)
    }

    @Test func callersAndMethodsHaveKeysOfTheirOwn() {
        var table = Table()
        for key in [key("k"), key("k", caller: 1), key("k", route: "p.S/N"), key("l")] {
            #expect(table.begin(key, digest: "a", now: start) == .perform)
            table.ended(key, answer(UInt8(table.count)), now: start)
        }
        #expect(table.begin(key("k"), digest: "a", now: start) == .answered(answer(1)))
        #expect(table.begin(key("l"), digest: "a", now: start) == .answered(answer(4)))
    }

    @Test func aFailureMayBeTriedAgainWithAnotherRequest() {
        var table = Table()
        _ = table.begin(key("k"), digest: "a", now: start)
        table.ended(key("k"), nil, now: start)
        #expect(table.count == 0)
        #expect(table.begin(key("k"), digest: "b", now: start) == .perform)
    }

    @Test func theOldestAnswersMakeRoom() {
        var table = Table(limitBytes: 3000, limitEntries: 3)
        for index in 0..<5 {
            _ = table.begin(key("\(index)"), digest: "a", now: start)
            table.ended(key("\(index)"), answer(1, count: 100), now: start)
        }
        #expect(table.count == 3)
        #expect(table.begin(key("0"), digest: "a", now: start) == .perform)
        #expect(table.begin(key("4"), digest: "a", now: start) == .answered(answer(1, count: 100)))
        _ = table.begin(key("large"), digest: "a", now: start)
        table.ended(key("large"), answer(1, count: 3000), now: start)
        #expect(table.begin(key("large"), digest: "a", now: start) == .perform)
    }

    @Test func writesUnderWayAreNeverForgotten() {
        var table = Table(limitEntries: 2)
        #expect(table.begin(key("a"), digest: "a", now: start) == .perform)
        #expect(table.begin(key("b"), digest: "a", now: start) == .perform)
        #expect(table.begin(key("c"), digest: "a", now: start) == .full)
        #expect(table.begin(key("a"), digest: "x", now: start) == .refused)
        table.ended(key("a"), answer(1), now: start)
        #expect(table.begin(key("c"), digest: "a", now: start) == .perform)
        #expect(table.begin(key("a"), digest: "x", now: start) == .full)
    }

    @Test func itAgreesWithANaiveModelOverRandomScripts() {
        var dice = SeededGenerator(seed: 17)
        var table = Table(limitBytes: 5000, limitEntries: 12)
        var now = start
        var running: [String: String] = [:]
        var answered: [(key: String, digest: String, answer: Table.Answer, at: ContinuousClock.Instant)] = []
        for step in 0..<20_000 {
            now = now + .seconds(Int.random(in: 0..<20, using: &dice))
            answered.removeAll { $0.at + Table.lifetime <= now }
            let name = "\(Int.random(in: 0..<20, using: &dice))"
            let digest = "\(Int.random(in: 0..<2, using: &dice))"
            if Bool.random(using: &dice) {
                let decision = table.begin(key(name), digest: digest, now: now)
                if let known = running[name] {
                    #expect(decision == (known == digest ? .perform : .refused), "step \(step)")
                } else if let known = answered.first(where: { $0.key == name }) {
                    let expected = known.digest == digest ? Table.Decision.answered(known.answer) : .refused
                    #expect(decision == expected, "step \(step)")
                } else if running.count + answered.count >= 12, answered.isEmpty {
                    #expect(decision == .full, "step \(step)")
                } else {
                    if running.count + answered.count >= 12 { answered.removeFirst() }
                    #expect(decision == .perform, "step \(step)")
                    running[name] = digest
                }
            } else if let known = running[name] {
                let given = answer(UInt8(step % 256), count: Int.random(in: 0..<1500, using: &dice))
                let fails = Int.random(in: 0..<4, using: &dice) == 0
                table.ended(key(name), fails ? nil : given, now: now)
                running[name] = nil
                if !fails { answered.append((name, known, given, now)) }
                let size = {
                    (entry: (key: String, digest: String, answer: Table.Answer, at: ContinuousClock.Instant))
                    in
                    entry.key.utf8.count + 6 + entry.answer.message.count + 256
                }
                while answered.reduce(0, { $0 + size($1) }) > 5000 { answered.removeFirst() }
            }
            #expect(table.bytes <= 5000 && table.count <= 12)
        }
    }
}
