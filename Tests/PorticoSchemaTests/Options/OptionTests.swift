import PorticoSchema
import Testing

/// Options: what they are called, what they take, and text format in all its forms.
@Suite struct OptionTests {
    private static func view(_ value: String) -> Snippet {
        Snippet(
            """
            service S {
              rpc List(Q) returns (L) { option (portico.v1.upstream) = { base: "b" get: "x" }; }
              rpc View(Q) returns (L) { option (portico.v1.view) = \(value); }
            }
            message Q { string a = 1; int32 n = 2; int32 s = 3; } message L { repeated R r = 1; }
            message R { string a = 1; }
            """)
    }

    /// All of these mean one thing, `from: "List" where: ["a", "a = 'x'"]`, or are refused by nobody.
    static let textFormats: [Snippet] = [
        view("{ from: \"List\" where: \"a\" where: \"a = 'x'\" }"),
        view("{ from: \"List\", where: [\"a\", \"a = 'x'\"], }"),
        view("{ from: \"List\"; where: [\"a\", \"a = 'x'\"]; }"),
        view("{ from: 'Li' \"st\" where: [\"a\", 'a = \\'x\\'' ] all_pages: false }"),
        view("{ from: \"\\x4c\\151st\" /* c */ where: \"a\" // c\n where: \"a = \\u0027x'\" }"),
        view(
            "{ from: \"List\" page { size: \"s\" number: \"n\" default_size: 0x1 max_size: 010 } sort: [] }"),
        view(
            "{ from: \"List\" page: { size: \"s\" number: \"n\" default_size: 1 max_size: 2 } all_pages: f }"),
        view(
            "{ from: \"List\" page < size: \"s\", number: \"n\"; default_size: 1 max_size: 2 > all_pages: 0 }"
        ),
        Snippet(
            "option (o) = { r { } r: [{}, < >] r [{ }] }; option (fo) = { [p.e]: 1, deprecated: true [p.e2] { } }; "
                + extensions),
        Snippet("option (o).m.m.f = -1.5e3; option (o).m.g = 7; option (o).i = -7; " + extensions),
        Snippet("option (.p.o) = { f: -inf g: nan i: -0x7 b: \"\\377\" f2: 1 }; " + extensions),
    ]

    private static let extensions = """
        import "google/protobuf/descriptor.proto";
        message O { O m = 1; float f = 2; double g = 3; sint32 i = 4; bytes b = 5; repeated O r = 6; double f2 = 7; }
        extend google.protobuf.FileOptions { O o = 50000; google.protobuf.FieldOptions fo = 50001; }
        extend google.protobuf.FieldOptions { int32 e = 50002; O e2 = 50003; }
        """

    static let bad: [Snippet] = [
        Snippet(
            "option java_pakage = \"a\";",
            "2:8: google.protobuf.FileOptions has no field \"java_pakage\"; did you mean \"java_package\"?"),
        Snippet(
            "option java_package = \"a\"; option java_package = \"b\";", "2:35: \"java_package\" is set twice"
        ),
        Snippet(
            "option java_package = 1; option deprecated = \"x\"; option optimize_for = FAST;",
            "2:23: \"java_package\" takes a string, not 1",
            "2:46: \"deprecated\" takes true or false, not a string",
            "2:73: google.protobuf.FileOptions.OptimizeMode has no value \"FAST\""),
        Snippet("option deprecated = True;", "2:21: \"deprecated\" takes true or false, not \"True\""),
        Snippet(
            "message A { option map_entry = true; }",
            "2:20: map_entry cannot be set; declare the field as map<…>", protocAgrees: false),
        Snippet(
            "message A { int32 a = 1 [(portico.v1.rol) = KEY]; }",
            "2:27: there is no option \"portico.v1.rol\"; did you mean \"portico.v1.role\"?"),
        Snippet(
            "message A { int32 a = 1 [(portico.v1.role) = KEYS]; }",
            "2:46: portico.v1.Role has no value \"KEYS\"; did you mean \"KEY\"?"),
        Snippet(
            "message A { int32 a = 1 [(portico.v1.upstream) = {}]; }",
            "2:27: \"portico.v1.upstream\" is an option of google.protobuf.MethodOptions, not of "
                + "google.protobuf.FieldOptions"),
        Snippet("message A { int32 a = 1 [(A) = 1]; }", "2:27: \"A\" is not an option"),
        Snippet(
            "message A { int32 a = 1 [(portico.v1.path).x = \"a\"]; }",
            "2:27: \"portico.v1.path\" is no single message; nothing can be set inside it"),
        Snippet("message A { int32 a = 1 [deprecated]; }", "2:36: expected \"=\", found \"]\""),
        Snippet(
            "message A { int32 a = 1 [deprecated = [true]]; int32 b = 2; bad }",
            "2:39: expected a value, found \"[\"", "2:65: expected the field's name, found \"}\""),
        Snippet(
            "service S { rpc M(A) returns (A) { option (portico.v1.upstream) = { base: \"b\" gett: \"x\" }; } }\n"
                + "message A {}",
            "2:79: portico.v1.Upstream has no field \"gett\"; did you mean \"get\"?"),
        Snippet(
            "service S { rpc M(A) returns (A) { option (portico.v1.upstream) = { base: \"b\" base: \"c\" get: \"x\" "
                + "post: \"y\" }; } }\nmessage A {}",
            "2:79: \"base\" is set twice", "2:98: \"post\" and \"get\" exclude each other"),
        Snippet(
            "service S { rpc M(A) returns (A) { option (portico.v1.upstream) = { base: [\"b\"] get: \"x\" }; } }\n"
                + "message A {}", "2:75: \"base\" takes one value, not a list"),
        Snippet(
            "service S { rpc M(A) returns (A) { option (portico.v1.upstream) = { base \"b\" }; } }\nmessage A {}",
            "2:74: expected \":\" behind \"base\", found a string"),
        Snippet(
            "enum E { A = 0 [(portico.v1.json) = \"x\"]; B = 1 [(portico.v1.json) = \"x\"]; }",
            "2:70: \"x\" is the spelling of two values", protocAgrees: false),
        Snippet(
            "message A { int32 a = 1 [(portico.v1.path) = \"a..b\"]; }",
            "2:46: a path is made of names with \".\" between them: \"data.items\"", protocAgrees: false),
        Snippet(
            "option java_package = \"\\xff\";", "2:23: \"java_package\" must be valid UTF-8",
            protocAgrees: false),
    ]

    @Test(arguments: textFormats) func textFormatHasManyForms(snippet: Snippet) throws {
        let faults = try SchemaFiles.faults(in: snippet.file)
        #expect(faults == [], "\(faults)")
    }

    @Test(arguments: bad) func isRefusedWithItsPlace(snippet: Snippet) throws {
        let faults = try SchemaFiles.faults(in: snippet.file)
        #expect(faults == snippet.faults, "\(faults)")
    }

    @Test func valuesNestAtMost32Deep() throws {
        let deep = { (depth: Int) in
            Snippet.head + "option (o) = { " + String(repeating: "m { ", count: depth - 1)
                + String(repeating: "}", count: depth) + "; " + Self.extensions
        }
        #expect(try SchemaFiles.faults(in: deep(32)) == [])
        #expect(
            try SchemaFiles.faults(in: deep(33)) == ["2:142: the option's value is nested more than 32 deep"])
        #expect(try SchemaFiles.faults(in: deep(200_000)).count >= 1)
    }
}
