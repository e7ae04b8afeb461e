import PorticoConfig
import PorticoSchema
import PorticoTranscode
import PorticoUpstream
import PorticoWire
import Testing

@Suite struct RepositoryTests {
    @Test func anAnswerIsFetchedOnceAndThenAtHand() async throws {
        let harness = try Harness { thingsPage($0, count: 3) }
        #expect(harness.cached(TestSchema.list) == nil)
        let first = try await harness.call(TestSchema.list)
        #expect(first.origin == .miss)
        #expect(try first.fields(TestSchema.pageID).integer("count") == 3)
        harness.clock.advance(by: .seconds(59))
        let second = try #require(harness.cached(TestSchema.list))
        #expect(second.origin == .hit)
        #expect(second.age == .seconds(59))
        #expect(second.message == first.message)
        #expect(harness.things.targets == ["/api/items/?page=1"])
    }

    @Test func equalRequestsAreOneHoweverTheyAreWritten() async throws {
        let harness = try Harness { thingsPage($0, count: 3) }
        _ = try await harness.call(TestSchema.list, Request.page(1))
        // Page unset, page 0, page 1 twice, with an unknown field.
        for request in [[], [8, 0], [8, 2, 8, 1], [8, 1, 0x7a, 1, 0]] as [[UInt8]] {
            #expect(harness.cached(TestSchema.list, request)?.origin == .hit)
        }
        #expect(harness.cached(TestSchema.list, Request.page(2)) == nil)
        #expect(harness.cached(TestSchema.list, [0xff]) == nil)
    }

    @Test func aStaleAnswerIsGivenAtOnceAndRefreshedBehindOnce() async throws {
        let harness = try Harness { thingsPage($0, count: 3) }
        _ = try await harness.call(TestSchema.list)
        harness.clock.advance(by: .seconds(61))
        let gate = Gate()
        harness.things.answer { request throws(TransportError) in
            try await gate.pass()
            return thingsPage(request, count: 4)
        }
        for _ in 0..<5 {
            let stale = try #require(harness.cached(TestSchema.list))
            #expect(stale.origin == .stale)
            #expect(stale.age == .seconds(61))
        }
        await gate.wait(arrivals: 1)
        gate.open()
        await harness.settle()
        let refreshed = try #require(harness.cached(TestSchema.list))
        #expect(refreshed.origin == .hit)
        #expect(try refreshed.fields(TestSchema.pageID).integer("count") == 4)
        #expect(harness.things.requests.count == 2)
    }

    @Test func aFailingUpstreamLeavesTheLastGoodAnswerForItsStaleTime() async throws {
        let harness = try Harness(configure: { $0.upstreams["things"]?.retry.attempts = 1 }) {
            thingsPage($0, count: 3)
        }
        _ = try await harness.call(TestSchema.list)
        harness.things.answer { _ throws(TransportError) in throw .unreachable }
        harness.clock.advance(by: .seconds(659))
        let stale = try await harness.call(TestSchema.list)
        #expect(stale.origin == .stale)
        #expect(stale.age == .seconds(659))
        await harness.settle()
        #expect(harness.log.all.contains { if case .refreshFailed = $0 { true } else { false } })
        harness.clock.advance(by: .seconds(1))
        #expect(harness.cached(TestSchema.list) == nil)
        await #expect(throws: CallError(.unavailable, "upstream 'things' cannot be reached")) {
            try await harness.call(TestSchema.list)
        }
    }

    @Test func aFailureIsToldToAllAndKeptForNone() async throws {
        let gate = Gate()
        let harness = try Harness(configure: { $0.upstreams["things"]?.retry.attempts = 1 }) {
            _ throws(TransportError) in
            try await gate.pass()
            throw .unreachable
        }
        let calls = (0..<3).map { _ in Task { try await harness.call(TestSchema.list) } }
        await gate.wait(arrivals: 1)
        while harness.repository.inFlight.waiters < 3 { await Task.yield() }
        gate.open()
        for call in calls { await #expect(throws: CallError.self) { try await call.value } }
        #expect(harness.things.requests.count == 1)
        harness.things.answer { thingsPage($0, count: 3) }
        #expect(try await harness.call(TestSchema.list).origin == .miss)
    }

    @Test func aCallGoesOnWhileOneWaiterIsLeft() async throws {
        let gate = Gate()
        let harness = try Harness { request throws(TransportError) in
            try await gate.pass()
            return thingsPage(request, count: 3)
        }
        let first = Task { try await harness.call(TestSchema.list) }
        await gate.wait(arrivals: 1)
        let second = Task { try await harness.call(TestSchema.list) }
        while harness.repository.inFlight.waiters < 2 { await Task.yield() }
        first.cancel()
        await #expect(throws: CallError(.cancelled, "the call was cancelled")) { try await first.value }
        gate.open()
        #expect(try await second.value.origin == .miss)
        #expect(harness.things.requests.count == 1)
    }

    @Test func aCallEndsWhenItsLastWaiterLeaves() async throws {
        let gate = Gate()
        let harness = try Harness { request throws(TransportError) in
            try await gate.pass()
            return thingsPage(request, count: 3)
        }
        let only = Task { try await harness.call(TestSchema.list) }
        await gate.wait(arrivals: 1)
        only.cancel()
        await gate.wait(arrivals: 1, departures: 1)
        await #expect(throws: CallError(.cancelled, "the call was cancelled")) { try await only.value }
        #expect(harness.repository.inFlight == (0, 0, 0))
    }

    @Test func eachWaiterHasItsOwnDeadline() async throws {
        let gate = Gate()
        let harness = try Harness { request throws(TransportError) in
            try await gate.pass()
            return thingsPage(request, count: 3)
        }
        let patient = Task { try await harness.call(TestSchema.list, timeout: .seconds(20)) }
        await gate.wait(arrivals: 1)
        let hasty = Task { try await harness.call(TestSchema.list, timeout: .seconds(2)) }
        await harness.clock.waitForSleepers(2)
        harness.clock.advance(by: .seconds(2))
        await #expect(
            throws: CallError(
                .deadlineExceeded, "upstream 'things' did not answer within the call's deadline")
        ) { try await hasty.value }
        gate.open()
        #expect(try await patient.value.origin == .miss)
    }

    @Test func theLastDeadlineEndsTheUpstreamCall() async throws {
        let gate = Gate()
        let harness = try Harness { request throws(TransportError) in
            try await gate.pass()
            return thingsPage(request, count: 3)
        }
        let call = Task { try await harness.call(TestSchema.list, timeout: .seconds(2)) }
        await gate.wait(arrivals: 1)
        await harness.clock.waitForSleepers(1)
        harness.clock.advance(by: .seconds(2))
        await gate.wait(arrivals: 1, departures: 1)
        await #expect(throws: CallError.self) { try await call.value }
    }

    @Test func aFailedReadIsTriedAgainAfterAPause() async throws {
        let harness = try Harness { _ in .json("{}", status: 503, fields: [HTTPField("Retry-After", "7")]) }
        let call = Task { try await harness.call(TestSchema.list) }
        await harness.clock.waitForSleepers(2)
        harness.things.answer { thingsPage($0, count: 3) }
        harness.clock.advance(by: .seconds(6))
        #expect(harness.things.requests.count == 1)
        harness.clock.advance(by: .seconds(1))
        #expect(try await call.value.origin == .miss)
        #expect(harness.things.requests.count == 2)
    }

    @Test func noPauseReachesPastTheDeadline() async throws {
        let harness = try Harness { _ in .json("{}", status: 503, fields: [HTTPField("Retry-After", "7")]) }
        await #expect(throws: CallError(.unavailable, "upstream 'things' answered 503")) {
            try await harness.call(TestSchema.list, timeout: .seconds(6))
        }
        #expect(harness.things.requests.count == 1)
    }

    @Test func aWriteIsMadeOnceUnlessItHasAnIdempotencyKey() async throws {
        let harness = try Harness { _ throws(TransportError) in throw .unreachable }
        await #expect(throws: CallError.self) {
            try await harness.call(TestSchema.create, Request.text(1, "7"))
        }
        #expect(harness.things.requests.count == 1)
        harness.things.answer { request throws(TransportError) in
            guard request.fields.contains(HTTPField("Idempotency-Key", "k")) else { throw .unreachable }
            return .json("{}", status: 503)
        }
        let call = Task {
            try await harness.call(TestSchema.create, Request.text(1, "7"), idempotencyKey: "k")
        }
        await harness.clock.waitForSleepers(3)
        harness.things.answer { _ in .json(#"{"name":"x"}"#) }
        harness.clock.advance(by: .seconds(1))
        #expect(try await call.value.origin == .miss)
        #expect(harness.things.requests.map(\.method) == [.post, .post, .post])
        #expect(harness.cached(TestSchema.create, Request.text(1, "7")) == nil)
    }

    @Test func itemsThatDoNotFitAreLeftOutAndCounted() async throws {
        let harness = try Harness { _ in .json(#"{"results":[{"name":"x"},{"kind":"a"},{"name":"y"}]}"#) }
        let answer = try await harness.call(TestSchema.list)
        #expect(answer.skippedItems == 1)
        #expect(try answer.json(TestSchema.pageID) == #"{"items":[{"name":"x"},{"name":"y"}]}"#)
        #expect(harness.cached(TestSchema.list)?.skippedItems == 1)
    }

    @Test func strictMethodsFailInstead() async throws {
        let harness = try Harness(configure: { $0.decode.methods["test.v1.Things/List"] = .strict }) { _ in
            .json(#"{"results":[{"name":"x"},{"kind":"a"}]}"#)
        }
        let error = await #expect(throws: CallError.self) { try await harness.call(TestSchema.list) }
        #expect(error?.code == .internal)
        #expect(error?.message.contains("upstream 'things'") == true)
        #expect(error?.message.contains("results[1]") == true)
    }

    @Test func anInvalidationReachesFetchesThatHadBegun() async throws {
        let gate = Gate()
        let harness = try Harness { request throws(TransportError) in
            try await gate.pass()
            return thingsPage(request, count: 3)
        }
        let call = Task { try await harness.call(TestSchema.list) }
        await gate.wait(arrivals: 1)
        harness.repository.invalidate(TestSchema.list)
        gate.open()
        #expect(try await call.value.origin == .miss)
        #expect(harness.cached(TestSchema.list) == nil)
    }

    /// Neither an answer, nor a call in flight, nor what is derived from either.
    @Test func noTwoIdentitiesShareAnything() async throws {
        let gate = Gate()
        let harness = try Harness { request throws(TransportError) in
            try await gate.pass()
            return thingsPage(request, count: 3)
        }
        let identities = [Identity.everyone, Identity(digest: [1]), Identity(digest: [2])]
        let calls = identities.map { identity in
            Task { try await harness.call(TestSchema.group, identity: identity) }
        }
        await gate.wait(arrivals: 3)
        gate.open()
        for call in calls { #expect(try await call.value.origin == .miss) }
        for identity in identities {
            #expect(try await harness.call(TestSchema.list, identity: identity).origin == .hit)
        }
        #expect(harness.things.requests.count == 3)
    }

    @Test func anEnvironmentWithoutAnUpstreamIsAFault() {
        var configuration = Configuration(environment: "Test")
        configuration.upstreams["pictures"] = .init(baseURL: "https://pictures.example/p/")
        #expect(throws: SetupFault.unknownUpstream("things", route: "test.v1.Things/List")) {
            try Repository(schema: TestSchema.schema, configuration: configuration)
        }
        configuration.upstreams["things"] = .init(baseURL: "sandbox:things/")
        #expect(throws: SetupFault.badBaseURL(upstream: "things")) {
            try Repository(schema: TestSchema.schema, configuration: configuration)
        }
    }
}
