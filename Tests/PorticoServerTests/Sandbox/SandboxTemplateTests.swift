import PorticoTranscode
import Testing

@testable import PorticoServer

@Suite struct SandboxTemplateTests {
    private static let values: [String: JSONValue] = [
        "id": .number("7"), "name": .string("Leia"), "films": .array([.number("1"), .number("2")]),
        "nothing": .null, "none": .array([]),
    ]

    @Test(arguments: [
        (#""{{id}}""#, "7"),
        (#""p/{{id}}/""#, #""p/7/""#),
        (#""f/{{films}}/""#, #"["f/1/","f/2/"]"#),
        (#""{{films}}""#, "[1,2]"),
        (#""f/{{none}}""#, "[]"),
        (#""f/{{nothing}}""#, "null"),
        (#""f/{{absent}}""#, "null"),
        (#""{{absent}}""#, "null"),
        (#""{{name}} {{id}}""#, #""Leia 7""#),
        (#"{"a":["{{id}}",true,"x"],"b":null}"#, #"{"a":[7,true,"x"],"b":null}"#),
        (#""{{open""#, #""{{open""#),
        (#""}}{{id}}""#, #""}}7""#),
        (#""""#, #""""#),
    ])
    func placeholdersAreFilledIn(template: String, result: String) throws {
        let json = try DocumentReader.read(Array(template.utf8), file: "template").value
        #expect(SandboxTemplate(json).filled(with: Self.values).compactText == result)
    }
}

@Suite struct SandboxPathTests {
    @Test func parametersAreSegmentsOrPartsOfThem() throws {
        let path = try #require(SandboxPath("w{width}/{name}.jpg/"))
        #expect(path.match(["w92", "a.jpg"]) == ["width": "92", "name": "a"])
        #expect(path.match(["w", "a.jpg"]) == nil)
        #expect(path.match(["w92", ".jpg"]) == nil)
        #expect(path.match(["w92"]) == nil)
        #expect(path.match(["w92", "a.jpg", "b"]) == nil)
    }

    @Test(arguments: ["{", "}", "a{b", "a}b", "{}", "{a}{b}", "{a}/{a}", "{{a}}", "}{"])
    func bracesMustPairUp(text: String) {
        #expect(SandboxPath(text) == nil)
    }
}
