import PorticoSchema
import Testing

/// What the grammar takes and refuses, with the exact words and places.
@Suite struct GrammarTests {
    static let good: [Snippet] = [
        Snippet(""),
        Snippet(";;;"),
        Snippet("message A {};"),
        Snippet("message A { message B { message C { B b = 1; A a = 2; .p.A.B.C c = 3; } } }"),
        Snippet(
            "message A { int32 message = 1; int32 option = 2; int32 reserved = 3; int32 oneof = 4; int32 map = 5; }"
        ),
        Snippet(
            "message A { map<string, A> a = 1; map<int64, E> b = 2; map<bool, bytes> c = 3; } enum E { Z = 0; }"
        ),
        Snippet("message A { oneof o { int32 a = 1; A b = 2; string option = 3; } optional int32 c = 4; }"),
        Snippet("message A { reserved 1, 3 to 5, 100 to max; reserved \"a\", 'b'; int32 c = 2; }"),
        Snippet(
            "enum E { Z = 0; N = -1; M = 0x7ffffffE; O = 010; reserved -5 to -2, 0x7fffffff; reserved \"X\"; }"
        ),
        Snippet("enum E { option allow_alias = true; A = 0; B = 0; }"),
        Snippet("enum E { message = 0; option_ = 1; reserved_ = 2; }"),
        Snippet("message A { repeated int32 a = 1 [packed = false, deprecated = true, json_name = \"b\"]; }"),
        Snippet(
            "option java_package = \"a\" 'b'; option optimize_for = CODE_SIZE; option deprecated = false;"),
        Snippet("message A { // a\n /* b */ int32 a = 1; /* c\n d */ }"),
        Snippet("message A { string a = 0x10; string b = 017; }"),
        Snippet("message optional {} message A { .p.optional a = 1; p.optional b = 2; }"),
    ]

    static let bad: [Snippet] = [
        Snippet(
            "message A { int32 a 1; int32 b = 2; bogus }",
            "2:21: expected \"=\", found \"1\"", "2:43: expected the field's name, found \"}\""),
        Snippet(
            "package a" + String(repeating: ".a", count: 100_000) + ";",
            "2:9: a name has at most 100 parts"),
        Snippet("message A {\n  int32 a = 1\n  int32 b = 2;\n}", "3:14: \";\" is missing after the field"),
        Snippet("message A { int32 a = 1 int32 b = 2; }", "2:25: expected \";\", found \"int32\""),
        Snippet(
            "message { int32 a = 1; }\nmessage B { C c = 1; }",
            "2:9: expected the message's name, found \"{\"",
            "3:13: \"C\" is not a type"),
        Snippet(
            "mesage A {}",
            "2:1: expected a declaration such as \"message\", found \"mesage\"; did you mean \"message\"?"),
        Snippet("}", "2:1: expected a declaration such as \"message\", found \"}\""),
        Snippet("message A {\n  int32 a = 1;", "2:1: message \"A\" is not closed: \"}\" is missing"),
        Snippet(
            "message A { int32 a = 0; int32 b = -1; int32 c = 536870912; int32 d = x; }",
            "2:23: 0 is out of range; a field number lies within 1 to 536870911",
            "2:36: -1 is out of range; a field number lies within 1 to 536870911",
            "2:50: 536870912 is out of range; a field number lies within 1 to 536870911",
            "2:71: expected a field number, found \"x\""),
        Snippet(
            "message A { required int32 a = 1; }",
            "2:13: proto3 has no \"required\" fields; use [(portico.v1.required) = true]"),
        Snippet("message A { int32 a = 1 [default = 1]; }", "2:26: proto3 has no default values"),
        Snippet("message A { repeated group G = 1 {} }", "2:22: groups are not supported; use a message"),
        Snippet("message A { optional map<int32, int32> a = 1; }", "2:13: a map field takes no label"),
        Snippet(
            "message A { map<float, int32> a = 1; map<A, A> b = 2; }",
            "2:17: a map's keys are integers, bool or string, not \"float\"",
            "2:42: a map's keys are integers, bool or string, not \"A\""),
        Snippet(
            "message A { oneof o { repeated int32 a = 1; map<int32, int32> b = 2; } }",
            "2:23: a field of a oneof takes no label", "2:45: a map cannot be in a oneof"),
        Snippet("message A { oneof o {} }", "2:19: oneof \"o\" has no fields"),
        Snippet("enum E {}", "2:6: enum \"E\" has no values"),
        Snippet(
            "enum E { A = 0; B = 2147483648; }",
            "2:21: 2147483648 is out of range; an enum number lies within -2147483648 to 2147483647"),
        Snippet(
            "message A { reserved 5 to 2; extensions 7; }", "2:22: the range ends before it begins",
            "2:30: proto3 messages have no extension ranges"),
        Snippet(
            "service S { rpc M(stream A) returns (stream A); } message A {}",
            "2:19: streaming methods are not supported: every method can be observed without being declared so",
            "2:38: streaming methods are not supported: every method can be observed without being declared so",
            protocAgrees: false),
        Snippet(
            "message A { string a = 1 [json_name = \"x];\n}", "2:39: the string is not closed on its line",
            "3:1: expected a value, found \"}\""),
        Snippet(
            "message A { string ä = 1; }", "2:20: the character U+00E4 cannot stand here",
            "2:22: expected the field's name, found \"=\""),
        Snippet("/* never closed", "2:1: the comment is not closed: \"*/\" is missing"),
        Snippet("package q;", "2:1: the file has a package already"),
        Snippet("syntax = \"proto3\";", "2:1: syntax must be the file's first statement, once"),
        Snippet(
            "message A { string a = 1x; string b = 09; string c = 0x; }",
            "2:24: \"1x\" is no number", "2:26: expected a field number, found \";\"",
            "2:39: \"09\" is no number", "2:41: expected a field number, found \";\"",
            "2:54: \"0x\" is no number", "2:56: expected a field number, found \";\""),
        Snippet(
            "option java_package = \"\\q\\xz\\u12\\400\";",
            "2:24: unknown escape in a string; write a backslash as \"\\\\\"",
            "2:26: \"\\x\" must be followed by one or two hexadecimal digits",
            "2:29: the escape must have 4 hexadecimal digits", "2:33: the escape is larger than a byte"),
    ]

    @Test(arguments: good) func isAccepted(snippet: Snippet) throws {
        #expect(try SchemaFiles.faults(in: snippet.file) == [])
    }

    @Test(arguments: bad) func isRefusedWithItsPlace(snippet: Snippet) throws {
        let faults = try SchemaFiles.faults(in: snippet.file)
        #expect(faults == snippet.faults, "\(faults)")
    }

    @Test(arguments: [
        ("", ["1:1: the file must begin with syntax = \"proto3\";"]),
        ("message A {}", ["1:1: the file must begin with syntax = \"proto3\";"]),
        ("syntax = \"proto2\"; message A {}", ["1:10: proto2 is not supported; write syntax = \"proto3\";"]),
        ("edition = \"2023\";", ["1:1: editions are not supported; write syntax = \"proto3\";"]),
        ("syntax = \"proto9\";", ["1:10: unknown syntax \"proto9\"; write syntax = \"proto3\";"]),
        ("\u{FEFF}// a comment first\nsyntax = \"proto3\";", []),
    ]) func theFirstStatementIsItsSyntax(text: String, faults: [String]) throws {
        #expect(try SchemaFiles.faults(in: text) == faults)
    }

    @Test func nestingHasABound() throws {
        let nested = { (depth: Int) in
            String(repeating: "message A { ", count: depth) + String(repeating: "}", count: depth)
        }
        #expect(try SchemaFiles.faults(in: Snippet.head + nested(32)) == [])
        #expect(
            try SchemaFiles.faults(in: Snippet.head + nested(33))
                == ["2:385: messages are nested more than 32 deep"])
        #expect(try SchemaFiles.faults(in: Snippet.head + nested(100_000)).count == 1)
    }

    @Test func aFileHasABound() throws {
        let text = Snippet.head + String(repeating: " ", count: SchemaLimits.fileBytes)
        let faults = try SchemaFiles.faults(in: text)
        #expect(faults.first?.contains("at most 4194304 are read") == true)
    }

    @Test func theCommentRightAboveAMethodIsItsDocumentation() throws {
        let text = """
            syntax = "proto3"; package portico.v1;
            service Control { // not this
              // Nor this.

              // One.
              // Two.
              rpc A(M) returns (M);  // trailing
              /* Three
               * lines. */
              rpc B(M) returns (M);
              rpc C(M) returns (M);
            }
            message M {}
            """
        let schema = try SchemaCompiler.compile(files: [SchemaFile(path: "c.proto", text: text)])
        #expect(schema.methods.map(\.documentation) == ["One.\nTwo.", "Three\nlines. ", ""])
    }
}
