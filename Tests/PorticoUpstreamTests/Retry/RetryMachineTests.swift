import PorticoConfig
import PorticoUpstream
import Testing

@Suite struct RetryMachineTests {
    private static let transient = RetryMachine.Failure(isTransient: true)

    private func policy(attempts: Int = 3) -> RetryPolicy {
        var settings = Configuration.Retry()
        settings.attempts = attempts
        return RetryPolicy(settings)
    }

    @Test func aCallIsSentAgainUntilItsAttemptsAreUsedUp() {
        var machine = RetryMachine(policy())
        var budget = RetryBudget(percent: 20)
        #expect(machine.start() == .send)
        for expected in [Duration.milliseconds(50), .milliseconds(100)] {
            let action = machine.failed(Self.transient, timeLeft: .seconds(60), roll: 0.5, budget: &budget)
            #expect(action == .pause(expected))
            #expect(machine.pauseEnded() == .send)
        }
        let last = machine.failed(Self.transient, timeLeft: .seconds(60), roll: 0.5, budget: &budget)
        #expect(last == .giveUp)
    }

    @Test func whatWillNotChangeIsNotSentAgain() {
        var machine = RetryMachine(policy())
        var budget = RetryBudget(percent: 20)
        _ = machine.start()
        let action = machine.failed(
            .init(isTransient: false), timeLeft: .seconds(60), roll: 0, budget: &budget)
        #expect(action == .giveUp)
        #expect(budget.tokens == RetryBudget.capacity)
    }

    @Test func aPauseThatReachesTheDeadlineIsNotBegun() {
        var machine = RetryMachine(policy())
        var budget = RetryBudget(percent: 20)
        _ = machine.start()
        let action = machine.failed(Self.transient, timeLeft: .milliseconds(50), roll: 0.5, budget: &budget)
        #expect(action == .giveUp)
    }

    @Test func callsThatMustNotBeMadeTwiceAreMadeOnce() {
        var machine = RetryMachine(policy().once)
        var budget = RetryBudget(percent: 20)
        _ = machine.start()
        let action = machine.failed(Self.transient, timeLeft: .seconds(60), roll: 0, budget: &budget)
        #expect(action == .giveUp)
    }

    @Test func oneLostConnectionIsReplacedAtNoCharge() {
        let lost = RetryMachine.Failure(isTransient: true, isFree: true)
        var machine = RetryMachine(policy(attempts: 2))
        var budget = RetryBudget(percent: 20)
        _ = machine.start()
        #expect(machine.failed(lost, timeLeft: .seconds(60), roll: 1, budget: &budget) == .send)
        #expect(budget.tokens == RetryBudget.capacity)
        let second = machine.failed(lost, timeLeft: .seconds(60), roll: 1, budget: &budget)
        #expect(second == .pause(.milliseconds(100)))
        #expect(budget.tokens == RetryBudget.capacity - 1)
        #expect(machine.pauseEnded() == .send)
        #expect(machine.failed(lost, timeLeft: .seconds(60), roll: 1, budget: &budget) == .giveUp)
    }

    @Test func aLostConnectionIsNotReplacedForACallThatMustNotBeMadeTwice() {
        let lost = RetryMachine.Failure(isTransient: true, isFree: true)
        var machine = RetryMachine(policy().once)
        var budget = RetryBudget(percent: 20)
        _ = machine.start()
        #expect(machine.failed(lost, timeLeft: .seconds(60), roll: 0, budget: &budget) == .giveUp)
    }

    @Test func lateEventsAreDropped() {
        var machine = RetryMachine(policy())
        var budget = RetryBudget(percent: 20)
        _ = machine.start()
        machine.ended()
        let action = machine.failed(Self.transient, timeLeft: .seconds(60), roll: 0, budget: &budget)
        #expect(action == .none)
        #expect(machine.pauseEnded() == .none)
    }

    @Test(arguments: [(1, 100), (2, 200), (3, 400), (5, 1600), (6, 2000), (1000, 2000)])
    func theCeilingDoublesUpToItsMaximum(retry: Int, milliseconds: Int) {
        #expect(policy().delay(retry: retry, asked: nil, roll: 1) == .milliseconds(milliseconds))
        #expect(policy().delay(retry: retry, asked: nil, roll: 0) == .zero)
    }

    @Test(arguments: [(3, 3.0), (10, 10.0), (11, 10.0), (0, 0.05)])
    func whatTheUpstreamAsksForIsWaitedForUpToTheCap(asked: Int, seconds: Double) {
        #expect(policy().delay(retry: 1, asked: .seconds(asked), roll: 0.5) == .seconds(seconds))
    }
}

@Suite struct RetryAfterTests {
    @Test(arguments: [
        ("0", 0), ("120", 120), (" 7 ", 7), ("Sun, 06 Nov 1994 08:49:37 GMT", 37),
        ("Sun, 06 Nov 1994 08:48:00 GMT", 0), ("99999999999999999999999", 31_536_000),
    ])
    func secondsAndDatesAreRead(text: String, seconds: Int) {
        // 1994-11-06 08:49:00 UTC
        #expect(RetryAfter.duration(text, secondsSince1970: 784_111_740) == .seconds(seconds))
    }

    @Test(arguments: [
        "", "-1", "soon", "1.5", "06 Nov 1994", "Sun, 06 Nov 1994 25:49:37 GMT",
    ])
    func whatIsNeitherIsIgnored(text: String) {
        #expect(RetryAfter.duration(text, secondsSince1970: 0) == nil)
    }
}
