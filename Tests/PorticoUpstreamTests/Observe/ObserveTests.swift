import PorticoConfig
import PorticoSchema
import PorticoUpstream
import PorticoWire
import Testing

@Suite struct ObserveTests {
    private static func item(_ kind: String, status: Int = 200) -> HTTPResponse {
        status == 200
            ? .json(#"{"status":"success","data":{"name":"n","kind":"\#(kind)"}}"#)
            : .json("{}", status: status)
    }

    /// With the dice at one half, a refresh comes a twentieth late.
    private static let refresh = Duration.seconds(63)

    @Test func theCurrentAnswerComesAtOnceAndThenEachDifferentOne() async throws {
        let harness = try Harness { _ in Self.item("a") }
        let (ear, observation) = try harness.observe()
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
        let pairs = try (0..<200).map { _ in try harness.observe() }
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

    @Test(arguments: [(0.0, 60_000), (0.999, 65_994)])
    func aRefreshIsUpToATenthLate(dice: Double, milliseconds: Int) async throws {
        let harness = try Harness(dice: dice) { _ in Self.item("a") }
        let (ear, observation) = try harness.observe()
        _ = try await ear.next()
        await harness.pause()
        harness.clock.advance(by: .milliseconds(milliseconds - 1))
        await harness.pause()
        #expect(harness.things.requests.count == 1)
        harness.clock.advance(by: .milliseconds(1))
        while harness.things.requests.count < 2 { await Task.yield() }
        await harness.pause()
        observation.end()
    }

    @Test func whatIsMadeVoidWhileItIsAskedForIsAskedForAgain() async throws {
        let gate = Gate()
        let harness = try Harness { request throws(TransportError) in
            try await gate.pass()
            return thingsPage(request, count: 1)
        }
        let (ear, observation) = try harness.observe(TestSchema.group, [])
        await gate.wait(arrivals: 1)
        harness.repository.invalidate(TestSchema.list)
        harness.things.answer { thingsPage($0, count: 2) }
        gate.open()
        #expect(try await ear.next(as: TestSchema.groupsID).contains("i1"))
        #expect(try await ear.next(as: TestSchema.groupsID).contains("i2"))
        await harness.pause()
        #expect(harness.things.requests.count == 2)
        observation.end()
    }

    @Test func whoLeavesBeforeTheFirstAnswerEndsTheCall() async throws {
        let gate = Gate()
        let harness = try Harness { _ throws(TransportError) in
            try await gate.pass()
            return Self.item("a")
        }
        let (_, observation) = try harness.observe()
        await gate.wait(arrivals: 1)
        observation.end()
        observation.end()
        await gate.wait(arrivals: 1, departures: 1)
        #expect(await harness.isAtRest())
    }

    @Test func aFailureBeforeTheFirstAnswerIsTheEnd() async throws {
        let harness = try Harness { _ in Self.item("a", status: 404) }
        let (ear, _) = try harness.observe()
        #expect(try await ear.next() == "NOT_FOUND: Please check your internet connection and try again.")
        #expect(harness.repository.observed == (0, 0, 0))
        #expect(await harness.isAtRest())
    }

    @Test func aLaterFailureMakesTheSameAnswerStaleUntilTheUpstreamIsBack() async throws {
        let harness = try Harness(configure: { $0.upstreams["things"]?.retry.attempts = 1 }) { _ in
            Self.item("a")
        }
        let (ear, observation) = try harness.observe()
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
        let (ear, observation) = try harness.observe()
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
        let (ear, observation) = try harness.observe()
        #expect(try await ear.next() == #"stale {"name":"n","kind":"a"}"#)
        #expect(try await ear.next() == #"miss {"name":"n","kind":"b"}"#)
        observation.end()
        #expect(await harness.isAtRest())
    }

    @Test func observersOfWhatAWriteMakesVoidAreToldAtOnce() async throws {
        let harness = try Harness { request in
            request.method == .put ? .json(#"{"name":"n"}"#) : thingsPage(request, count: 1)
        }
        let (list, one) = try harness.observe(TestSchema.list, [])
        let (groups, two) = try harness.observe(TestSchema.group, [])
        let (item, three) = try harness.observe()
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

    @Test func whatIsObservedIsBoundedInBytes() async throws {
        let large = String(repeating: "a", count: 600_000)
        let harness = try Harness(configure: { $0.cache.maxBytes = 0 }) { _ in Self.item(large) }
        let (ears, observations) = try await observeMany(harness, ["1", "2"])
        #expect(
            throws: CallError(.resourceExhausted, "all that is observed has \(1 << 20) bytes together")
        ) { try harness.observe(TestSchema.item, Request.text(1, "3")) }
        // Another observer of the same request takes no room; one that leaves gives room.
        let (_, more) = try await observeMany(harness, ["1"])
        more[0].end()
        #expect(ears[0].heard == 1)
        observations[0].end()
        let (_, later) = try await observeMany(harness, ["3"])
        for observation in [observations[1], later[0]] { observation.end() }
        #expect(harness.repository.observedBytes == 0)
        #expect(await harness.isAtRest())
    }

    /// Each has its first answer.
    private func observeMany(_ harness: Harness, _ ids: [String]) async throws -> ([Ear], [Observation]) {
        let pairs = try ids.map { try harness.observe(TestSchema.item, Request.text(1, $0)) }
        for (ear, _) in pairs { _ = try await ear.next() }
        return (pairs.map(\.0), pairs.map(\.1))
    }

    @Test func whatCannotBeObservedIsRefused() throws {
        let harness = try Harness { _ in Self.item("a") }
        for (method, request) in [
            (TestSchema.picture, []), (TestSchema.about, []), (TestSchema.item, [0x0a, 0x7f]),
        ] as [(MethodID, [UInt8])] {
            #expect(throws: CallError.self) { try harness.observe(method, request) }
        }
        #expect(harness.repository.observed == (0, 0, 0))
    }
}
