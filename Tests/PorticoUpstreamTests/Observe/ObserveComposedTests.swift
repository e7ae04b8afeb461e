import PorticoConfig
import PorticoSchema
import PorticoUpstream
import PorticoWire
import Testing

/// Composed methods, observed: each part is asked for as often as its own freshness says, and the whole is told when
/// something of it differs.
@Suite struct ObserveComposedTests {
    private static let request = Request.text(2, "7")
    /// With the dice at one half, what is fresh for a minute is refreshed a twentieth late.
    private static let refresh = Duration.seconds(63)

    private static func upstream(_ request: HTTPRequest, kind: String = "", count: Int = 1) -> HTTPResponse {
        request.url.path.contains("items/")
            ? thingsPage(request, count: count)
            : .json(#"{"status":"success","data":{"name":"n","kind":"\#(kind)"}}"#)
    }

    private static func harness(_ configure: (inout Configuration) -> Void = { _ in }) throws -> Harness {
        try Harness(configure: {
            $0.upstreams["things"]?.retry.attempts = 1
            configure(&$0)
        }) { upstream($0) }
    }

    /// From now on the item fails, with this text.
    private static func failItem(_ harness: Harness, _ text: String = "down") {
        harness.things.answer { request in
            request.url.path.contains("items/")
                ? upstream(request) : .json(#"{"message":"\#(text)"}"#, status: 503)
        }
    }

    private static func asked(_ part: String, _ harness: Harness) -> Int {
        harness.things.targets.filter { $0.hasPrefix("/api/\(part)") }.count
    }

    private static func observe(
        _ harness: Harness, _ method: MethodID = TestSchema.home
    ) throws -> (Ear, Observation) { try harness.observe(method, request) }

    @Test func aPartThatDiffersIsToldWithTheOthersBesideIt() async throws {
        let harness = try Self.harness()
        let (ear, observation) = try Self.observe(harness)
        let first = try await ear.next(as: TestSchema.homeID)
        #expect(first.hasPrefix(#"miss {"groups":"#) && first.contains(#""item":{"name":"n"}"#))
        await harness.pause()
        harness.clock.advance(by: Self.refresh)
        await harness.pause()
        harness.things.answer { Self.upstream($0, kind: "b") }
        harness.clock.advance(by: Self.refresh)
        let second = try await ear.next(as: TestSchema.homeID)
        #expect(second.contains(#""item":{"name":"n","kind":"b"}"#) && second.contains("i1"))
        #expect(ear.heard == 2)
        #expect(Self.asked("item/", harness) == 3 && Self.asked("items/", harness) == 3)
        observation.end()
        #expect(await harness.isAtRest())
        harness.clock.advance(by: .seconds(3600))
        #expect(harness.things.requests.count == 6)
    }

    @Test func eachPartIsAskedForAsOftenAsItsOwnMethodSays() async throws {
        let harness = try Self.harness {
            $0.cache.methods["test.v1.Things/Item"] = .init(fresh: .seconds(1000), stale: .seconds(600))
        }
        let (ear, observation) = try Self.observe(harness)
        _ = try await ear.next(as: TestSchema.homeID)
        for _ in 0..<5 {
            await harness.pause()
            harness.clock.advance(by: Self.refresh)
        }
        await harness.pause()
        #expect(Self.asked("items/", harness) == 6 && Self.asked("item/", harness) == 1)
        observation.end()
        #expect(await harness.isAtRest())
    }

    @Test func whatAnUpstreamSaysOfItsAnswersAgeCountsForAPart() async throws {
        let harness = try Self.harness()
        harness.things.answer { request in
            request.url.path.contains("items/")
                ? Self.upstream(request)
                : .json(
                    #"{"status":"success","data":{"name":"n"}}"#,
                    fields: [HTTPField("Cache-Control", "max-age=20")])
        }
        let (ear, observation) = try Self.observe(harness)
        _ = try await ear.next(as: TestSchema.homeID)
        await harness.pause()
        harness.clock.advance(by: .seconds(21))
        await harness.pause()
        #expect(Self.asked("item/", harness) == 2 && Self.asked("items/", harness) == 1)
        observation.end()
    }

    @Test func theGrowingAgeOfAStalePartIsNoNews() async throws {
        let harness = try Self.harness()
        let (ear, observation) = try Self.observe(harness)
        _ = try await ear.next(as: TestSchema.homeID)
        await harness.pause()
        for text in ["request 1 failed", "request 2 failed", "request 3 failed", "request 4 failed"] {
            Self.failItem(harness, text)
            harness.clock.advance(by: Self.refresh)
            await harness.pause()
        }
        let stale = try await ear.next(as: TestSchema.homeID)
        #expect(stale.hasPrefix("stale ") && stale.contains(#"{"name":"item","ok":true,"stale":true,"age"#))
        #expect(ear.heard == 2)
        harness.things.answer { Self.upstream($0) }
        harness.clock.advance(by: .seconds(5))
        #expect(try await ear.next(as: TestSchema.homeID).hasPrefix("miss "))
        #expect(ear.heard == 3)
        observation.end()
    }

    @Test func anAbsentPartSaysWhyOnceAndIsAskedForAgainSoon() async throws {
        let harness = try Self.harness()
        Self.failItem(harness)
        let (ear, observation) = try Self.observe(harness)
        let first = try await ear.next(as: TestSchema.homeID)
        #expect(first.contains(#"{"name":"item","code":"UNAVAILABLE","message":"down"}"#), "\(first)")
        for text in ["still down", "down yet"] {
            Self.failItem(harness, text)
            await harness.pause()
            harness.clock.advance(by: .seconds(6))
        }
        await harness.pause()
        #expect(ear.heard == 1)
        #expect(Self.asked("item/", harness) == 3 && Self.asked("items/", harness) == 1)
        harness.things.answer { Self.upstream($0) }
        harness.clock.advance(by: .seconds(6))
        #expect(try await ear.next(as: TestSchema.homeID).contains(#""item":{"name":"n"}"#))
        observation.end()
    }

    @Test func whatAWriteMakesVoidInAPartIsToldAtOnce() async throws {
        let harness = try Self.harness()
        let (ear, observation) = try Self.observe(harness)
        _ = try await ear.next(as: TestSchema.homeID)
        await harness.pause()
        harness.things.answer { request in
            request.method == .put ? .json(#"{"name":"n"}"#) : Self.upstream(request, count: 2)
        }
        var writer = ProtobufWriter()
        writer.bytesField(1, Request.text(1, "n"))
        _ = try await harness.call(TestSchema.save, writer.bytes)
        #expect(try await ear.next(as: TestSchema.homeID).contains("i2"))
        await harness.pause()
        #expect(Self.asked("items/", harness) == 2)
        observation.end()
    }

    @Test func withoutARequiredPartThereIsNoFirstAnswerAndALaterOneIsStale() async throws {
        let harness = try Self.harness()
        Self.failItem(harness)
        let (failed, _) = try Self.observe(harness, TestSchema.strictHome)
        #expect(try await failed.next().hasPrefix("UNAVAILABLE: test.v1.Things/StrictHome cannot do without"))
        #expect(harness.repository.observed == (0, 0, 0))
        harness.things.answer { Self.upstream($0) }
        let (ear, observation) = try Self.observe(harness, TestSchema.strictHome)
        _ = try await ear.next(as: TestSchema.homeID)
        await harness.pause()
        Self.failItem(harness)
        // So old that the part may not even be given stale.
        harness.clock.advance(by: .seconds(3600))
        #expect(try await ear.next(as: TestSchema.homeID).hasPrefix("stale "))
        observation.end()
    }

    @Test func aPartThatNeverComesIsLeftOutInTime() async throws {
        let harness = try Self.harness { $0.upstreams["things"]?.timeout = .seconds(300) }
        let gate = Gate()
        harness.things.answer { request throws(TransportError) in
            if request.url.path.contains("item/") { try await gate.pass() }
            return Self.upstream(request)
        }
        _ = try await harness.call(TestSchema.group)
        let (ear, observation) = try Self.observe(harness)
        await gate.wait(arrivals: 1)
        // The time of calls without a deadline of their own, but for what the whole needs itself.
        harness.clock.advance(by: .milliseconds(29_750))
        let first = try await ear.next(as: TestSchema.homeID)
        #expect(first.contains(#""code":"DEADLINE_EXCEEDED""#) && first.contains("i1"), "\(first)")
        observation.end()
        #expect(await harness.isAtRest())
    }

    @Test func aPartThatTheCallerMayNotCallIsNotAskedForAndHasAnAudienceOfItsOwn() async throws {
        let harness = try Self.harness()
        let ears = [Ear(), Ear()]
        let refusals = [TestSchema.item: CallError(.unimplemented, "switched off")]
        let observations = try zip(ears, [refusals, [:]]).map { ear, refusals in
            try harness.repository.observe(
                Call(
                    method: TestSchema.home, request: Self.request, deadline: harness.clock.now,
                    refusals: refusals)
            ) { ear.hear($0) }
        }
        let without = try await ears[0].next(as: TestSchema.homeID)
        #expect(without.contains(#""code":"UNIMPLEMENTED","message":"switched off""#), "\(without)")
        #expect(try await ears[1].next(as: TestSchema.homeID).contains(#""item":{"name":"n"}"#))
        #expect(harness.repository.observed.subjects == 2 && Self.asked("items/", harness) == 1)
        for observation in observations { observation.end() }
    }
}
