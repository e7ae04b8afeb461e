import PorticoTranscode
import Testing

@testable import PorticoServer

@Suite struct SandboxWriteTests {
    private let two: [JSONValue] = ["a", "b"].map {
        .object([.init("id", .string($0)), .init("n", .number("1"))])
    }

    private func text(_ items: [JSONValue]) -> String { JSONValue.array(items).compactText }

    @Test func aNewItemGetsAKeyUnlessItHasOne() throws {
        var items = two
        let made = try SandboxWrite.create(Array(#"{"n":2}"#.utf8), key: "id", in: &items) { "new" }
        #expect(made.compactText == #"{"id":"new","n":2}"#)
        let empty = try SandboxWrite.create(Array(#"{"id":"","n":3}"#.utf8), key: "id", in: &items) {
            "newer"
        }
        #expect(empty.compactText == #"{"id":"newer","n":3}"#)
        _ = try SandboxWrite.create(Array(#"{"id":7}"#.utf8), key: "id", in: &items)
        #expect(items.count == 5 && items.last?.compactText == #"{"id":7}"#)
        let uuid = try SandboxWrite.create(Array("{}".utf8), key: "id", in: &items)["id"]?.plainText
        #expect(uuid?.wholeMatch(of: /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/) != nil)
    }

    @Test func anItemIsReplacedAsAWholeInItsPlace() throws {
        var items = two
        let given = try SandboxWrite.replace(Array(#"{"m":2}"#.utf8), selectedBy: ["id": "a"], in: &items)
        #expect(given?.compactText == #"{"id":"a","m":2}"#)
        #expect(text(items) == #"[{"id":"a","m":2},{"id":"b","n":1}]"#)
        #expect(try SandboxWrite.replace(Array("{}".utf8), selectedBy: ["id": "c"], in: &items) == nil)
    }

    @Test(arguments: [
        ("", 400), ("[]", 400), ("7", 400), ("{", 400), ("{}{}", 400), (#"{"a":1,"a":2}"#, 400),
        ("\u{0}", 400), (String(repeating: "[", count: 5000), 400), (#"{"id":{"x":1}}"#, 400),
        (#"{"id":[]}"#, 400), (#"{"id":"a"}"#, 409),
        (#"{"x":""# + String(repeating: "y", count: 20_000) + #""}"#, 413),
    ]) func badBodiesAreRefusedAndChangeNothing(body: String, status: Int) throws {
        var items = two
        do throws(SandboxWrite.Refusal) {
            _ = try SandboxWrite.create(Array(body.utf8), key: "id", in: &items)
            Issue.record("accepted")
        } catch {
            #expect(error.status == status)
        }
        #expect(items == two)
    }

    @Test func aBodyThatNamesAnotherItemIsRefused() throws {
        var items = two
        #expect(throws: SandboxWrite.Refusal(status: 400, reason: "The body's id is not the path's.")) {
            try SandboxWrite.replace(Array(#"{"id":"b"}"#.utf8), selectedBy: ["id": "a"], in: &items)
        }
        #expect(items == two)
    }

    @Test func aFullFileTakesNoMore() throws {
        var items: [JSONValue] = []
        for number in 0..<SandboxWrite.mostItems {
            _ = try SandboxWrite.create(Array("{}".utf8), key: "id", in: &items) { "\(number)" }
        }
        #expect(throws: SandboxWrite.Refusal.self) {
            try SandboxWrite.create(Array("{}".utf8), key: "id", in: &items)
        }
        #expect(items.count == SandboxWrite.mostItems)
    }
}
