import PorticoSchema
import PorticoUpstream
import PorticoWire
import Testing

/// Writes through the repository: what is sent, once or again, and what falls behind it.
@Suite struct WriteTests {
    private static func save(_ name: String = "n", kind: String = "", note: String = "") -> [UInt8] {
        var item = ProtobufWriter()
        if !name.isEmpty { item.stringField(1, name) }
        if !kind.isEmpty { item.stringField(2, kind) }
        var writer = ProtobufWriter()
        writer.bytesField(1, item.bytes)
        if !note.isEmpty { writer.stringField(2, note) }
        return writer.bytes
    }

    @Test func theBodyIsTheMessageAndItsFieldsFillThePath() async throws {
        let harness = try Harness { _ in .json(#"{"name":"a/b","kind":"x","photo":"p"}"#) }
        let answer = try await harness.call(TestSchema.save, Self.save("a/b", kind: "x", note: "q"))
        #expect(try answer.json(TestSchema.itemID) == #"{"name":"a/b","kind":"x","photo":"p"}"#)
        let request = try #require(harness.things.requests.first)
        #expect(request.method == .put && harness.things.targets == ["/api/item/a%2Fb?note=q"])
        #expect(request.body.map { String(decoding: $0, as: UTF8.self) } == #"{"name":"a/b","kind":"x"}"#)
        #expect(request.fields.contains(HTTPField("Content-Type", "application/json")))
        #expect(!request.fields.contains { $0.isNamed("Idempotency-Key") })
    }

    @Test func anEmptyAnswerIsAnEmptyMessage() async throws {
        let harness = try Harness { _ in HTTPResponse(status: 204) }
        #expect(try await harness.call(TestSchema.save, Self.save()).message.isEmpty)
    }

    @Test(arguments: [
        (save(""), "item.name is needed"),
        (save(kind: "too long"), "item.kind has 8 characters, at most 5 are allowed"),
        (
            save("", kind: "too long"),
            "item.kind has 8 characters, at most 5 are allowed; item.name is needed"
        ),
        ([], "item.name is needed"),
    ]) func badFieldsAreNamedBeforeTheUpstreamIsCalled(request: [UInt8], sentence: String) async throws {
        let harness = try Harness { _ in .json("{}") }
        await #expect(throws: CallError(.invalidArgument, sentence)) {
            try await harness.call(TestSchema.save, request)
        }
        #expect(harness.things.requests.isEmpty)
    }

    @Test(arguments: ["", "a b", "a\r\nX: y", "é", String(repeating: "k", count: 256)])
    func aKeyThatIsNoHeaderFieldIsRefused(key: String) async throws {
        let harness = try Harness { _ in .json("{}") }
        await #expect(
            throws: CallError(.invalidArgument, "an idempotency key has 1 to 255 visible ASCII characters")
        ) {
            try await harness.call(TestSchema.save, Self.save(), idempotencyKey: key)
        }
        #expect(harness.things.requests.isEmpty)
    }

    @Test func withoutAKeyNoWriteIsSentTwice() async throws {
        let harness = try Harness { _ in .json("{}", status: 503) }
        await #expect(throws: CallError.self) { try await harness.call(TestSchema.save, Self.save()) }
        harness.things.answer { _ throws(TransportError) in throw .reusedConnectionClosed }
        await #expect(throws: CallError.self) { try await harness.call(TestSchema.save, Self.save()) }
        #expect(harness.things.requests.count == 2)
    }

    @Test func theSameKeyGetsTheFirstAnswerWithoutASecondCall() async throws {
        let harness = try Harness { _ in .json(#"{"name":"first"}"#) }
        func call(_ kind: String = "") async throws -> String {
            try await harness.call(TestSchema.save, Self.save(kind: kind), idempotencyKey: "k")
                .json(TestSchema.itemID)
        }
        #expect(try await call() == #"{"name":"first"}"#)
        harness.things.answer { _ in .json(#"{"name":"second"}"#) }
        #expect(try await call() == #"{"name":"first"}"#)
        await #expect(throws: CallError(.invalidArgument, "the idempotency key was used for another request"))
        {
            try await call("x")
        }
        #expect(harness.things.requests.count == 1)
        harness.clock.advance(by: .seconds(600))
        #expect(try await call("x") == #"{"name":"second"}"#)
    }

    @Test func equalKeysAtATimeShareOneCallAndAFailureFreesTheKey() async throws {
        let gate = Gate()
        let harness = try Harness { _ throws(TransportError) in
            try await gate.pass()
            return .json("{}", status: 400)
        }
        let calls = (0..<5).map { _ in
            Task { try await harness.call(TestSchema.save, Self.save(), idempotencyKey: "k") }
        }
        await gate.wait(arrivals: 1)
        gate.open()
        for call in calls { #expect((await call.result).failure as? CallError != nil) }
        let before = harness.things.requests.count
        harness.things.answer { _ in .json(#"{"name":"later"}"#) }
        _ = try await harness.call(TestSchema.save, Self.save(kind: "x"), idempotencyKey: "k")
        #expect(harness.things.requests.count == before + 1)
    }

    @Test func aWriteGoesOnWhenItsCallerLeaves() async throws {
        let gate = Gate()
        let harness = try Harness { _ throws(TransportError) in
            try await gate.pass()
            return .json(#"{"name":"done"}"#)
        }
        let call = Task { try await harness.call(TestSchema.save, Self.save(), idempotencyKey: "k") }
        await gate.wait(arrivals: 1)
        call.cancel()
        #expect((await call.result).failure as? CallError == CallError(.cancelled, "the call was cancelled"))
        gate.open()
        let answer = try await harness.call(TestSchema.save, Self.save(), idempotencyKey: "k")
        #expect(try answer.json(TestSchema.itemID) == #"{"name":"done"}"#)
        #expect(harness.things.requests.count == 1)
    }

    @Test func aWriteEndsAtItsDeadline() async throws {
        let gate = Gate()
        let harness = try Harness { _ throws(TransportError) in
            try await gate.pass()
            return .json("{}")
        }
        let call = Task { try await harness.call(TestSchema.save, Self.save(), timeout: .seconds(3)) }
        await gate.wait(arrivals: 1)
        harness.clock.advance(by: .seconds(3))
        let error = (await call.result).failure as? CallError
        #expect(error?.code == .deadlineExceeded)
        await gate.wait(arrivals: 1, departures: 1)
    }

    @Test func whatItInvalidatesIsFetchedAnew() async throws {
        let harness = try Harness { request in
            request.method == .put ? .json(#"{"name":"n"}"#) : thingsPage(request, count: 3)
        }
        _ = try await harness.call(TestSchema.group)
        let generation = harness.repository.generation
        #expect(
            harness.cached(TestSchema.list, Request.page(1)) != nil && harness.cached(TestSchema.group) != nil
        )
        _ = try await harness.call(TestSchema.save, Self.save())
        #expect(harness.repository.generation != generation)
        #expect(
            harness.cached(TestSchema.list, Request.page(1)) == nil && harness.cached(TestSchema.group) == nil
        )
        #expect(try await harness.call(TestSchema.group).origin == .miss)
    }

    @Test func aWriteThatFailsLeavesWhatIsKept() async throws {
        let harness = try Harness { request in
            request.method == .put ? .json("{}", status: 422) : thingsPage(request, count: 3)
        }
        _ = try await harness.call(TestSchema.list)
        await #expect(throws: CallError.self) { try await harness.call(TestSchema.save, Self.save()) }
        #expect(harness.cached(TestSchema.list, Request.page(1)) != nil)
    }

    @Test func whoAsksAfterAWriteIsNotGivenWhatWasFetchedBefore() async throws {
        let gate = Gate()
        let harness = try Harness { request throws(TransportError) in
            if request.method == .put { return .json(#"{"name":"n"}"#) }
            try await gate.pass()
            return thingsPage(request, count: 3)
        }
        let before = Task { try await harness.call(TestSchema.group) }
        await gate.wait(arrivals: 1)
        _ = try await harness.call(TestSchema.save, Self.save())
        harness.things.answer { request in thingsPage(request, count: 9) }
        let after = try await harness.call(TestSchema.group).json(TestSchema.groupsID)
        gate.open()
        let old = try await before.value.json(TestSchema.groupsID)
        #expect(old != after && after.contains("i9"))
        #expect(try harness.cached(TestSchema.group)?.json(TestSchema.groupsID) == after)
    }
}

extension Result {
    fileprivate var failure: Failure? {
        switch self {
        case .success: nil
        case .failure(let error): error
        }
    }
}
