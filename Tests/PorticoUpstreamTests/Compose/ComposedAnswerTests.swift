import PorticoConfig
import PorticoSchema
import PorticoUpstream
import PorticoWire
import Testing

/// Composed methods through the whole repository.
@Suite struct ComposedAnswerTests {
    private static let request = Request.text(2, "7")
    private static let bothAreWell = """
        {"groups":{"groups":[{"kind":"b","count":1,"items":[{"name":"i1","kind":"b"}]}]},\
        "sources":[{"name":"item","ok":true},{"name":"groups","ok":true}],"item":{"name":"n"}}
        """

    private static func upstream(_ request: HTTPRequest) -> HTTPResponse {
        request.url.path.contains("items/")
            ? thingsPage(request, count: 1) : .json(#"{"status":"success","data":{"name":"n"}}"#)
    }

    private static func harness() throws -> Harness {
        try Harness(configure: { $0.upstreams["things"]?.retry.attempts = 1 }) { upstream($0) }
    }

    /// From now on what is asked below this path fails.
    private static func fail(_ paths: String..., in harness: Harness) {
        harness.things.answer { request throws(TransportError) in
            if paths.contains(where: { request.url.path.contains($0) }) { throw .unreachable }
            return upstream(request)
        }
    }

    @Test func allPartsComeInOneAnswerEachWithItsStatus() async throws {
        let harness = try Self.harness()
        let answer = try await harness.call(TestSchema.home, Self.request)
        #expect(try answer.json(TestSchema.homeID) == Self.bothAreWell)
        #expect(answer.origin == .miss)
        #expect(harness.things.targets.sorted() == ["/api/item/7", "/api/items/?page=1"])
    }

    @Test func partsShareTheAnswersOfTheirMethods() async throws {
        let harness = try Self.harness()
        _ = try await harness.call(TestSchema.group)
        _ = try await harness.call(TestSchema.item, Request.text(1, "7"))
        harness.clock.advance(by: .seconds(20))
        let answer = try #require(harness.cached(TestSchema.home, Self.request))
        #expect(answer.origin == .hit && answer.age == .seconds(20))
        #expect(answer.holdsUntil == harness.clock.now + .seconds(40))
        #expect(try answer.json(TestSchema.homeID) == Self.bothAreWell)
        #expect(harness.things.requests.count == 2)
        // Another item is not at hand.
        #expect(harness.cached(TestSchema.home, Request.text(2, "8")) == nil)
    }

    @Test func aPartThatFailsIsAbsentAndSaysWhy() async throws {
        let harness = try Self.harness()
        Self.fail("item/", in: harness)
        let answer = try await harness.call(TestSchema.home, Self.request)
        let json = try answer.json(TestSchema.homeID)
        let down = "Please check your internet connection and try again."
        #expect(json.contains(#"{"name":"item","code":"UNAVAILABLE","message":"\#(down)"}"#), "\(json)")
        #expect(json.contains(#"{"name":"groups","ok":true}"#) && !json.contains(#""item":{"#))
        // It is asked again as soon as somebody wants it.
        #expect(harness.cached(TestSchema.home, Self.request) == nil)
        harness.things.answer { Self.upstream($0) }
        #expect(
            try await harness.call(TestSchema.home, Self.request).json(TestSchema.homeID) == Self.bothAreWell)
    }

    @Test func aRequestThatOnePartCannotTakeIsThatPartsFault() async throws {
        let harness = try Self.harness()
        let json = try await harness.call(TestSchema.home).json(TestSchema.homeID)
        #expect(json.contains(#""code":"INVALID_ARGUMENT","message":"the field 'id' is needed""#), "\(json)")
    }

    @Test func aRequiredPartThatFailsIsNamed() async throws {
        let harness = try Self.harness()
        Self.fail("item/", in: harness)
        let down = "Please check your internet connection and try again."
        await #expect(
            throws: CallError(
                .unavailable, "test.v1.Things/StrictHome cannot do without its part \"item\": \(down)")
        ) { try await harness.call(TestSchema.strictHome, Self.request) }
        Self.fail("items/", in: harness)
        #expect(
            try await harness.call(TestSchema.strictHome, Self.request).json(TestSchema.homeID)
                .contains(#""item":{"name":"n"}"#))
    }

    @Test func withoutAnyPartTheCallFailsWithAllReasons() async throws {
        let harness = try Self.harness()
        Self.fail("item", in: harness)
        await #expect(
            throws: CallError(
                .unavailable,
                "test.v1.Things/Home has none of its parts: item: Please check your internet connection and try "
                    + "again.; groups: upstream 'things' cannot be reached")
        ) { try await harness.call(TestSchema.home, Self.request) }
    }

    @Test func aStalePartMakesTheWholeStaleAndTellsItsAge() async throws {
        let harness = try Self.harness()
        _ = try await harness.call(TestSchema.item, Request.text(1, "7"))
        harness.clock.advance(by: .seconds(50))
        _ = try await harness.call(TestSchema.group)
        harness.clock.advance(by: .seconds(15))
        Self.fail("item/", in: harness)
        let answer = try #require(harness.cached(TestSchema.home, Self.request))
        #expect(answer.origin == .stale && answer.age == .seconds(65) && answer.holdsUntil == nil)
        let json = try answer.json(TestSchema.homeID)
        #expect(json.contains(#"{"name":"item","ok":true,"stale":true,"age_ms":"65000"}"#), "\(json)")
        #expect(json.contains(#"{"name":"groups","ok":true}"#))
        await harness.settle()
    }

    @Test func aPartThatTakesTooLongIsLeftOutInTime() async throws {
        let harness = try Self.harness()
        _ = try await harness.call(TestSchema.group)
        let gate = Gate()
        harness.things.answer { request throws(TransportError) in
            if request.url.path.contains("item/") { try await gate.pass() }
            return Self.upstream(request)
        }
        async let answering = harness.call(TestSchema.home, Self.request, timeout: .seconds(1))
        await gate.wait(arrivals: 1)
        harness.clock.advance(by: .milliseconds(900))
        let json = try await answering.json(TestSchema.homeID)
        #expect(json.contains(#""code":"DEADLINE_EXCEEDED""#) && json.contains(#""groups":{"#), "\(json)")
        #expect(await harness.isAtRest())
    }

    @Test func nobodyWaitingEndsTheCallsOfAllParts() async throws {
        let harness = try Self.harness()
        let gate = Gate()
        harness.things.answer { request throws(TransportError) in
            try await gate.pass()
            return Self.upstream(request)
        }
        let call = Task { try await harness.call(TestSchema.home, Self.request) }
        await gate.wait(arrivals: 2)
        call.cancel()
        await gate.wait(arrivals: 2, departures: 2)
        await #expect(throws: CallError.self) { try await call.value }
        #expect(await harness.isAtRest())
    }

    @Test func aPartThatTheCallerMayNotCallIsNotAsked() async throws {
        let harness = try Self.harness()
        let refusal = CallError(.unimplemented, "test.v1.Things/Item is switched off")
        let call = Call(
            method: TestSchema.home, request: Self.request, deadline: harness.clock.now + .seconds(9),
            refusals: [TestSchema.item: refusal])
        let json = try await harness.repository.answer(to: call).json(TestSchema.homeID)
        #expect(json.contains(#""code":"UNIMPLEMENTED","message":"\#(refusal.message)""#), "\(json)")
        #expect(harness.things.targets == ["/api/items/?page=1"])
    }
}
