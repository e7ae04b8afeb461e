import PorticoSchema
import PorticoUpstream
import Testing

@Suite struct GatheredAnswersTests {
    private static let start = ContinuousClock.now
    private static let method = MethodID(3)

    private static func answer(bytes: Int = 10, holds: Duration? = .seconds(9)) -> Answer {
        Answer(
            message: [UInt8](repeating: 7, count: bytes), origin: .hit, age: .seconds(5),
            holdsUntil: holds.map { start + $0 })
    }

    @Test func oneIsGivenAgainAsOldAsItIsByThen() {
        var gathered = GatheredAnswers()
        gathered.keep(Self.answer(), to: Self.method, [1], generation: 4, at: Self.start)
        let now = Self.start + .milliseconds(400)
        let again = gathered.answer(to: Self.method, [1], generation: 4, at: now)
        #expect(again?.age == .milliseconds(5400) && again?.message == Self.answer().message)
        #expect(gathered.answer(to: Self.method, [2], generation: 4, at: now) == nil)
        #expect(gathered.answer(to: MethodID(4), [1], generation: 4, at: now) == nil)
    }

    @Test func aChangeOfTheSourceOrASecondEndsIt() {
        var gathered = GatheredAnswers()
        gathered.keep(Self.answer(), to: Self.method, [1], generation: 4, at: Self.start)
        #expect(gathered.answer(to: Self.method, [1], generation: 5, at: Self.start) == nil)
        let second = Self.start + GatheredAnswers.longestUse
        #expect(gathered.answer(to: Self.method, [1], generation: 4, at: second) == nil)
        gathered.keep(
            Self.answer(holds: .milliseconds(300)), to: Self.method, [1], generation: 4, at: Self.start)
        let later = Self.start + .milliseconds(300)
        #expect(gathered.answer(to: Self.method, [1], generation: 4, at: later) == nil)
    }

    @Test func whatDoesNotHoldIsNotKept() {
        var gathered = GatheredAnswers()
        gathered.keep(Self.answer(holds: nil), to: Self.method, [1], generation: 4, at: Self.start)
        #expect(gathered.bytes == 0)
    }

    @Test func itNeverHasMoreThanItsLimit() {
        var gathered = GatheredAnswers(limitBytes: 1000)
        for number in 0..<50 {
            // Small answers to long requests count as well.
            let request = [UInt8](repeating: UInt8(number % 7), count: number * 5)
            gathered.keep(
                Self.answer(bytes: number * 30), to: Self.method, request, generation: 4, at: Self.start)
            #expect(gathered.bytes <= 1000)
            let again = gathered.answer(to: Self.method, request, generation: 4, at: Self.start)
            #expect((again != nil) == (number * 35 + 256 <= 1000))
        }
    }
}
