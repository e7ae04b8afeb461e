import PorticoConfig
import PorticoUpstream
import TestSupport
import Testing

@Suite struct BreakerTests {
    /// A call was refused that should have been let through.
    private struct Refused: Error {}

    private let start = ContinuousClock.now

    private func breaker(_ change: (inout Configuration.Breaker) -> Void = { _ in }) -> Breaker {
        var settings = Configuration.Breaker()
        settings.minimumCalls = 10
        change(&settings)
        return Breaker(BreakerPolicy(settings), now: start)
    }

    /// One call from its beginning to its end, `took` later.
    private func call(
        _ breaker: inout Breaker, _ outcome: Breaker.Outcome, at time: Duration = .zero,
        took: Duration = .milliseconds(10)
    ) {
        guard let permit = breaker.admit(now: start + time) else { return }
        breaker.ended(permit, outcome, took: took, now: start + time + took)
    }

    @Test func itOpensWhenHalfOfTheCallsFail() {
        var breaker = breaker()
        for _ in 0..<5 { call(&breaker, .succeeded) }
        for _ in 0..<4 { call(&breaker, .failed) }
        #expect(breaker.state == .closed)
        call(&breaker, .failed)
        #expect(breaker.state == .open)
        #expect(breaker.admit(now: start + .seconds(1)) == nil)
        #expect(breaker.isRefusing(now: start + .seconds(1)))
    }

    @Test func fewCallsSayNothing() {
        var breaker = breaker()
        for _ in 0..<9 { call(&breaker, .failed) }
        #expect(breaker.state == .closed)
    }

    @Test func itOpensWhenMostCallsAreSlow() {
        var breaker = breaker()
        for _ in 0..<2 { call(&breaker, .succeeded) }
        for _ in 0..<8 { call(&breaker, .succeeded, took: .milliseconds(3001)) }
        #expect(breaker.state == .open)
    }

    @Test func whatLiesBeyondTheWindowIsForgotten() {
        var breaker = breaker()
        for _ in 0..<9 { call(&breaker, .failed) }
        call(&breaker, .failed, at: .seconds(31))
        #expect(breaker.state == .closed)
        for _ in 0..<9 { call(&breaker, .failed, at: .seconds(40)) }
        #expect(breaker.state == .open)
    }

    @Test func oneCallProbesAndClosesIt() throws {
        var breaker = breaker()
        for _ in 0..<10 { call(&breaker, .failed) }
        #expect(breaker.isRefusing(now: start + .milliseconds(5009)))
        guard let probe = breaker.admit(now: start + .seconds(6)) else { throw Refused() }
        #expect(breaker.state == .probing)
        #expect(breaker.admit(now: start + .seconds(6)) == nil)
        breaker.ended(probe, .succeeded, took: .seconds(1), now: start + .seconds(7))
        #expect(breaker.state == .closed)
        for _ in 0..<9 { call(&breaker, .failed, at: .seconds(8)) }
        #expect(breaker.state == .closed)
    }

    @Test(arguments: [(Breaker.Outcome.failed, Duration.seconds(1)), (.succeeded, .seconds(4))])
    func aBadOrSlowProbeOpensItAgain(outcome: Breaker.Outcome, took: Duration) throws {
        var breaker = breaker()
        for _ in 0..<10 { call(&breaker, .failed) }
        call(&breaker, outcome, at: .seconds(6), took: took)
        #expect(breaker.state == .open)
        #expect(breaker.admit(now: start + .seconds(6) + took + .milliseconds(4999)) == nil)
        #expect(breaker.admit(now: start + .seconds(6) + took + .seconds(5)) != nil)
    }

    @Test func anAbandonedProbeMakesRoomForTheNext() {
        var breaker = breaker()
        for _ in 0..<10 { call(&breaker, .failed) }
        call(&breaker, .abandoned, at: .seconds(6))
        #expect(breaker.admit(now: start + .seconds(7)) != nil)
    }

    @Test func callsFromBeforeAChangeHaveNoSay() throws {
        var breaker = breaker()
        guard let early = breaker.admit(now: start) else { throw Refused() }
        for _ in 0..<10 { call(&breaker, .failed) }
        guard let probe = breaker.admit(now: start + .seconds(6)) else { throw Refused() }
        breaker.ended(early, .succeeded, took: .seconds(1), now: start + .seconds(6))
        #expect(breaker.state == .probing)
        breaker.ended(probe, .failed, took: .zero, now: start + .seconds(6))
        #expect(breaker.state == .open)
    }

    @Test func zeroSwitchesARateOff() {
        var breaker = breaker {
            $0.failurePercent = 0
            $0.slowPercent = 0
        }
        for _ in 0..<100 { call(&breaker, .failed, took: .seconds(5)) }
        #expect(breaker.state == .closed)
    }

    /// Against a list of all calls that is counted anew each time.
    @Test(arguments: 0..<5) func itAgreesWithANaiveModelOverRandomScripts(seed: UInt64) {
        var dice = SeededGenerator(seed: seed)
        var breaker = breaker()
        var ended: [(slice: Int, hasFailed: Bool, isSlow: Bool)] = []
        var openUntil: Duration?
        var (time, windowStart) = (Duration.zero, Duration.zero)
        for _ in 0..<5_000 {
            time += .milliseconds(Int.random(in: 0...4000, using: &dice))
            let isRefused = openUntil.map { time < $0 } ?? false
            #expect(breaker.isRefusing(now: start + time) == isRefused)
            guard let permit = breaker.admit(now: start + time) else { continue }
            let took = Duration.milliseconds(Int.random(in: 0...3500, using: &dice))
            let hasFailed = Int.random(in: 0..<10, using: &dice) < 4
            time += took
            breaker.ended(permit, hasFailed ? .failed : .succeeded, took: took, now: start + time)
            let isSlow = took > .seconds(3)
            if openUntil != nil {
                openUntil = hasFailed || isSlow ? time + .seconds(5) : nil
                // A window begins anew where the breaker closes.
                ended = []
                if openUntil == nil { windowStart = time }
                continue
            }
            let slice = Int((time - windowStart) / .seconds(3))
            ended.append((slice, hasFailed, isSlow))
            let counted = ended.filter { $0.slice > slice - 10 }
            let (failed, slow) = (counted.count { $0.hasFailed }, counted.count { $0.isSlow })
            if counted.count >= 10, failed * 2 >= counted.count || slow * 100 >= 80 * counted.count {
                openUntil = time + .seconds(5)
            }
            #expect((breaker.state == .open) == (openUntil != nil))
        }
        #expect(time > .seconds(60))
    }
}
