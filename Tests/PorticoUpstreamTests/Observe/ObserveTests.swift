import PorticoConfig
import PorticoSchema
import PorticoUpstream
import PorticoWire
import Synchronization
import Testing

/// What one observer was told, in order.
private final class Ear: Sendable {
    private let stream: AsyncStream<Observed>
    private let continuation: AsyncStream<Observed>.Continuation
    private let count = Atomic(0)
    var heard: Int { count.load(ordering: .relaxed) }

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func hear(_ observed: Observed) {
        count.add(1, ordering: .relaxed)
        continuation.yield(observed)
    }

    /// The next one: JSON and origin, or the error.
    func next(as message: MessageID = TestSchema.itemID) async throws -> String {
        var iterator = stream.makeAsyncIterator()
        switch await iterator.next() {
        case .answer(let observed)?:
            let answer = observed.answer(at: observed.fetchedAt)
            return "\(observed.origin) \(try answer.json(message))"
        case .failed(let error)?: return error.text
        case nil: return "end"
        }
    }
}

@Suite struct ObserveTests {
    private static func item(_ kind: String, status: Int = 200) -> HTTPResponse {
        status == 200
            ? .json(#"{"status":"success","data":{"name":"n","kind":"\#(kind)"}}"#)
            : .json("{}", status: status)
    }

    private func observe(
        _ harness: Harness, _ method: MethodID = TestSchema.item, _ request: [UInt8] = Request.text(1, "7")
    ) throws -> (Ear, Observation) {
        let ear = Ear()
        let observation = try harness.repository.observe(
            Call(method: method, request: request, deadline: harness.clock.now)
        ) { ear.hear($0) }
        return (ear, observation)
    }

    private static let fresh = Duration.seconds(60)
    /// With the dice at one half, a refresh comes a twentieth late.
    private static let refresh = Duration.seconds(63)

    @Test func theCurrentAnswerComesAtOnceAndThenEachDifferentOne() async throws {
        let harness = try Harness { _ in Self.item("a") }
        let (ear, observation) = try observe(harness)
        #expect(try await ear.next() == #"miss {"name":"n","kind":"a"}"#)
        await harness.pause()
        harness.clock.advance(by: Self.refresh)
        await harness.pause()
        harness.things.answer { _ in Self.item("b") }
        harness.clock.advance(by: Self.refresh)
        #expect(try await ear.next() == #"miss {"name":"n","kind":"b"}"#)
        #expect(harness.things.requests.count == 3 && ear.heard == 2)
        observation.end()
        #expect(await harness.isAtRest())
    }

    @Test func anyNumberOfObserversCostOneCallForEachRefresh() async throws {
        let harness = try Harness { _ in Self.item("a") }
        let pairs = try (0..<200).map { _ in try observe(harness) }
        for (ear, _) in pairs { #expect(try await ear.next().hasSuffix(#"{"name":"n","kind":"a"}"#)) }
        #expect(harness.things.requests.count == 1 && harness.repository.observed.observers == 200)
        harness.things.answer { _ in Self.item("b") }
        await harness.pause()
        harness.clock.advance(by: Self.refresh)
        for (ear, _) in pairs { #expect(try await ear.next() == #"miss {"name":"n","kind":"b"}"#) }
        #expect(harness.things.requests.count == 2)
        for (_, observation) in pairs { observation.end() }
        #expect(harness.repository.observed == (0, 0, 0))
        #expect(await harness.isAtRest())
        harness.clock.advance(by: .seconds(3600))
        #expect(await harness.isAtRest())
        #expect(harness.things.requests.count == 2)
    }

    @Test func whoLeavesBeforeTheFirstAnswerEndsTheCall() async throws {
        let gate = Gate()
        let harness = try Harness { _ throws(TransportError) in
            try await gate.pass()
            return Self.item("a")
        }
        let (_, observation) = try observe(harness)
        await gate.wait(arrivals: 1)
        observation.end()
        observation.end()
        await gate.wait(arrivals: 1, departures: 1)
        #expect(await harness.isAtRest())
    }

    @Test func aFailureBeforeTheFirstAnswerIsTheEnd() async throws {
        let harness = try Harness { _ in Self.item("a", status: 404) }
        let (ear, _) = try observe(harness)
        #expect(try await ear.next() == "NOT_FOUND: Please check your internet connection and try again.")
        #expect(harness.repository.observed == (0, 0, 0))
        #expect(await harness.isAtRest())
    }

    @Test func aLaterFailureMakesTheSameAnswerStaleUntilTheUpstreamIsBack() async throws {
        let harness = try Harness(configure: { $0.upstreams["things"]?.retry.attempts = 1 }) { _ in
            Self.item("a")
        }
        let (ear, observation) = try observe(harness)
        _ = try await ear.next()
        harness.things.answer { _ in Self.item("", status: 503) }
        await harness.pause()
        harness.clock.advance(by: Self.refresh)
        #expect(try await ear.next() == #"stale {"name":"n","kind":"a"}"#)
        let before = harness.things.requests.count
        harness.things.answer { _ in Self.item("a") }
        await harness.pause()
        harness.clock.advance(by: .seconds(5))
        #expect(try await ear.next() == #"miss {"name":"n","kind":"a"}"#)
        #expect(harness.things.requests.count == before + 1)
        observation.end()
        #expect(await harness.isAtRest())
    }

    @Test func anOpenBreakerIsNotCalledForObservers() async throws {
        let harness = try Harness(configure: {
            $0.upstreams["things"]?.retry.attempts = 1
            $0.upstreams["things"]?.breaker.minimumCalls = 1
            $0.upstreams["things"]?.breaker.openFor = .seconds(3600)
        }) { _ in Self.item("a") }
        let (ear, observation) = try observe(harness)
        _ = try await ear.next()
        harness.things.answer { _ in Self.item("", status: 503) }
        for _ in 0..<10 {
            await harness.pause()
            harness.clock.advance(by: Self.refresh)
        }
        await harness.pause()
        #expect(harness.things.requests.count == 2)
        #expect(try await ear.next().hasPrefix("stale "))
        observation.end()
        #expect(await harness.isAtRest())
    }

    @Test func aKeptAnswerComesFirstAndIsRefreshedWhenItIsStale() async throws {
        let harness = try Harness { _ in Self.item("a") }
        _ = try await harness.call(TestSchema.item, Request.text(1, "7"))
        harness.clock.advance(by: .seconds(100))
        harness.things.answer { _ in Self.item("b") }
        let (ear, observation) = try observe(harness)
        #expect(try await ear.next() == #"stale {"name":"n","kind":"a"}"#)
        #expect(try await ear.next() == #"miss {"name":"n","kind":"b"}"#)
        observation.end()
        #expect(await harness.isAtRest())
    }

    @Test func observersOfWhatAWriteMakesVoidAreToldAtOnce() async throws {
        let harness = try Harness { request in
            request.method == .put ? .json(#"{"name":"n"}"#) : thingsPage(request, count: 1)
        }
        let (list, one) = try observe(harness, TestSchema.list, [])
        let (groups, two) = try observe(harness, TestSchema.group, [])
        let (item, three) = try observe(harness)
        #expect(try await list.next(as: TestSchema.pageID).contains("i1"))
        #expect(try await groups.next(as: TestSchema.groupsID).contains("i1"))
        _ = try await item.next()
        harness.things.answer { request in
            request.method == .put ? .json(#"{"name":"n"}"#) : thingsPage(request, count: 2)
        }
        var writer = ProtobufWriter()
        writer.bytesField(1, Request.text(1, "n"))
        _ = try await harness.call(TestSchema.save, writer.bytes)
        #expect(try await list.next(as: TestSchema.pageID).contains("i2"))
        #expect(try await groups.next(as: TestSchema.groupsID).contains("i2"))
        #expect(item.heard == 1)
        for observation in [one, two, three] { observation.end() }
        #expect(await harness.isAtRest())
    }

    @Test func equalContentHasOneCursorWhateverTheOrderOfItsFields() async throws {
        var cursors: [[UInt8]] = []
        for json in [
            #"{"status":"success","data":{"name":"n","kind":"a"}}"#,
            #"{"data":{"kind":"a","photo":"","name":"n"},"status":"success"}"#,
        ] {
            let harness = try Harness { _ in .json(json) }
            let told = AsyncStream<ObservedAnswer>.makeStream()
            let call = Call(
                method: TestSchema.item, request: Request.text(1, "7"), deadline: harness.clock.now)
            let observation = try harness.repository.observe(call) { observed in
                if case .answer(let answer) = observed { told.continuation.yield(answer) }
            }
            var iterator = told.stream.makeAsyncIterator()
            cursors.append(try #require(await iterator.next()).cursor)
            observation.end()
        }
        #expect(cursors[0] == cursors[1] && cursors[0].count == ObservedAnswer.cursorBytes)
    }

    @Test func whatCannotBeObservedIsRefused() throws {
        let harness = try Harness { _ in Self.item("a") }
        for (method, request) in [
            (TestSchema.picture, []), (TestSchema.about, []), (TestSchema.item, [0x0a, 0x7f]),
        ] as [(MethodID, [UInt8])] {
            #expect(throws: CallError.self) { try observe(harness, method, request) }
        }
        #expect(harness.repository.observed == (0, 0, 0))
    }
}

extension Harness {
    /// Returns when all that is observed waits for its next refresh, and nothing else sleeps.
    fileprivate func pause() async {
        while true {
            let observed = repository.observed
            if observed.subjects > 0, observed.pausing == observed.subjects,
                clock.sleeperCount == observed.pausing
            {
                return
            }
            await Task.yield()
        }
    }
}
