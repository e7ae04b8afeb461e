import PorticoConfig
import PorticoSchema
import PorticoUpstream
import PorticoWire
import Testing

/// The last good answers outlive the process.
@Suite struct RestartTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func run(
        _ things: @escaping FakeTransport.Answering = { _ throws(TransportError) in throw .unreachable },
        configure: (inout Configuration) -> Void = { _ in }
    ) throws -> Harness {
        try Harness(
            configure: {
                $0.cache.directory = directory.path
                $0.upstreams["things"]?.retry.attempts = 1
                configure(&$0)
            }, things: things)
    }

    /// A first run that has answered the list of three.
    private func firstRun(_ method: MethodID = TestSchema.list, count: Int = 3) async throws -> Answer {
        let harness = try run { thingsPage($0, count: count) }
        let answer = try await harness.call(method)
        await harness.repository.settleDisk()
        return answer
    }

    @Test func whatWasKnownIsAnsweredWithItsAgeWhenEveryUpstreamIsDown() async throws {
        let known = try await firstRun()
        let harness = try run()
        harness.clock.advance(by: .seconds(100))
        let answer = try await harness.call(TestSchema.list)
        #expect(answer.origin == .stale && answer.age == .seconds(100))
        #expect(answer.message == known.message)
        await harness.settle()
        #expect(harness.things.requests.count == 1)
        #expect(harness.cached(TestSchema.list)?.origin == .stale)
    }

    @Test func whatIsStillFreshCostsNoCall() async throws {
        _ = try await firstRun()
        let harness = try run()
        harness.clock.advance(by: .seconds(59))
        let answer = try await harness.call(TestSchema.list)
        #expect(answer.origin == .hit && answer.age == .seconds(59))
        #expect(harness.things.requests.isEmpty)
    }

    @Test func viewsAreDerivedFromPagesOnDisk() async throws {
        let known = try await firstRun(TestSchema.group, count: 35)
        let harness = try run()
        harness.clock.advance(by: .seconds(100))
        let answer = try await harness.call(TestSchema.group)
        #expect(answer.origin == .stale && answer.age == .seconds(100) && answer.message == known.message)
        await harness.settle()
        #expect(harness.cached(TestSchema.group)?.origin == .stale)
        #expect(harness.things.requests.count == 4)
    }

    @Test func whatWasDerivedFromStalePagesIsRefreshedBehind() async throws {
        _ = try await firstRun(TestSchema.group, count: 35)
        let harness = try run { thingsPage($0, count: 36) }
        harness.clock.advance(by: .seconds(100))
        #expect(try await harness.call(TestSchema.group).origin == .stale)
        await harness.settle()
        #expect(harness.cached(TestSchema.group)?.origin == .hit)
    }

    @Test func nothingIsAnsweredPastTheStaleTime() async throws {
        _ = try await firstRun()
        let harness = try run()
        harness.clock.advance(by: .seconds(660))
        await #expect(throws: CallError(.unavailable, "upstream 'things' cannot be reached")) {
            try await harness.call(TestSchema.list)
        }
    }

    @Test func anUnreadableEntryIsDroppedCountedAndFetchedAgain() async throws {
        _ = try await firstRun()
        let file = try #require(directory.files.first)
        directory.write(Array(directory.read(file).dropLast()), to: file)
        let harness = try run { thingsPage($0, count: 3) }
        #expect(try await harness.call(TestSchema.list).origin == .miss)
        #expect(harness.repository.statistics.answers.disk?.dropped == 1)
        #expect(harness.log.all == [.diskEntryDropped(file: file)])
    }

    @Test func whatWasFetchedUnderOtherSettingsIsNotFound() async throws {
        _ = try await firstRun()
        let changes: [(inout Configuration) -> Void] = [
            { $0.upstreams["things"]?.baseURL = "http://things.example/other/" },
            { $0.decode.mode = .strict },
        ]
        for change in changes {
            let harness = try run(configure: change)
            await #expect(throws: CallError.self) { try await harness.call(TestSchema.list) }
        }
    }

    @Test func anInvalidationReachesTheDisk() async throws {
        let first = try run { thingsPage($0, count: 3) }
        _ = try await first.call(TestSchema.list)
        first.repository.invalidate(TestSchema.list)
        await first.repository.settleDisk()
        let harness = try run()
        await #expect(throws: CallError.self) { try await harness.call(TestSchema.list) }
    }

    @Test func manyWhoWantTheSameReadItOnce() async throws {
        _ = try await firstRun()
        let harness = try run()
        let calls = (0..<20).map { _ in Task { try await harness.call(TestSchema.list) } }
        for call in calls { #expect(try await call.value.origin == .hit) }
        #expect(harness.repository.statistics.answers.disk?.hits ?? 0 >= 1)
        #expect(harness.things.requests.isEmpty)
        #expect(await harness.isAtRest())
    }

    @Test func validatorsOutliveTheProcessToo() async throws {
        let first = try run { request in
            var response = thingsPage(request, count: 3)
            response.fields = [HTTPField("ETag", "\"v1\"")]
            return response
        }
        _ = try await first.call(TestSchema.list)
        await first.repository.settleDisk()
        let harness = try run { request in
            HTTPResponse(status: request.fields.contains(HTTPField("If-None-Match", "\"v1\"")) ? 304 : 500)
        }
        harness.clock.advance(by: .seconds(100))
        #expect(try await harness.call(TestSchema.list).origin == .stale)
        await harness.settle()
        #expect(harness.cached(TestSchema.list)?.age == .zero)
    }

    @Test func whatMustNotBeKeptIsNotOnDisk() async throws {
        let harness = try run { request in
            var response = thingsPage(request, count: 3)
            response.fields = [HTTPField("Cache-Control", "no-store")]
            return response
        }
        _ = try await harness.call(TestSchema.list)
        await harness.repository.settleDisk()
        #expect(directory.files.isEmpty)
    }

    @Test func aDirectoryThatCannotBeHadMeansMemoryOnly() async throws {
        let harness = try run({ thingsPage($0, count: 3) }, configure: { $0.cache.directory = "/proc/none" })
        #expect(try await harness.call(TestSchema.list).origin == .miss)
        #expect(harness.log.all == [.directoryUnusable(directory: "/proc/none")])
    }
}
