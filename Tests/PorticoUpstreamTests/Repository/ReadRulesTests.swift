import PorticoSchema
import PorticoUpstream
import PorticoWire
import Testing

/// Rules of the schema hold for requests that read, whichever way the method is come by.
@Suite struct ReadRulesTests {
    private static let tooLong = String(repeating: "x", count: 201)
    private static let sentence = "id has 201 characters, at most 200 are allowed"

    private static func harness() throws -> Harness {
        try Harness { request in
            request.url.path.contains("items/")
                ? thingsPage(request, count: 1) : .json(#"{"status":"success","data":{"name":"n"}}"#)
        }
    }

    @Test(arguments: [TestSchema.item, TestSchema.ownedItem, TestSchema.itemPhoto])
    func aRequestThatBreaksOneIsNotSent(method: MethodID) async throws {
        let harness = try Self.harness()
        let request = Request.text(1, Self.tooLong)
        await #expect(throws: CallError(.invalidArgument, Self.sentence)) {
            try await harness.call(method, request)
        }
        #expect(harness.cached(method, request) == nil)
        #expect(throws: CallError.self) { try harness.observe(method, request) }
        #expect(harness.things.requests.isEmpty && harness.repository.observed == (0, 0, 0))
    }

    @Test func aPartOfAComposedAnswerSaysWhichOneItBreaks() async throws {
        let harness = try Self.harness()
        let json = try await harness.call(TestSchema.home, Request.text(2, Self.tooLong))
            .json(TestSchema.homeID)
        #expect(json.contains(#""code":"INVALID_ARGUMENT","message":"\#(Self.sentence)""#), "\(json)")
        #expect(json.contains(#"{"name":"groups","ok":true}"#))
        let (ear, observation) = try harness.observe(TestSchema.home, Request.text(2, Self.tooLong))
        #expect(try await ear.next(as: TestSchema.homeID).contains(Self.sentence))
        observation.end()
    }
}
