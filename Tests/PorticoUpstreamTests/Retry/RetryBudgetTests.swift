import PorticoConfig
import PorticoUpstream
import TestSupport
import Testing

@Suite struct RetryBudgetTests {
    /// What was asked of an upstream since it last answered well.
    private struct Outage {
        var calls = 0
        var attempts = 0

        /// 1.2 attempts a call, as soon as a fifth of the calls is more than the retries of one.
        var bound: Int { calls + min(max(2, calls / 5), 10) }
    }

    /// One call that wants as many retries as it can get; `isUp` says how each attempt ends.
    private func call(_ budget: inout RetryBudget, _ isUp: () -> Bool) -> (attempts: Int, hasSucceeded: Bool)
    {
        var machine = RetryMachine(RetryPolicy(Configuration.Retry()))
        var attempts = 0
        budget.called()
        var action = machine.start()
        while action == .send {
            attempts += 1
            if isUp() {
                budget.succeeded()
                return (attempts, true)
            }
            action = machine.failed(
                .init(isTransient: true), timeLeft: .seconds(60), roll: 0, budget: &budget)
            if case .pause = action { action = machine.pauseEnded() }
        }
        return (attempts, false)
    }

    /// From a full bucket and from the very first call.
    @Test func anOutageIsAmplifiedByAFifthFromItsTenthCallOn() {
        var budget = RetryBudget(percent: 20)
        var outage = Outage()
        for calls in 1...1000 {
            outage.calls += 1
            outage.attempts += call(&budget) { false }.attempts
            #expect(outage.attempts == outage.bound)
            #expect(calls < 10 || outage.attempts * 10 <= calls * 12)
        }
    }

    /// Ups and downs of random lengths, against counts kept beside the budget.
    @Test(arguments: 1...20 as ClosedRange<UInt64>) func noOutageGoesBeyondItsBoundWhateverCameBefore(
        seed: UInt64
    ) {
        var dice = SeededGenerator(seed: seed)
        var budget = RetryBudget(percent: 20)
        var (outage, successes, calls, attempts) = (Outage(), 0, 0, 0)
        var (chance, left) = (1.0, 0)
        for _ in 0..<5000 {
            if left == 0 {
                chance = [0, 0, 0.02, 0.5, 0.9, 1].randomElement(using: &dice) ?? 0
                left = Int.random(in: 1...200, using: &dice)
            }
            left -= 1
            calls += 1
            outage.calls += 1
            let ended = call(&budget) { Double.random(in: 0..<1, using: &dice) < chance }
            attempts += ended.attempts
            outage.attempts += ended.attempts
            #expect(outage.attempts <= outage.bound)
            if ended.hasSucceeded { (outage, successes) = (Outage(), successes + 1) }
            #expect(Double(attempts) <= Double(calls) + RetryBudget.capacity + Double(successes) / 5)
        }
    }

    /// Sixty calls side by side, each attempt of which ends at some time: what is scheduled after the last success stays
    /// within a fifth of the calls that have begun since, or two.
    @Test(arguments: 1...10 as ClosedRange<UInt64>) func callsSideBySideStayWithinTheBoundToo(seed: UInt64) {
        var dice = SeededGenerator(seed: seed)
        var budget = RetryBudget(percent: 20)
        var running: [SideCall] = []
        var (calls, retries, chance) = (0, 0, 0.0)
        for step in 0..<20_000 {
            if step % 500 == 0 { chance = [0, 0, 0.01, 0.3, 1].randomElement(using: &dice) ?? 0 }
            if running.count < 60, Bool.random(using: &dice) {
                budget.called()
                calls += 1
                running.append(SideCall())
            }
            guard let index = running.indices.randomElement(using: &dice) else { continue }
            if Double.random(in: 0..<1, using: &dice) < chance {
                budget.succeeded()
                (calls, retries) = (0, 0)
                running.remove(at: index)
            } else if running[index].fails(&budget) {
                retries += 1
            } else {
                running.remove(at: index)
            }
            #expect(retries <= min(max(2, calls / 5), Int(RetryBudget.capacity)))
        }
    }

    /// One call, its machine in a box so that an array can hold it.
    private final class SideCall {
        private var machine = RetryMachine(RetryPolicy(Configuration.Retry()))

        init() { _ = machine.start() }

        /// Whether it is tried again.
        func fails(_ budget: inout RetryBudget) -> Bool {
            let action = machine.failed(
                .init(isTransient: true), timeLeft: .seconds(60), roll: 0, budget: &budget)
            guard case .pause = action else { return false }
            _ = machine.pauseEnded()
            return true
        }
    }

    @Test func successesFillTheBudgetUpToItsCapacity() {
        var budget = RetryBudget(percent: 20)
        for _ in 0..<1000 { budget.called() }
        while budget.takeRetry() {}
        for _ in 0..<4 { budget.succeeded() }
        #expect(budget.takeRetry() == false)
        budget.succeeded()
        budget.succeeded()
        #expect(budget.takeRetry() == true)
        for _ in 0..<1000 { budget.succeeded() }
        #expect(budget.tokens == RetryBudget.capacity)
    }

    @Test func withoutABudgetThereIsNoRetry() {
        var budget = RetryBudget(percent: 0)
        #expect(call(&budget) { false }.attempts == 1)
        for _ in 0..<1000 { budget.succeeded() }
        #expect(call(&budget) { false }.attempts == 1)
    }
}
