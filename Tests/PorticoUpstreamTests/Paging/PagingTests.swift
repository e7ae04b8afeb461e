import PorticoConfig
import PorticoUpstream
import PorticoWire
import Testing

/// Lists of several pages, asked for one by one and followed by views.
@Suite struct PagingTests {
    private func groups(_ answer: Answer) throws -> String { try answer.json(TestSchema.groupsID) }

    @Test func aViewFollowsAllPages() async throws {
        let harness = try Harness { thingsPage($0, count: 35) }
        let answer = try await harness.call(TestSchema.group)
        #expect(answer.origin == .miss)
        let text = try groups(answer)
        #expect(text.contains(#""kind":"a","count":11"#))
        #expect(text.contains(#""kind":"b","count":12"#))
        #expect(text.contains(#""kind":"c","count":12"#))
        #expect(harness.things.targets.first == "/api/items/?page=1")
        #expect(Set(harness.things.targets) == Set((1...4).map { "/api/items/?page=\($0)" }))
        #expect(harness.things.requests.count == 4)
    }

    @Test func oneFetchServesTheListAndEveryView() async throws {
        let harness = try Harness { thingsPage($0, count: 35) }
        _ = try await harness.call(TestSchema.group)
        let filtered = try await harness.call(TestSchema.group, Request.text(1, "a"))
        #expect(filtered.origin == .hit)
        #expect(try groups(filtered).contains(#""kind":"b""#) == false)
        #expect(harness.cached(TestSchema.list, Request.page(3))?.origin == .hit)
        #expect(harness.cached(TestSchema.group, Request.text(1, "a"))?.origin == .hit)
        #expect(harness.things.requests.count == 4)
    }

    @Test func pagesAreAskedForSideBySideButNotAllAtOnce() async throws {
        let gate = Gate()
        let harness = try Harness { request throws(TransportError) in
            if request.url.query != "page=1" { try await gate.pass() }
            return thingsPage(request, count: 95)
        }
        let call = Task { try await harness.call(TestSchema.group) }
        await gate.wait(arrivals: 4)
        #expect(harness.things.requests.count == 5)
        gate.open()
        _ = try await call.value
        #expect(harness.things.requests.count == 10)
    }

    @Test func aViewIsAllOrNothing() async throws {
        let harness = try Harness(configure: { $0.upstreams["things"]?.retry.attempts = 1 }) { request in
            request.url.query == "page=3" ? .json("{}", status: 500) : thingsPage(request, count: 95)
        }
        await #expect(throws: CallError(.unavailable, "upstream 'things' answered 500")) {
            try await harness.call(TestSchema.group)
        }
        #expect(harness.cached(TestSchema.group) == nil)
    }

    @Test func whereTheSchemaAllowsItAViewMayLackPages() async throws {
        let harness = try Harness(configure: { $0.upstreams["things"]?.retry.attempts = 1 }) { request in
            request.url.query == "page=3" ? .json("{}", status: 500) : thingsPage(request, count: 35)
        }
        let answer = try await harness.call(TestSchema.partialGroup)
        #expect(answer.origin == .miss && answer.skippedItems == 10)
        #expect(try groups(answer).contains(#""kind":"a","count":7"#))
        // Not kept, so that the next caller gets what there is then; the pages that came are kept.
        #expect(harness.cached(TestSchema.partialGroup) == nil)
        harness.things.answer { thingsPage($0, count: 35) }
        let whole = try await harness.call(TestSchema.partialGroup)
        #expect(whole.skippedItems == 0)
        #expect(harness.things.targets.suffix(1) == ["/api/items/?page=3"])
        #expect(harness.things.requests.count == 5)
        #expect(harness.cached(TestSchema.partialGroup) != nil)
    }

    @Test func withoutItsFirstPageThereIsNoList() async throws {
        let harness = try Harness(configure: { $0.upstreams["things"]?.retry.attempts = 1 }) { request in
            request.url.query == "page=1" ? .json("{}", status: 500) : thingsPage(request, count: 35)
        }
        await #expect(throws: CallError(.unavailable, "upstream 'things' answered 500")) {
            try await harness.call(TestSchema.partialGroup)
        }
    }

    @Test func cancellingAViewCancelsItsPages() async throws {
        let gate = Gate()
        let harness = try Harness { request throws(TransportError) in
            if request.url.query != "page=1" { try await gate.pass() }
            return thingsPage(request, count: 35)
        }
        let call = Task { try await harness.call(TestSchema.group) }
        await gate.wait(arrivals: 3)
        call.cancel()
        await gate.wait(arrivals: 3, departures: 3)
        await #expect(throws: CallError.self) { try await call.value }
        await harness.settle()
    }

    @Test func aDerivedAnswerFallsWithItsSources() async throws {
        let harness = try Harness { thingsPage($0, count: 5) }
        _ = try await harness.call(TestSchema.group)
        harness.clock.advance(by: .seconds(61))
        harness.things.answer { thingsPage($0, count: 6) }
        #expect(harness.cached(TestSchema.list)?.origin == .stale)
        await harness.settle()
        #expect(harness.cached(TestSchema.group) == nil)
        let answer = try await harness.call(TestSchema.group)
        #expect(answer.origin == .hit)
        #expect(try groups(answer).contains(#""kind":"a","count":2"#))
        #expect(harness.things.requests.count == 2)
    }

    @Test func aStaleViewIsGivenAtOnceAndRefreshedFromFreshPages() async throws {
        let harness = try Harness { thingsPage($0, count: 15) }
        _ = try await harness.call(TestSchema.group)
        harness.clock.advance(by: .seconds(61))
        harness.things.answer { thingsPage($0, count: 16) }
        let stale = try #require(harness.cached(TestSchema.group))
        #expect(stale.origin == .stale)
        #expect(stale.age == .seconds(61))
        await harness.settle()
        let fresh = try #require(harness.cached(TestSchema.group))
        #expect(fresh.origin == .hit)
        #expect(try groups(fresh).contains(#""kind":"b","count":6"#))
        #expect(harness.things.requests.count == 4)
    }

    @Test func aViewOfAFailingUpstreamIsGivenFromItsLastGoodPages() async throws {
        let harness = try Harness(configure: { $0.upstreams["things"]?.retry.attempts = 1 }) {
            thingsPage($0, count: 15)
        }
        _ = try await harness.call(TestSchema.group)
        harness.clock.advance(by: .seconds(61))
        harness.things.answer { _ throws(TransportError) in throw .unreachable }
        let filtered = try await harness.call(TestSchema.group, Request.text(1, "a"))
        #expect(filtered.origin == .stale)
        #expect(filtered.age == .seconds(61))
        #expect(harness.cached(TestSchema.group)?.origin == .stale)
        await harness.settle()
        #expect(harness.cached(TestSchema.group)?.age == .seconds(61))
    }

    @Test func skippedItemsAreCountedThroughViews() async throws {
        let harness = try Harness { request in
            request.url.query == "page=1"
                ? .json(#"{"pages":2,"results":[{"kind":"a"},{"name":"x","kind":"a"}]}"#)
                : .json(#"{"pages":2,"results":[{"name":"y","kind":"a"},{}]}"#)
        }
        let answer = try await harness.call(TestSchema.group)
        #expect(answer.skippedItems == 2)
        #expect(try groups(answer).contains(#""count":2"#))
    }

    @Test func pastTheLastPageIsOutOfRangeWithoutACall() async throws {
        let harness = try Harness { thingsPage($0, count: 35) }
        _ = try await harness.call(TestSchema.list)
        await #expect(throws: CallError(.outOfRange, "page 5 is past the last, 4")) {
            try await harness.call(TestSchema.list, Request.page(5))
        }
        #expect(harness.things.requests.count == 1)
        _ = try await harness.call(TestSchema.list, Request.page(4))
        harness.clock.advance(by: .seconds(61))
        // Not known any more, but then the upstream has no such page.
        await #expect(throws: CallError(.outOfRange, "page 5 is past the last")) {
            try await harness.call(TestSchema.list, Request.page(5))
        }
    }

    @Test func pagesBeforeTheFirstAreTheCallersFault() async throws {
        let harness = try Harness { thingsPage($0, count: 35) }
        var request = [UInt8]([8])
        request += [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1]
        let error = await #expect(throws: CallError.self) { try await harness.call(TestSchema.list, request) }
        #expect(error == CallError(.invalidArgument, "pages are counted from 1, not -1"))
    }

    @Test func theNextPageIsFetchedBehindAnAnsweredOne() async throws {
        let harness = try Harness { thingsPage($0, count: 25) }
        _ = try await harness.call(TestSchema.ahead)
        await harness.settle()
        #expect(harness.things.targets == ["/api/items/?page=1", "/api/items/?page=2"])
        #expect(harness.cached(TestSchema.ahead, Request.page(2))?.origin == .hit)
        await harness.settle()
        #expect(harness.cached(TestSchema.ahead, Request.page(3))?.origin == .hit)
        await harness.settle()
        #expect(harness.cached(TestSchema.ahead, Request.page(2))?.origin == .hit)
        await harness.settle()
        #expect(harness.things.requests.count == 3)
    }
}
