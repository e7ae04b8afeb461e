import PorticoSchema
import PorticoUpstream
import Testing

@Suite struct TargetBuilderTests {
    private func template(_ path: [Template.Piece], query: [(String, [Template.Piece])] = []) -> PathTemplate
    {
        PathTemplate(path: Template(path), query: query.map { .init(name: $0.0, value: Template($0.1)) })
    }

    @Test(arguments: [
        ("1", "people/1/"), ("a b", "people/a%20b/"), ("a/b", "people/a%2Fb/"), ("ü", "people/%C3%BC/"),
        ("a-b.c_d~e", "people/a-b.c_d~e/"), ("?#&=+%", "people/%3F%23%26%3D%2B%25/"), ("...", "people/.../"),
    ])
    func aFieldIsPercentEncoded(value: String, expected: String) throws {
        let builder = TargetBuilder(template([.literal("people/"), .field("id"), .literal("/")]))
        #expect(try builder.fill { _ in value }.path == expected)
    }

    @Test(arguments: [".", ".."]) func aFieldCannotClimbOutOfTheBase(value: String) {
        let builder = TargetBuilder(template([.literal("people/"), .field("id"), .literal("/")]))
        #expect(throws: TargetBuilder.Fault.unsafePath(field: "id")) { try builder.fill { _ in value } }
    }

    @Test func aMissingPathFieldIsAFault() {
        let builder = TargetBuilder(template([.literal("people/"), .field("id")]))
        #expect(throws: TargetBuilder.Fault.missing(field: "id")) { try builder.fill { _ in nil } }
    }

    @Test func anUnsetFieldDropsItsQueryItem() throws {
        let builder = TargetBuilder(
            template([.literal("p")], query: [("a", [.field("a")]), ("b", [.literal("x-"), .field("b")])]))
        #expect(try builder.fill { $0 == "b" ? "1 2" : nil }.query == "b=x-1%202")
        #expect(try builder.fill { _ in nil }.query == nil)
    }

    @Test(arguments: [
        ("/abc.jpg", "w500/abc.jpg"), ("abc.jpg", "w500/abc.jpg"), ("/a/b c.jpg", "w500/a/b%20c.jpg"),
    ])
    func aTrailingImagePathKeepsItsSlashes(value: String, expected: String) throws {
        let builder = TargetBuilder(
            template([.literal("w"), .field("width"), .literal("/"), .field("path")]),
            slashes: .keptInTrailingField)
        #expect(try builder.fill { $0 == "width" ? "500" : value }.path == expected)
    }

    @Test(arguments: [
        "..", "/../x", "a/../b", "a//b", "//x", "a/", "a%2Fb", "a\\b", "%2e%2e/x", "/", "./a", "a%5Cb",
    ])
    func aTrailingImagePathWithATrickIsRefused(value: String) {
        let builder = TargetBuilder(
            template([.literal("w"), .field("width"), .literal("/"), .field("path")]),
            slashes: .keptInTrailingField)
        #expect(throws: TargetBuilder.Fault.unsafePath(field: "path")) {
            try builder.fill { $0 == "width" ? "500" : value }
        }
    }

    @Test func onlyTheWholeRestOfThePathKeepsSlashes() throws {
        let builder = TargetBuilder(
            template([.literal("w"), .field("path")]), slashes: .keptInTrailingField)
        #expect(try builder.fill { _ in "a/b" }.path == "wa%2Fb")
    }
}
