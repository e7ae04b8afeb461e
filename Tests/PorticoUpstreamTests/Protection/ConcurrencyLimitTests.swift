import PorticoConfig
import PorticoUpstream
import Synchronization
import TestSupport
import Testing

@Suite struct ConcurrencyLimitTests {
    @Test func thoseBeyondTheLimitWaitAndThoseBeyondTheQueueAreRefused() throws {
        var limit = ConcurrencyLimit(limit: 1, queueLimit: 2)
        guard case .goes(let first) = limit.arrive(), case .waits(let second) = limit.arrive(),
            case .waits(let third) = limit.arrive()
        else {
            Issue.record("one goes, two wait")
            return
        }
        #expect(limit.arrive() == .refused)
        #expect(limit.leave(first) == .next(second))
        #expect(limit.leave(third) == .none)
        #expect(limit.leave(second) == .none)
        #expect(limit.leave(second) == .none)
        #expect(limit.runningCount == 0 && limit.waitingCount == 0)
    }

    @Test(arguments: 0..<5) func itAgreesWithANaiveModelOverRandomScripts(seed: UInt64) {
        var dice = SeededGenerator(seed: seed)
        var limit = ConcurrencyLimit(limit: 3, queueLimit: 4)
        var (running, queue): ([ConcurrencyLimit.Ticket], [ConcurrencyLimit.Ticket]) = ([], [])
        for _ in 0..<20_000 {
            if Bool.random(using: &dice) {
                switch limit.arrive() {
                case .goes(let ticket):
                    #expect(running.count < 3)
                    running.append(ticket)
                case .waits(let ticket):
                    #expect(running.count == 3 && queue.count < 4)
                    queue.append(ticket)
                case .refused: #expect(running.count == 3 && queue.count == 4)
                }
            } else if let ticket = (running + queue).randomElement(using: &dice) {
                let wasRunning = running.contains(ticket)
                running.removeAll { $0 == ticket }
                queue.removeAll { $0 == ticket }
                let next = wasRunning && !queue.isEmpty ? queue.removeFirst() : nil
                if let next { running.append(next) }
                #expect(limit.leave(ticket) == next.map { .next($0) } ?? .none)
            }
            #expect(limit.runningCount == running.count && limit.waitingCount == queue.count)
        }
    }
}

@Suite struct UpstreamGateTests {
    private func gate(limit: Int, queue: Int) -> UpstreamGate {
        var settings = Configuration.Upstream(baseURL: "http://things.example/")
        settings.concurrency.limit = limit
        settings.concurrency.queue = queue
        return UpstreamGate(settings, clock: ManualClock())
    }

    @Test func whoWaitsGoesWhenAnotherHasEnded() async throws {
        let gate = gate(limit: 1, queue: 1)
        let door = Gate()
        let first = Task {
            try await gate.pass(outcome: { (_: Int) in .succeeded }) { await door.through(1) }
        }
        await door.wait(arrivals: 1)
        let second = Task {
            try await gate.pass(outcome: { (_: Int) in .succeeded }) { await door.through(2) }
        }
        while gate.waiting < 1 { await Task.yield() }
        await #expect(throws: UpstreamGate.Refusal.overloaded(limit: 1)) {
            try await gate.pass(outcome: { (_: Int) in .succeeded }) { 3 }
        }
        door.open()
        #expect(try await first.value == 1)
        #expect(try await second.value == 2)
        #expect(gate.running == 0 && gate.waiting == 0)
    }

    @Test func whoIsCancelledLeavesTheQueue() async throws {
        let gate = gate(limit: 1, queue: 1)
        let door = Gate()
        let first = Task {
            try await gate.pass(outcome: { (_: Int) in .succeeded }) { await door.through(1) }
        }
        await door.wait(arrivals: 1)
        let second = Task { try await gate.pass(outcome: { (_: Int) in .succeeded }) { 2 } }
        while gate.waiting < 1 { await Task.yield() }
        second.cancel()
        await #expect(throws: UpstreamGate.Refusal.cancelled) { try await second.value }
        #expect(gate.waiting == 0)
        door.open()
        #expect(try await first.value == 1)
    }

    /// Hundreds come, and many of them leave at any moment: nobody is forgotten and no place is lost.
    @Test func noPlaceIsLostWhenManyLeave() async {
        let gate = gate(limit: 3, queue: 1000)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<400 {
                group.addTask {
                    let call = Task {
                        _ = try? await gate.pass(outcome: { (_: Int) in .succeeded }) {
                            await Task.yield()
                            return number
                        }
                    }
                    if number.isMultiple(of: 3) {
                        await Task.yield()
                        call.cancel()
                    }
                    await call.value
                }
            }
        }
        #expect(gate.running == 0 && gate.waiting == 0)
    }
}

extension Gate {
    /// Passes, and gives `number` on the other side.
    fileprivate func through(_ number: Int) async -> Int {
        try? await pass()
        return number
    }
}
