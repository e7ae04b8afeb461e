import PorticoSchema
import Testing

/// `(portico.v1.rules)`: rules that cannot hold are found at the start, good ones are in the model.
@Suite struct FieldRulesTests {
    static let bad: [Snippet] = [
        rules("int32 f", "email: true", "2:49: \"email\" is a rule for string fields"),
        rules("string f", "known: true", "2:50: \"known\" is a rule for enum fields"),
        rules(
            "string f", "min_length: 3 max_length: 2", "2:50: no text has at least 3 and at most 2 characters"
        ),
        rules(
            "string f", "pattern: '[0-9' max_length: 9",
            "2:59: the pattern \"[0-9\" cannot be read: expected ']'"),
        rules(
            "string f", "pattern: 'a+'", "2:59: a pattern needs \"max_length\", so that matching ends soon"),
        rules(
            "A f", "required: true pattern: 'a' max_length: 1",
            "2:60: \"pattern\" is a rule for string fields",
            "2:73: \"max_length\" is a rule for string fields"),
        rules("string f", "longest: 3", "2:50: portico.v1.Rules has no field \"longest\""),
    ]

    private static func rules(_ field: String, _ rules: String, _ faults: String...) -> Snippet {
        Snippet(
            "message A { \(field) = 1 [(portico.v1.rules) = { \(rules) }]; }", faults: faults)
    }

    @Test(arguments: bad) func aRuleThatCannotHoldIsRefused(snippet: Snippet) throws {
        #expect(try SchemaFiles.faults(in: snippet.file) == snippet.faults)
    }

    @Test func aFieldHasItsRulesAndItsPlaceInABody() throws {
        let text = """
            message A {
              repeated string f = 1 [(portico.v1.rules) = { required: true
                min_length: 2 max_length: 4 pattern: "[a-z]+" email: true }];
              string other_field = 2 [json_name = "theField"];
              string deep = 3 [(portico.v1.path) = "x.y", (portico.v1.rules) = {}];
              E kind = 4 [(portico.v1.rules).known = true];
            }
            enum E { Z = 0; }
            """
        let schema = try SchemaCompiler.compile(files: [
            SchemaFile(path: "t.proto", text: Snippet(text).file),
            try SchemaFiles.file("portico/v1/options.proto"), try SchemaFiles.file("portico/v1/image.proto"),
        ])
        let fields = schema[try #require(schema.message(named: "p.A"))].fields
        let rules = try #require(fields[0].rules)
        #expect(rules.isRequired && rules.isEmail && !rules.isKnown)
        #expect(rules.minimumLength == 2 && rules.maximumLength == 4 && rules.pattern?.text == "[a-z]+")
        #expect(rules.pattern?.matches("abc") == true && rules.pattern?.matches("abc1") == false)
        #expect(fields.map(\.bodyPath) == [["f"], ["theField"], ["x", "y"], ["kind"]])
        #expect(fields[1].rules == nil && fields[2].rules != nil && fields[3].rules?.isKnown == true)
    }
}
