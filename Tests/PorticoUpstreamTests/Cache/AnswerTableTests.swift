import PorticoConfig
import PorticoSchema
import PorticoUpstream
import TestSupport
import Testing

@Suite struct AnswerTableTests {
    private let start = ContinuousClock.now
    private let freshness = Freshness(fresh: .seconds(60), stale: .seconds(600))

    private func key(_ text: String, method: Int = 0) -> AnswerKey {
        AnswerKey(method: MethodID(method), request: Array(text.utf8))
    }

    private func answer(_ text: String, at time: Duration = .zero) -> StoredAnswer {
        StoredAnswer(message: Array(text.utf8), skippedItems: 0, fetchedAt: start + time)
    }

    private func text(_ lookup: AnswerTable.Lookup) -> String {
        switch lookup {
        case .missing: "missing"
        case .fresh(let answer, _): "fresh \(String(decoding: answer.message, as: UTF8.self))"
        case .stale(let answer, _, let isDue):
            "stale \(String(decoding: answer.message, as: UTF8.self))\(isDue ? ", refresh" : "")"
        }
    }

    private func look(_ table: inout AnswerTable, _ key: AnswerKey, at time: Duration = .zero) -> String {
        text(table.lookup(key, freshness, now: start + time, refreshPause: .seconds(5)))
    }

    @Test func anAnswerIsFreshThenStaleThenGone() {
        var table = AnswerTable(limitBytes: 10_000)
        table.store(answer("a"), for: key("k"), table.ticket(for: MethodID(0)))
        #expect(look(&table, key("k"), at: .milliseconds(59_999)) == "fresh a")
        #expect(look(&table, key("k"), at: .seconds(60)) == "stale a, refresh")
        #expect(look(&table, key("k"), at: .milliseconds(659_999)) == "stale a, refresh")
        #expect(look(&table, key("k"), at: .seconds(660)) == "missing")
        #expect(look(&table, key("other")) == "missing")
    }

    @Test func aRefreshIsHandedToOneReaderAtATime() {
        var table = AnswerTable(limitBytes: 10_000)
        table.store(answer("a"), for: key("k"), table.ticket(for: MethodID(0)))
        #expect(look(&table, key("k"), at: .seconds(60)) == "stale a, refresh")
        #expect(look(&table, key("k"), at: .seconds(64)) == "stale a")
        #expect(look(&table, key("k"), at: .seconds(65)) == "stale a, refresh")
    }

    @Test func answersFetchedTogetherAreRefreshedApart() {
        var table = AnswerTable(limitBytes: 10_000)
        for (name, jitter) in [("early", 0.0), ("late", 0.5)] {
            var stored = answer(name)
            stored.refreshJitter = jitter
            table.store(stored, for: key(name), table.ticket(for: MethodID(0)))
        }
        #expect(look(&table, key("early"), at: .seconds(60)) == "stale early, refresh")
        #expect(look(&table, key("late"), at: .milliseconds(60_999)) == "stale late")
        #expect(look(&table, key("late"), at: .seconds(61)) == "stale late, refresh")
    }

    @Test func memoryIsBoundedInBytes() {
        var table = AnswerTable(limitBytes: 4000)
        for index in 0..<100 {
            let large = StoredAnswer(
                message: [UInt8](repeating: 1, count: index * 40), skippedItems: 0, fetchedAt: start)
            table.store(large, for: key("k\(index)"), table.ticket(for: MethodID(0)))
            #expect(table.bytes <= 4000)
        }
        #expect(table.count >= 1)
    }

    /// Stored, stored again, found unchanged with longer validators, derived from others, made void: what is counted is what
    /// is kept, and never more than the limit.
    @Test(arguments: 0..<5) func everyByteIsCountedOverRandomScripts(seed: UInt64) {
        var dice = SeededGenerator(seed: seed)
        var table = AnswerTable(limitBytes: 20_000)
        let keys = (0..<30).map { key("k\($0)", method: $0 % 3) }
        let sourceBytes = 256 + 2 * (keys[0].bytes + keys[29].bytes)
        for _ in 0..<3000 {
            let key = keys.randomElement(using: &dice) ?? keys[0]
            var stored = answer(String(repeating: "x", count: .random(in: 0...2000, using: &dice)))
            stored.validators.entityTag = String(repeating: "t", count: .random(in: 0...1000, using: &dice))
            let ticket = table.ticket(for: key.method)
            switch Int.random(in: 0..<10, using: &dice) {
            case 0...3: table.store(stored, for: key, ticket)
            case 4...6:
                guard let (kept, generation) = table.kept(key) else { continue }
                stored.message = kept.message
                _ = table.renew(stored, for: key, generation, ticket)
            case 7, 8:
                let sources = keys.prefix(2).compactMap { source in
                    table.kept(source).map { (key: source, generation: $0.generation) }
                }
                table.store(stored, for: key, derivedFrom: sources, [ticket])
            default: if Int.random(in: 0..<10, using: &dice) == 0 { table.invalidate(key.method) }
            }
            let kept = keys.compactMap { key in table.kept(key).map { $0.answer.bytes + key.bytes + 256 } }
            let sum = kept.reduce(0, +)
            #expect(table.count == kept.count)
            #expect(table.bytes >= sum && table.bytes <= sum + kept.count * sourceBytes)
            #expect(table.bytes <= 20_000)
        }
    }

    @Test func aDerivedAnswerFallsWithItsSource() {
        var table = AnswerTable(limitBytes: 10_000)
        let ticket = table.ticket(for: MethodID(0))
        let source = table.store(answer("page"), for: key("p"), ticket)
        table.store(
            answer("view"), for: key("v", method: 1), derivedFrom: [(key("p"), source ?? 0)],
            [table.ticket(for: MethodID(0))])
        #expect(look(&table, key("v", method: 1)) == "fresh view")
        table.store(answer("newer"), for: key("p"), ticket)
        #expect(look(&table, key("v", method: 1)) == "missing")
    }

    @Test func nothingIsKeptThatWasDerivedFromAReplacedSource() {
        var table = AnswerTable(limitBytes: 10_000)
        let ticket = table.ticket(for: MethodID(0))
        let old = table.store(answer("page"), for: key("p"), ticket) ?? 0
        table.store(answer("newer"), for: key("p"), ticket)
        table.store(
            answer("view"), for: key("v", method: 1), derivedFrom: [(key("p"), old)],
            [table.ticket(for: MethodID(0))])
        #expect(look(&table, key("v", method: 1)) == "missing")
    }

    @Test func aDerivedAnswerOutlivesASourceThatOnlyLeftForLackOfSpace() {
        var table = AnswerTable(limitBytes: 1200)
        let ticket = table.ticket(for: MethodID(0))
        let source = table.store(answer("page"), for: key("p"), ticket) ?? 0
        table.store(
            answer("view"), for: key("v", method: 1), derivedFrom: [(key("p"), source)],
            [table.ticket(for: MethodID(0))])
        let large = StoredAnswer(
            message: [UInt8](repeating: 1, count: 500), skippedItems: 0, fetchedAt: start)
        table.store(large, for: key("x"), ticket)
        #expect(look(&table, key("p")) == "missing")
        #expect(look(&table, key("v", method: 1)) == "fresh view")
        table.store(answer("newer"), for: key("p"), ticket)
        #expect(look(&table, key("v", method: 1)) == "missing")
    }

    @Test func aFetchThatBeganBeforeAnInvalidationLeavesNothing() {
        var table = AnswerTable(limitBytes: 10_000)
        let before = table.ticket(for: MethodID(0))
        table.store(answer("a"), for: key("k"), before)
        table.store(answer("b"), for: key("k", method: 1), table.ticket(for: MethodID(1)))
        table.invalidate(MethodID(0))
        #expect(look(&table, key("k")) == "missing")
        #expect(table.store(answer("late"), for: key("k"), before) == nil)
        #expect(look(&table, key("k")) == "missing")
        #expect(look(&table, key("k", method: 1)) == "fresh b")
        #expect(table.store(answer("new"), for: key("k"), table.ticket(for: MethodID(0))) != nil)
    }

    @Test func theNextPageIsToldOnce() {
        var table = AnswerTable(limitBytes: 10_000)
        var page = answer("a")
        page.nextPage = key("k2")
        table.store(page, for: key("k"), table.ticket(for: MethodID(0)))
        #expect(table.takeNextPage(key("k")) == key("k2"))
        #expect(table.takeNextPage(key("k")) == nil)
    }

    @Test func theFirstRouteThatTheEnvironmentNamesCounts() {
        var settings = Configuration.Cache()
        settings.methods["a.B/Source"] = .init(fresh: .seconds(1))
        #expect(Freshness(settings, routes: ["a.B/View", "a.B/Source"]).fresh == .seconds(1))
        #expect(Freshness(settings, routes: ["a.B/View", "a.B/Source"]).stale == .seconds(600))
        settings.methods["a.B/View"] = .init(stale: .seconds(2))
        #expect(
            Freshness(settings, routes: ["a.B/View", "a.B/Source"])
                == Freshness(
                    fresh: .seconds(60), stale: .seconds(2), bounds: .seconds(1) ... .seconds(3600)))
    }
}
