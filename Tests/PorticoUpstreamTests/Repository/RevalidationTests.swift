import PorticoConfig
import PorticoSchema
import PorticoUpstream
import PorticoWire
import Testing

/// What an upstream says about its answers, and is asked about them again.
@Suite struct RevalidationTests {
    private func page(_ request: HTTPRequest, _ fields: [HTTPField]) -> HTTPResponse {
        var response = thingsPage(request, count: 3)
        response.fields = fields
        return response
    }

    private func harness(_ fields: [HTTPField], configure: (inout Configuration) -> Void = { _ in }) throws
        -> Harness
    {
        try Harness(configure: configure) { request in
            let isUnchanged = request.fields.contains {
                $0.name == "If-None-Match" || $0.name == "If-Modified-Since"
            }
            return isUnchanged ? HTTPResponse(status: 304) : page(request, fields)
        }
    }

    @Test(arguments: [("ETag", "If-None-Match", "\"v1\""), ("Last-Modified", "If-Modified-Since", "then")])
    func anUnchangedAnswerIsNewAgain(name: String, asked: String, value: String) async throws {
        let harness = try harness([HTTPField(name, value)])
        let first = try await harness.call(TestSchema.list)
        harness.clock.advance(by: .seconds(61))
        #expect(harness.cached(TestSchema.list)?.origin == .stale)
        await harness.settle()
        let again = try #require(harness.cached(TestSchema.list))
        #expect(again.origin == .hit && again.age == .zero && again.message == first.message)
        #expect(harness.things.requests.last?.fields.contains(HTTPField(asked, value)) == true)
        #expect(harness.things.requests.count == 2)
        // And so on: the validators are kept although the 304 did not repeat them.
        harness.clock.advance(by: .seconds(61))
        _ = harness.cached(TestSchema.list)
        await harness.settle()
        #expect(harness.things.requests.last?.fields.contains(HTTPField(asked, value)) == true)
    }

    /// Not even for the shortest time that the environment allows; a view of it neither.
    @Test(arguments: [TestSchema.list, TestSchema.group])
    func anAnswerThatVariesByEverythingIsNotUsedAgain(method: MethodID) async throws {
        let harness = try harness([HTTPField("Vary", "*"), HTTPField("Cache-Control", "max-age=100")])
        for count in 1...3 {
            #expect(try await harness.call(method).origin == .miss)
            #expect(harness.cached(method) == nil)
            #expect(harness.things.requests.count == count)
        }
        harness.things.answer { _ in .json("{}", status: 404) }
        await #expect(throws: CallError.self) { try await harness.call(method) }
    }

    /// It may be asked about, though: then the upstream says itself that it fits.
    @Test func anAnswerThatVariesByEverythingIsAskedAboutByItsTag() async throws {
        let harness = try harness([HTTPField("Vary", "*"), HTTPField("ETag", "\"v1\"")])
        let first = try await harness.call(TestSchema.list)
        let second = try await harness.call(TestSchema.list)
        #expect(second.origin == .miss && second.message == first.message)
        #expect(harness.things.requests.last?.fields.contains(HTTPField("If-None-Match", "\"v1\"")) == true)
    }

    @Test func anAnswerThatVariesByWhatIsAlwaysTheSameIsUsedAgain() async throws {
        let harness = try harness([HTTPField("Vary", "Accept, Accept-Encoding")])
        _ = try await harness.call(TestSchema.list)
        #expect(try await harness.call(TestSchema.list).origin == .hit)
    }

    @Test func whatWasDerivedFromAnUnchangedAnswerStays() async throws {
        let harness = try harness([HTTPField("ETag", "\"v1\""), HTTPField("Cache-Control", "max-age=10")]) {
            $0.cache.methods["test.v1.Things/Group"] = .init(fresh: .seconds(100))
        }
        let groups = try await harness.call(TestSchema.group)
        harness.clock.advance(by: .seconds(11))
        _ = harness.cached(TestSchema.list)
        await harness.settle()
        #expect(harness.things.requests.count == 2)
        #expect(harness.cached(TestSchema.group)?.message == groups.message)
    }

    @Test func anExpiredAnswerCanBeFoundUnchanged() async throws {
        let harness = try harness([HTTPField("ETag", "\"v1\"")])
        let first = try await harness.call(TestSchema.list)
        harness.clock.advance(by: .seconds(5000))
        let again = try await harness.call(TestSchema.list)
        #expect(again.origin == .miss && again.message == first.message && again.age == .zero)
        #expect(harness.things.requests.count == 2)
    }

    @Test func aNotModifiedThatNobodyAskedForIsAFailure() async throws {
        let harness = try Harness(configure: { $0.upstreams["things"]?.retry.attempts = 1 }) { _ in
            HTTPResponse(status: 304)
        }
        await #expect(throws: CallError(.failedPrecondition, "upstream 'things' answered 304")) {
            try await harness.call(TestSchema.list)
        }
    }

    @Test(arguments: [
        ("max-age=10", 10), ("max-age=0", 1), ("no-cache", 1), ("max-age=99999", 3600), ("public", 60),
    ])
    func anUpstreamSaysHowLongItsAnswersAreFresh(text: String, seconds: Int) async throws {
        let harness = try harness([HTTPField("Cache-Control", text)])
        _ = try await harness.call(TestSchema.list)
        harness.clock.advance(by: .seconds(seconds) - .milliseconds(1))
        #expect(harness.cached(TestSchema.list)?.origin == .hit)
        harness.clock.advance(by: .milliseconds(1))
        #expect(harness.cached(TestSchema.list)?.origin == .stale)
        await harness.settle()
    }

    @Test func whatMustNotBeKeptIsNeverStale() async throws {
        let harness = try harness([HTTPField("Cache-Control", "no-store")])
        _ = try await harness.call(TestSchema.list)
        #expect(harness.cached(TestSchema.list)?.origin == .hit)
        harness.clock.advance(by: .seconds(1))
        #expect(harness.cached(TestSchema.list) == nil)
        let never = try self.harness([HTTPField("Cache-Control", "no-store")]) { $0.cache.minFresh = .zero }
        _ = try await never.call(TestSchema.list)
        #expect(never.cached(TestSchema.list) == nil)
    }

    /// The invalidation comes between the question and its answer.
    @Test func anAnswerMadeVoidIsNotRenewed() async throws {
        let gate = Gate()
        let harness = try harness([HTTPField("ETag", "\"v1\"")])
        _ = try await harness.call(TestSchema.list)
        harness.clock.advance(by: .seconds(61))
        harness.things.answer { _ throws(TransportError) in
            try await gate.pass()
            return HTTPResponse(status: 304)
        }
        _ = harness.cached(TestSchema.list)
        await gate.wait(arrivals: 1)
        harness.repository.invalidate(TestSchema.list)
        gate.open()
        await harness.settle()
        #expect(harness.cached(TestSchema.list) == nil)
    }
}
