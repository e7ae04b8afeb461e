import PorticoSchema
import PorticoTranscode
import PorticoWire
import Testing

@Suite struct RequestRulesTests {
    private static let options = #"""
        syntax = "proto3"; package portico.v1; import "google/protobuf/descriptor.proto";
        message Rules { bool required = 1; uint32 min_length = 2; uint32 max_length = 3; string pattern = 4;
          bool email = 5; bool known = 6; }
        extend google.protobuf.FieldOptions { Rules rules = 51004; }
        """#
    private static let text = #"""
        syntax = "proto3"; package p; import "portico/v1/options.proto";
        message Q {
          Person person = 1 [(portico.v1.rules).required = true];
          string plain = 2;
          repeated Kind kinds = 3 [(portico.v1.rules).known = true];
        }
        enum Kind { NONE = 0; A = 1; B = 2; }
        message Person {
          string name = 1 [(portico.v1.rules) = { required: true min_length: 2 max_length: 4 }];
          optional string code = 2 [(portico.v1.rules) = { max_length: 8 pattern: "[a-z]+" }];
          string mail = 3 [(portico.v1.rules).email = true];
          Kind kind = 4 [(portico.v1.rules) = { required: true known: true }];
          repeated string tags = 5 [(portico.v1.rules).max_length = 3];
          repeated Person friends = 6;
        }
        """#
    private let schema: Schema
    private let message: MessageID
    private let rules: RequestRules
    private let decoder: RecordDecoder

    init() throws {
        schema = try SchemaCompiler.compile(files: [
            SchemaFile(path: "portico/v1/options.proto", text: Self.options),
            SchemaFile(path: "t.proto", text: Self.text),
        ])
        message = try #require(schema.message(named: "p.Q"))
        rules = RequestRules(schema: schema, message: message)
        decoder = RecordDecoder(schema: schema, message: message, options: DecodeOptions(mode: .strict))
    }

    private func faults(_ json: String) throws -> RuleFaults {
        let bytes = try decoder.decode(Array(json.utf8).span).bytes
        return rules.faults(in: try MessageLayout(schema: schema, message: message).canonical(bytes.span))
    }

    @Test(arguments: [
        (#"{}"#, "person is needed"),
        (#"{"person":{"name":"abc","kind":"A"}}"#, ""),
        (#"{"person":{"name":"é🎈ab","kind":"A","code":"abc","mail":"a@b.c","tags":["abc"]}}"#, ""),
        (#"{"person":{}}"#, "person.name is needed; person.kind is needed"),
        (
            #"{"person":{"name":"a","kind":9,"mail":"a@"}}"#,
            "person.name has 1 characters, at least 2 are needed; person.mail is not an e-mail address; "
                + "person.kind is none of A, B"
        ),
        (
            #"{"person":{"name":"abcde","kind":"B","code":""}}"#,
            "person.name has 5 characters, at most 4 are allowed; person.code does not match [a-z]+"
        ),
        (#"{"person":{"name":"ab","kind":"B","code":"abc1"}}"#, "person.code does not match [a-z]+"),
        (
            #"{"person":{"name":"ab","kind":"A","tags":["a","abcd"]},"kinds":["A",7]}"#,
            "person.tags[1] has 4 characters, at most 3 are allowed; kinds[0] is none of A, B"
        ),
        (
            #"{"person":{"name":"ab","kind":"A","friends":[{"name":"ab","kind":"A"},{"kind":"A"}]}}"#,
            "person.friends[1].name is needed"
        ),
    ]) func everyFieldThatBreaksARuleIsNamed(json: String, sentence: String) throws {
        #expect(try faults(json).sentence == sentence)
    }

    @Test func manyFaultsAreCountedAndNothingOfAValueIsSaid() throws {
        let tags = (0..<1000).map { "\"secret\($0)\"" }.joined(separator: ",")
        let faults = try faults(#"{"person":{"name":"ab","kind":"A","tags":[\#(tags)]}}"#)
        let sentence = faults.sentence
        #expect(faults.named.count == RuleFaults.mostNamed && faults.count == 1000)
        #expect(sentence.hasSuffix("; and 980 more") && !sentence.contains("secret"))
    }

    @Test func aRequestWithoutRulesIsNotLookedAt() throws {
        let plain = try #require(schema.message(named: "portico.v1.Rules"))
        #expect(RequestRules(schema: schema, message: plain).isEmpty)
    }

    @Test(arguments: [
        ("a@b", true), ("first.last+tag@sub.example.org", true), ("!#$%&'*+/=?^_`{|}~-@x-y.z", true),
        ("", false), ("@", false), ("a@", false), ("@b", false), ("a@b@c", false), ("a b@c", false),
        ("a@b..c", false), ("a@-b.c", false), ("a@b-.c", false), ("a@b.", false), ("é@b.c", false),
        ("a@b.c\n", false), (String(repeating: "a", count: 64) + "@b", true),
        (String(repeating: "a", count: 65) + "@b", false),
        ("a@" + String(repeating: "b", count: 63), true), ("a@" + String(repeating: "b", count: 64), false),
        ("a@" + Array(repeating: "bbb", count: 64).joined(separator: "."), false),
    ]) func eMailAddressesAreThoseOfForms(text: String, isOne: Bool) {
        #expect(EmailAddress.isOne(text) == isOne)
    }
}
