import PorticoSchema
import PorticoUpstream
import Testing

@Suite struct PageTotalsTests {
    private let now = ContinuousClock.now

    private func list(_ text: String) -> AnswerKey {
        AnswerKey(method: MethodID(0), request: Array(text.utf8))
    }

    @Test func whatWasLearntIsKnownUntilItsTime() {
        var totals = PageTotals()
        totals.learn(list("a"), lastPage: 9, until: now + .seconds(60))
        #expect(totals.lastPage(of: list("a"), now: now) == 9)
        #expect(totals.lastPage(of: list("a"), now: now + .seconds(60)) == nil)
        #expect(totals.lastPage(of: list("b"), now: now) == nil)
        totals.learn(list("a"), lastPage: 2, until: now + .seconds(60))
        #expect(totals.lastPage(of: list("a"), now: now) == 2)
    }

    /// Of requests of any length, up to one that is longer than everything may be.
    @Test func memoryIsBoundedInBytes() {
        var totals = PageTotals()
        for number in 0..<100 {
            let list = list("\(number)" + String(repeating: "x", count: number << 10))
            totals.learn(list, lastPage: number, until: now + .seconds(60))
            totals.learn(list, lastPage: number, until: now + .seconds(60))
            #expect(totals.lastPage(of: list, now: now) == number)
            #expect(totals.bytes <= PageTotals.limitBytes)
        }
        let long = list(String(repeating: "x", count: PageTotals.limitBytes))
        totals.learn(long, lastPage: 1, until: now + .seconds(60))
        #expect(totals.lastPage(of: long, now: now) == nil)
        #expect(totals.bytes <= PageTotals.limitBytes)
    }
}
