import PorticoConfig
import PorticoSchema
import PorticoUpstream
import Testing

/// A repository that goes on from another with a changed configuration.
@Suite struct FollowingTests {
    private static func harness() throws -> Harness {
        try Harness(things: { thingsPage($0, count: 3) })
    }

    private static func configuration(_ change: (inout Configuration) -> Void = { _ in }) -> Configuration {
        var configuration = Configuration(environment: "Test")
        configuration.upstreams["things"] = .init(baseURL: "http://things.example/api/")
        configuration.upstreams["pictures"] = .init(baseURL: "https://pictures.example/p/")
        change(&configuration)
        return configuration
    }

    private func next(
        _ harness: Harness, _ change: (inout Configuration) -> Void = { _ in }
    ) throws -> Repository {
        try Repository(
            schema: TestSchema.schema, configuration: Self.configuration(change),
            following: harness.repository)
    }

    @Test(arguments: [
        "nothing", "cache.fresh", "upstreams.things.timeout", "limits.callTimeout",
        "upstreams.pictures.baseURL",
    ])
    func answersThatWouldBeFetchedInTheSameWayAreKept(change: String) async throws {
        let harness = try Self.harness()
        _ = try await harness.call(TestSchema.list, Request.page(1))
        let next = try next(harness) { configuration in
            switch change {
            case "cache.fresh": configuration.cache.fresh = .seconds(7)
            case "upstreams.things.timeout": configuration.upstreams["things"]?.timeout = .seconds(1)
            case "limits.callTimeout": configuration.limits.callTimeout = .seconds(1)
            case "upstreams.pictures.baseURL": configuration.upstreams["pictures"]?.baseURL = "http://other/"
            default: break
            }
        }
        #expect(next.cachedAnswer(to: TestSchema.list, request: Request.page(1).span)?.origin == .hit)
    }

    @Test(arguments: ["baseURL", "query", "headers", "decode.mode", "decode.maximumDepth"])
    func answersFromElsewhereOrReadOtherwiseAreNot(change: String) async throws {
        let harness = try Self.harness()
        _ = try await harness.call(TestSchema.list, Request.page(1))
        let next = try next(harness) { configuration in
            switch change {
            case "baseURL": configuration.upstreams["things"]?.baseURL = "http://things.example/v2/"
            case "query": configuration.upstreams["things"]?.query["key"] = Secret("other")
            case "headers": configuration.upstreams["things"]?.headers["Key"] = Secret("other")
            case "decode.mode": configuration.decode.mode = .strict
            default: configuration.decode.maximumDepth = 50
            }
        }
        #expect(next.cachedAnswer(to: TestSchema.list, request: Request.page(1).span) == nil)
        #expect(next.answerBytes == 0)
    }

    @Test func anUpstreamWhoseSettingsAreTheSameKeepsItsCounts() async throws {
        let harness = try Self.harness()
        _ = try await harness.call(TestSchema.list, Request.page(1))
        let same = try next(harness)
        #expect(same.statistics.upstreams == harness.repository.statistics.upstreams)
        #expect(same.health.map(\.state) == [.notAsked, .answers])
        let other = try next(harness) { $0.upstreams["things"]?.timeout = .seconds(1) }
        #expect(other.health.map(\.state) == [.notAsked, .notAsked])
    }

    @Test func aLowerLimitDropsWhatDoesNotFit() async throws {
        let harness = try Self.harness()
        _ = try await harness.call(TestSchema.list, Request.page(1))
        #expect(harness.repository.answerBytes > 0)
        #expect(try next(harness) { $0.cache.maxBytes = 10 }.answerBytes == 0)
    }

    @Test func whatIsChangedBackAndForthIsNeverGivenFromTheOther() async throws {
        let harness = try Self.harness()
        var current = harness.repository
        for round in 0..<20 {
            current = try Repository(
                schema: TestSchema.schema,
                configuration: Self.configuration {
                    $0.upstreams["things"]?.baseURL = "http://things.example/\(round % 2)/"
                }, following: current)
            #expect(current.cachedAnswer(to: TestSchema.list, request: Request.page(1).span) == nil)
            _ = try await current.answer(
                to: Call(
                    method: TestSchema.list, request: Request.page(1),
                    deadline: harness.clock.now + .seconds(9)))
            #expect(harness.things.requests.last?.url.path.hasPrefix("/\(round % 2)/") == true)
        }
    }

    @Test func repositoriesThatWereFollowedAreFreed() async throws {
        let harness = try Self.harness()
        weak var second: Repository?
        var current: Repository? = try next(harness)
        second = current
        current = try Repository(
            schema: TestSchema.schema, configuration: Self.configuration(), following: try #require(current))
        #expect(second == nil)
        #expect(current?.answerBytes == 0)
    }
}
