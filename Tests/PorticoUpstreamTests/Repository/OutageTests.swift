import PorticoConfig
import PorticoUpstream
import PorticoWire
import Testing

/// What an upstream that is down is asked, and what callers are told meanwhile.
@Suite struct OutageTests {
    private static let down = CallError(.unavailable, "upstream 'things' cannot be reached")
    private static let leftAlone = CallError(
        .unavailable, "upstream 'things' keeps failing and is left alone for a while")

    private func harness(_ configure: (inout Configuration.Upstream) -> Void) throws -> Harness {
        try Harness(
            dice: 0,
            configure: { configuration in
                var settings = configuration.upstreams["things"] ?? .init(baseURL: "")
                configure(&settings)
                configuration.upstreams["things"] = settings
            }
        ) { _ throws(TransportError) in throw .unreachable }
    }

    /// As many calls for different things, one after the other.
    private func fail(_ harness: Harness, calls: Int) async {
        for number in 0..<calls {
            _ = try? await harness.call(TestSchema.item, Request.text(1, "\(number)"))
        }
    }

    /// Without the breaker, so that the budget alone holds.
    @Test(arguments: [(1, 3), (9, 11), (10, 12), (20, 24), (50, 60), (1000, 1010)])
    func anOutageIsAmplifiedByAFifthAtMost(calls: Int, requests: Int) async throws {
        let harness = try harness { $0.breaker.failurePercent = 0 }
        await fail(harness, calls: calls)
        #expect(harness.things.requests.count == requests)
    }

    @Test func withTheBreakerAnOutageIsHardlyAskedAtAll() async throws {
        let harness = try harness { _ in }
        await fail(harness, calls: 1000)
        #expect(harness.things.requests.count == 20)
        #expect(harness.repository.statistics.upstreams.first { $0.name == "things" }?.breaker == .open)
    }

    @Test func anOpenBreakerFailsAtOnceAndOneCallProbes() async throws {
        let harness = try harness { $0.retry.attempts = 1 }
        await fail(harness, calls: 20)
        await #expect(throws: Self.leftAlone) { try await harness.call(TestSchema.list) }
        #expect(harness.things.requests.count == 20)
        harness.clock.advance(by: .seconds(5))
        await #expect(throws: Self.down) { try await harness.call(TestSchema.list) }
        await #expect(throws: Self.leftAlone) { try await harness.call(TestSchema.list) }
        #expect(harness.things.requests.count == 21)
        harness.things.answer { thingsPage($0, count: 3) }
        harness.clock.advance(by: .seconds(5))
        #expect(try await harness.call(TestSchema.list).origin == .miss)
        #expect(try await harness.call(TestSchema.list, Request.page(1)).origin == .hit)
        let states = harness.log.all.compactMap { event in
            if case .breakerChanged(_, let state) = event { state } else { nil }
        }
        #expect(states == [.open, .probing, .open, .probing, .closed])
    }

    @Test func anOpenBreakerLeavesTheStaleAnswer() async throws {
        let harness = try harness { $0.retry.attempts = 1 }
        harness.things.answer { thingsPage($0, count: 3) }
        _ = try await harness.call(TestSchema.list)
        harness.things.answer { _ throws(TransportError) in throw .unreachable }
        await fail(harness, calls: 20)
        harness.clock.advance(by: .seconds(61))
        // The probe, and then nothing more.
        await fail(harness, calls: 1)
        let asked = harness.things.requests.count
        #expect(try await harness.call(TestSchema.list).origin == .stale)
        await harness.settle()
        #expect(harness.things.requests.count == asked)
    }

    @Test func slowAnswersOpenItToo() async throws {
        let harness = try harness { $0.breaker.minimumCalls = 2 }
        let clock = harness.clock
        harness.things.answer { request in
            clock.advance(by: .seconds(4))
            return thingsPage(request, count: 30)
        }
        for page in 1...2 { _ = try await harness.call(TestSchema.list, Request.page(page)) }
        await #expect(throws: Self.leftAlone) { try await harness.call(TestSchema.list, Request.page(3)) }
    }

    /// Statuses that blame the caller do not blame the upstream.
    @Test(arguments: [400, 404, 429]) func refusalsDoNotOpenIt(status: Int) async throws {
        let harness = try harness { $0.retry.attempts = 1 }
        harness.things.answer { _ in .json("{}", status: status) }
        await fail(harness, calls: 100)
        #expect(harness.things.requests.count == 100)
    }

    @Test func callsBeyondTheQueueAreRefused() async throws {
        let gate = Gate()
        let harness = try harness {
            $0.concurrency.limit = 2
            $0.concurrency.queue = 3
        }
        harness.things.answer { request throws(TransportError) in
            try await gate.pass()
            return .json(#"{"status":"success","data":{"name":"x"}}"#)
        }
        let calls = (0..<5).map { number in
            Task { try await harness.call(TestSchema.item, Request.text(1, "\(number)")) }
        }
        await gate.wait(arrivals: 2)
        while harness.repository.statistics.upstreams.allSatisfy({ $0.waiting < 3 }) { await Task.yield() }
        await #expect(throws: CallError(.resourceExhausted, "upstream 'things' has 3 calls waiting already"))
        {
            try await harness.call(TestSchema.item, Request.text(1, "6"))
        }
        #expect(harness.things.requests.count == 2)
        gate.open()
        for call in calls { _ = try await call.value }
        #expect(harness.things.requests.count == 5)
        #expect(harness.calls(.overloaded) == 1 && harness.calls(.succeeded) == 5)
        #expect(await harness.isAtRest())
    }

    /// The deadline counts in the queue as well.
    @Test func whoWaitsTooLongLeavesTheQueueWithoutACall() async throws {
        let gate = Gate()
        let harness = try harness { $0.concurrency.limit = 1 }
        harness.things.answer { request throws(TransportError) in
            try await gate.pass()
            return .json(#"{"status":"success","data":{"name":"x"}}"#)
        }
        let first = Task { try await harness.call(TestSchema.item, Request.text(1, "1")) }
        await gate.wait(arrivals: 1)
        let second = Task {
            try await harness.call(TestSchema.item, Request.text(1, "2"), timeout: .seconds(2))
        }
        while harness.repository.statistics.upstreams.allSatisfy({ $0.waiting < 1 }) { await Task.yield() }
        await harness.clock.waitForSleepers(2)
        harness.clock.advance(by: .seconds(2))
        await #expect(throws: CallError.self) { try await second.value }
        gate.open()
        _ = try await first.value
        #expect(harness.things.requests.count == 1)
        #expect(await harness.isAtRest())
    }

    @Test func aLostConnectionIsReplacedOnceAtNoCharge() async throws {
        let harness = try harness { $0.retry.attempts = 1 }
        let log = harness.log
        harness.things.answer { request throws(TransportError) in
            guard !log.all.isEmpty else { throw .reusedConnectionClosed }
            return thingsPage(request, count: 30)
        }
        #expect(try await harness.call(TestSchema.list).origin == .miss)
        #expect(harness.things.requests.count == 2)
        harness.things.answer { _ throws(TransportError) in throw .reusedConnectionClosed }
        await #expect(throws: CallError(.unavailable, "upstream 'things' closed its connection")) {
            try await harness.call(TestSchema.list, Request.page(2))
        }
        #expect(harness.things.requests.count == 4)
    }
}
