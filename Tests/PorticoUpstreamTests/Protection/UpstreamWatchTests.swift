import PorticoConfig
import PorticoUpstream
import PorticoWire
import TestSupport
import Testing

/// When the machine has the server ask an upstream itself.
@Suite struct UpstreamWatchTests {
    private static let down = UpstreamHealth.State.fails(CallError(.unavailable, "down"), times: 1)

    /// A look, and the calls that ended before it.
    struct Look: Sendable {
        let health: UpstreamHealth.State
        let calls: Int
        let action: UpstreamWatch.Action
    }

    @Test(arguments: [
        // One that answers is never asked again.
        [
            Look(health: .notAsked, calls: 0, action: .ask(thenWait: .seconds(0.75))),
            Look(health: .answers, calls: 1, action: .wait(.seconds(5))),
            Look(health: .answers, calls: 1, action: .wait(.seconds(5))),
        ],
        // One that fails from the start is asked ever more rarely.
        [
            Look(health: .notAsked, calls: 0, action: .ask(thenWait: .seconds(0.75))),
            Look(health: down, calls: 1, action: .ask(thenWait: .seconds(1.5))),
            Look(health: down, calls: 2, action: .ask(thenWait: .seconds(3))),
            Look(health: .answers, calls: 3, action: .wait(.seconds(5))),
        ],
        // One that fails under its clients is left to them, until they have gone.
        [
            Look(health: .answers, calls: 9, action: .wait(.seconds(5))),
            Look(health: down, calls: 12, action: .wait(.seconds(0.75))),
            Look(health: down, calls: 15, action: .wait(.seconds(1.5))),
            Look(health: down, calls: 15, action: .ask(thenWait: .seconds(1.5))),
            Look(health: down, calls: 18, action: .wait(.seconds(3))),
        ],
        // After it has answered, the pauses begin anew.
        [
            Look(health: down, calls: 1, action: .wait(.seconds(0.75))),
            Look(health: down, calls: 1, action: .ask(thenWait: .seconds(1.5))),
            Look(health: .answers, calls: 2, action: .wait(.seconds(5))),
            Look(health: down, calls: 3, action: .wait(.seconds(0.75))),
        ],
    ])
    func eachLookSaysWhetherToAsk(looks: [Look]) {
        var watch = UpstreamWatch()
        for look in looks {
            #expect(watch.looked(at: look.health, calls: look.calls, roll: 0.5) == look.action)
        }
    }

    @Test func pausesAreJitteredAndNeverLongerThanAMinute() {
        var dice = SeededGenerator(seed: 7)
        var watch = UpstreamWatch()
        for calls in 0..<2000 {
            let action = watch.looked(
                at: calls == 0 ? .notAsked : Self.down, calls: calls, roll: .random(in: 0..<1, using: &dice))
            guard case .ask(let pause) = action else {
                Issue.record("\(action)")
                return
            }
            let ceiling = min(UpstreamWatch.longestPause, UpstreamWatch.firstPause * (1 << min(calls, 10)))
            #expect(pause >= ceiling / 2 && pause <= ceiling)
        }
    }

    /// Dice of 0.5: a pause is three quarters of its ceiling.
    @Test func theShellAsksOnceAndAgainWhileItFails() async throws {
        let harness = try Harness(things: { _ throws(TransportError) in throw .unreachable })
        let upstreams = harness.repository.upstreams
        let watch = Task { await upstreams.watch() }
        await harness.clock.waitForSleepers(2)
        #expect(harness.things.targets == ["/api/"])
        #expect(harness.pictures.targets == ["/p/"])
        #expect(
            harness.repository.health.map(\.text) == [
                "answers", "fails (once): UNAVAILABLE: upstream 'things' cannot be reached",
            ])
        harness.clock.advance(by: .milliseconds(750))
        await harness.clock.waitForSleepers(2)
        #expect(harness.things.requests.count == 2)
        harness.things.answer { _ in .json("{}", status: 404) }
        harness.clock.advance(by: .milliseconds(1500))
        await harness.clock.waitForSleepers(2)
        #expect(harness.repository.health.map(\.state) == [.answers, .answers])
        harness.clock.advance(by: .seconds(3600))
        await harness.clock.waitForSleepers(2)
        #expect(harness.things.requests.count == 3 && harness.pictures.requests.count == 1)
        let told = harness.log.all.compactMap { event in
            if case .probed(let health) = event { health.text } else { nil }
        }
        #expect(told == ["fails (once): UNAVAILABLE: upstream 'things' cannot be reached", "answers"])
        watch.cancel()
        await watch.value
        #expect(harness.clock.sleeperCount == 0)
    }

    @Test func whatAClientFoundOutIsNotAskedAgain() async throws {
        let harness = try Harness(things: { thingsPage($0, count: 3) })
        _ = try await harness.call(TestSchema.list, Request.page(1))
        let upstreams = harness.repository.upstreams
        let watch = Task { await upstreams.watch() }
        await harness.clock.waitForSleepers(2)
        #expect(harness.things.requests.count == 1)
        watch.cancel()
        await watch.value
    }

    @Test(arguments: [
        (200, true), (404, true), (302, true), (500, true), (502, false), (503, false), (504, false),
    ])
    func anyAnswerButThatOfAGatewayAloneCountsAsOne(status: Int, answers: Bool) async throws {
        let harness = try Harness(things: { _ in .json("", status: status) })
        let upstreams = harness.repository.upstreams
        let watch = Task { await upstreams.watch() }
        await harness.clock.waitForSleepers(2)
        #expect((harness.repository.health.last?.state == .answers) == answers)
        watch.cancel()
        await watch.value
    }

    @Test func aWatchThatIsCancelledWhileItAsksEndsAndSaysNothingOfTheUpstream() async throws {
        let gate = Gate()
        let harness = try Harness(things: { _ throws(TransportError) in
            try await gate.pass()
            throw .unreachable
        })
        let upstreams = harness.repository.upstreams
        let watch = Task { await upstreams.watch() }
        await gate.wait(arrivals: 1)
        watch.cancel()
        await watch.value
        #expect(harness.repository.health.last?.state == .notAsked)
        #expect(await harness.isAtRest())
    }
}
