import PorticoConfig
import PorticoSchema
import PorticoTranscode
import PorticoUpstream
import PorticoWire
import Synchronization
import Testing

/// Records completed by what other records say, through the whole repository.
@Suite struct JoinTests {
    /// Items whose owners are these, and owners with names like `O7`.
    private static func upstream(_ request: HTTPRequest, owners: [String]) -> HTTPResponse {
        if request.url.path.contains("items/") {
            let items = owners.map { #"{"name":"i","owner":"http://things.example/api/item/\#($0)"}"# }
            return .json(#"{"count":\#(owners.count),"results":[\#(items.joined(separator: ","))]}"#)
        }
        let id = request.url.path.split(separator: "/").last ?? ""
        return .json(#"{"status":"success","data":{"name":"O\#(id)"}}"#)
    }

    private static func harness(
        owners: [String] = ["7", "8", "7"], configure: @escaping (inout Configuration) -> Void = { _ in }
    ) throws -> Harness {
        try Harness(configure: {
            $0.upstreams["things"]?.retry.attempts = 1
            $0.cache.methods["test.v1.Things/Item"] = .init(fresh: .seconds(100), stale: .seconds(600))
            configure(&$0)
        }) { upstream($0, owners: owners) }
    }

    private static func failOwners(_ harness: Harness, status: Int = 503) {
        harness.things.answer { request in
            request.url.path.contains("items/")
                ? upstream(request, owners: ["7", "8", "7"]) : .json("{}", status: status)
        }
    }

    private static func names(_ answer: Answer) throws -> [String] {
        try answer.json(TestSchema.pageID).matches(of: /"owner_name":"(\w+)"/).map { String($0.1) }
    }

    @Test func eachDifferentKeyIsAskedOnce() async throws {
        let harness = try Self.harness()
        let answer = try await harness.call(TestSchema.owned)
        #expect(try Self.names(answer) == ["O7", "O8", "O7"])
        #expect(try answer.fields(TestSchema.pageID).integer("count") == 3)
        #expect(answer.missingJoins == 0 && answer.origin == .miss)
        #expect(harness.things.targets.sorted() == ["/api/item/7", "/api/item/8", "/api/items/?page=1"])
        #expect(harness.cached(TestSchema.owned)?.origin == .hit)
        // The others are kept under their own method, and the list under its own.
        #expect(harness.cached(TestSchema.item, Request.text(1, "8"))?.origin == .hit)
        #expect(try Self.names(try #require(harness.cached(TestSchema.list))) == [])
    }

    @Test func aSingleRecordIsJoinedToo() async throws {
        let harness = try Harness { request in
            let owner = request.url.path.hasSuffix("/1") ? #","owner":"item/2""# : ""
            return .json(#"{"status":"success","data":{"name":"n\#(request.url.path.suffix(1))"\#(owner)}}"#)
        }
        let answer = try await harness.call(TestSchema.ownedItem, Request.text(1, "1"))
        #expect(try answer.json(TestSchema.itemID) == #"{"name":"n1","owner":"item/2","owner_name":"n2"}"#)
    }

    @Test func aViewCanGroupByWhatWasJoined() async throws {
        let harness = try Self.harness()
        let json = try await harness.call(TestSchema.byOwner).json(TestSchema.groupsID)
        #expect(
            json.contains(#"{"kind":"O7","count":2"#) && json.contains(#"{"kind":"O8","count":1"#), "\(json)")
    }

    @Test func noMoreThanAFewAreAskedAtATime() async throws {
        let owners = (0..<40).map { "\($0)" }
        let harness = try Self.harness(owners: owners)
        let counts = Mutex((now: 0, most: 0))
        harness.things.answer { request in
            counts.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            for _ in 0..<10 { await Task.yield() }
            counts.withLock { $0.now -= 1 }
            return Self.upstream(request, owners: owners)
        }
        #expect(try Self.names(await harness.call(TestSchema.owned)).count == 40)
        #expect(counts.withLock { $0.most } <= 8)
    }

    @Test func whatCannotBeHadIsAbsentAndCountedAndTriedAgain() async throws {
        let harness = try Self.harness()
        Self.failOwners(harness)
        let answer = try await harness.call(TestSchema.owned)
        #expect(try Self.names(answer) == [] && answer.missingJoins == 3)
        #expect(harness.cached(TestSchema.owned) == nil)
        #expect(harness.cached(TestSchema.list)?.origin == .hit)
        harness.things.answer { Self.upstream($0, owners: ["7", "8", "7"]) }
        #expect(try Self.names(await harness.call(TestSchema.owned)) == ["O7", "O8", "O7"])
    }

    @Test func whatDoesNotExistIsCountedAndNotAskedForAgain() async throws {
        let harness = try Self.harness()
        Self.failOwners(harness, status: 404)
        #expect(try await harness.call(TestSchema.owned).missingJoins == 3)
        #expect(harness.cached(TestSchema.owned)?.missingJoins == 3)
    }

    @Test func itIsFreshAsLongAsAllThatItIsMadeOf() async throws {
        let harness = try Self.harness { $0.cache.fresh = .seconds(1000) }
        _ = try await harness.call(TestSchema.item, Request.text(1, "8"))
        harness.clock.advance(by: .seconds(60))
        _ = try await harness.call(TestSchema.owned)
        let fresh = try #require(harness.cached(TestSchema.owned))
        #expect(fresh.origin == .hit && fresh.holdsUntil == harness.clock.now + .seconds(40))
        // Its refresh is due a while later, like any other.
        harness.clock.advance(by: .seconds(60))
        #expect(harness.cached(TestSchema.owned)?.origin == .stale)
        await harness.settle()
        // One of the two was due.
        #expect(harness.things.targets.filter { $0 == "/api/item/8" }.count == 2)
        #expect(harness.things.targets.filter { $0 == "/api/item/7" }.count == 1)
        #expect(harness.cached(TestSchema.owned)?.origin == .hit)
    }

    @Test func theListGoesOnWhileTheOthersFail() async throws {
        let harness = try Self.harness()
        _ = try await harness.call(TestSchema.owned)
        harness.clock.advance(by: .seconds(101))
        Self.failOwners(harness)
        #expect(harness.cached(TestSchema.owned)?.origin == .stale)
        await harness.settle()
        let asked = harness.things.requests.count
        let answer = try #require(harness.cached(TestSchema.owned))
        #expect(answer.origin == .stale && answer.age == .zero)
        #expect(try Self.names(answer) == ["O7", "O8", "O7"])
        // They are asked again after a pause, not by every reader.
        await harness.settle()
        #expect(harness.things.requests.count == asked)
        harness.clock.advance(by: .seconds(8))
        _ = harness.cached(TestSchema.owned)
        await harness.settle()
        #expect(harness.things.requests.count > asked)
    }

    @Test(arguments: [TestSchema.item, TestSchema.list])
    func whatIsMadeVoidWhileItIsBeingJoinedIsNotKept(method: MethodID) async throws {
        let harness = try Self.harness()
        let gate = Gate()
        harness.things.answer { request throws(TransportError) in
            if !request.url.path.contains("items/") { try await gate.pass() }
            return Self.upstream(request, owners: ["7", "8", "7"])
        }
        let call = Task { try await harness.call(TestSchema.owned) }
        await gate.wait(arrivals: 2)
        harness.repository.invalidate(method)
        gate.open()
        #expect(try Self.names(await call.value) == ["O7", "O8", "O7"])
        #expect(harness.cached(TestSchema.owned) == nil)
        let asked = harness.things.requests.count
        #expect(try Self.names(await harness.call(TestSchema.owned)) == ["O7", "O8", "O7"])
        #expect(harness.things.requests.count > asked)
        #expect(harness.cached(TestSchema.owned)?.origin == .hit)
    }

    @Test func whatIsMadeVoidBetweenTheListAndTheOthersIsNotKept() async throws {
        let harness = try Self.harness()
        let gate = Gate()
        harness.things.answer { request throws(TransportError) in
            if request.url.path.contains("items/") { try await gate.pass() }
            return Self.upstream(request, owners: ["7"])
        }
        _ = try await harness.call(TestSchema.item, Request.text(1, "7"))
        let call = Task { try await harness.call(TestSchema.owned) }
        await gate.wait(arrivals: 1)
        // The other record is at hand, and made void before the list has come.
        harness.repository.invalidate(TestSchema.item)
        gate.open()
        #expect(try Self.names(await call.value) == ["O7"])
        #expect(harness.cached(TestSchema.owned) == nil)
    }

    @Test func keysThatCannotBeAskedForAreMissingForGood() async throws {
        let (long, longer) = (String(repeating: "x", count: 201), String(repeating: "x", count: 100_000))
        let harness = try Self.harness(
            owners: ["..", ".", "a/b", "a?b", "a#b", "", long, longer, "%2e%2e", "7"])
        let answer = try await harness.call(TestSchema.owned)
        #expect(answer.missingJoins == 8)
        #expect(harness.cached(TestSchema.owned)?.origin == .hit)
        #expect(
            harness.things.targets.sorted()
                == ["/api/item/%252e%252e", "/api/item/7", "/api/items/?page=1"])
    }

    @Test func anotherRecordMadeVoidTakesTheJoinedAnswerWithIt() async throws {
        let harness = try Self.harness()
        _ = try await harness.call(TestSchema.owned)
        harness.repository.invalidate(TestSchema.item)
        #expect(harness.cached(TestSchema.owned) == nil)
    }
}
