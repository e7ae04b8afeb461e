import Testing

@testable import portico

@Test(arguments: [
    ("{}", "{}"), ("[]", "[]"), ("1", "1"), (#""a\"{[,:""#, #""a\"{[,:""#),
    (
        #"{"a":[1,{"b":"\\"}],"c":{}}"#,
        "{\n  \"a\": [\n    1,\n    {\n      \"b\": \"\\\\\"\n    }\n  ],\n  \"c\": {}\n}"
    ),
]) func compactJSONIsLaidOutForPeople(compact: String, indented: String) {
    #expect(String(decoding: JSONIndenter.indented(Array(compact.utf8)), as: UTF8.self) == indented)
}
