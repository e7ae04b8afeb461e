import PorticoSchema
import Testing

/// Protobuf's rules for names, numbers and types.
@Suite struct LinkerTests {
    static let bad: [Snippet] = [
        Snippet(
            "message Person {} message A { Persn a = 1; }",
            "2:31: \"Persn\" is not a type; did you mean \"Person\"?"),
        Snippet(
            "message A { message B {} A.B.C a = 1; } message C {}",
            "2:26: \"A.B.C\" is looked for as \"p.A.B.C\", which does not exist; begin it with \".\" to name it from "
                + "the outermost scope"),
        Snippet(
            "message A { google.protobuf.MethodOptions a = 1; }",
            "2:13: \"google.protobuf.MethodOptions\" is defined in google/protobuf/descriptor.proto, which this file "
                + "does not import"),
        Snippet("message A {} message A {}", "2:22: \"A\" is already defined at t.proto:2:9"),
        Snippet(
            "message A { int32 a = 1; int32 b = 1; int32 a = 2; }", "2:36: number 1 is taken by field \"a\"",
            "2:45: \"a\" is already defined at t.proto:2:19",
            "2:45: in JSON the name \"a\" is the same as that of field \"a\""),
        Snippet(
            "message A { oneof a { int32 b = 1; } int32 a = 2; }",
            "2:19: \"a\" is already defined at t.proto:2:44"),
        Snippet(
            "enum E { A = 0; } enum F { A = 0; }",
            "2:28: \"A\" is already defined at t.proto:2:10: an enum's values share the scope the enum stands in"
        ),
        Snippet("enum E { A = 1; }", "2:10: the first value of a proto3 enum must be 0, not 1"),
        Snippet(
            "enum E { A = 0; B = 0; }",
            "2:17: number 0 is taken by \"A\"; to give it two names, set option allow_alias = true;"),
        Snippet(
            "enum E { option allow_alias = true; A = 0; B = 1; }",
            "2:31: allow_alias is set, but no two values share a number"),
        Snippet(
            "enum Foo { FOO_A = 0; A = 1; }",
            "2:23: \"A\" and \"FOO_A\" are the same name without the enum's prefix"),
        Snippet(
            "enum E { reserved 1 to 3; reserved \"X\"; A = 0; B = 2; X = 4; }",
            "2:48: number 2 is reserved", "2:55: the name \"X\" is reserved"),
        Snippet(
            "message A { reserved 1 to 3; reserved \"x\"; int32 a = 2; int32 x = 4; }",
            "2:54: number 2 is reserved", "2:63: the name \"x\" is reserved"),
        Snippet(
            "message A { reserved 1 to 5, 5 to 6; reserved \"a\", \"a\"; }",
            "2:30: number 5 is reserved twice",
            "2:52: the name \"a\" is reserved twice"),
        Snippet(
            "message A { int32 a = 19000; int32 b = 19999; int32 c = 20000; }",
            "2:23: numbers 19000 to 19999 are reserved for protobuf itself",
            "2:40: numbers 19000 to 19999 are reserved for protobuf itself"),
        Snippet(
            "message A { int32 foo_bar = 1; int32 fooBar = 2; }",
            "2:38: in JSON the name \"fooBar\" is the same as that of field \"foo_bar\""),
        Snippet(
            "message A { int32 foo_bar = 1; int32 b = 2 [json_name = \"fooBar\"]; }",
            "2:38: the JSON name of \"b\" is the same as that of field \"foo_bar\"", protocAgrees: false),
        Snippet(
            "message A { repeated string a = 1 [packed = true]; int32 b = 2 [packed = true]; }",
            "2:36: only a repeated field of numbers, bools or enums can be packed",
            "2:65: only a repeated field of numbers, bools or enums can be packed"),
        Snippet(
            "message A { map<string, A> fooBar = 1; message FooBarEntry {} }",
            "2:48: \"FooBarEntry\" is already defined at t.proto:2:28"),
        Snippet(
            "message A {} extend A { int32 a = 1; }", "2:21: proto3 can only extend google.protobuf's options"
        ),
        Snippet(
            "import \"portico/v1/optons.proto\";",
            "2:8: there is no file \"portico/v1/optons.proto\" to import; did you mean \"portico/v1/options.proto\"?"
        ),
        Snippet("import \"portico/v1/image.proto\";", "2:8: \"portico/v1/image.proto\" is imported twice"),
        Snippet(
            "service S { rpc A(A) returns (Nothing); } message A {}", "2:19: \"A\" is not a message",
            "2:31: \"Nothing\" is not a message"),
    ]

    @Test(arguments: bad) func isRefusedWithItsPlace(snippet: Snippet) throws {
        let faults = try SchemaFiles.faults(in: snippet.file)
        #expect(faults == snippet.faults, "\(faults)")
    }

    private func faults(_ files: [(String, String)]) -> [String] {
        do throws(SchemaFaults) {
            _ = try SchemaCompiler.compile(files: files.map { SchemaFile(path: $0.0, text: $0.1) })
            return []
        } catch {
            return error.faults.map(\.description)
        }
    }

    private static let proto3 = "syntax = \"proto3\";\n"

    @Test func importsThatGoInACircleAreRefused() {
        let found = faults([
            ("a.proto", Self.proto3 + "import \"b.proto\";"),
            ("b.proto", Self.proto3 + "import \"c.proto\";"),
            ("c.proto", Self.proto3 + "import \"a.proto\";"),
        ])
        #expect(found == ["c.proto:2:8: the files import each other: a.proto → b.proto → c.proto → a.proto"])
    }

    /// A long way round: neither the search for circles nor that for what is seen may recurse.
    @Test(arguments: [true, false]) func aCircleOfThousandsOfImportsIsFound(isClosed: Bool) {
        let count = 1000
        let found = faults(
            (0..<count).map { number in
                let isLast = number == count - 1
                let next =
                    isLast
                    ? (isClosed ? "import \"0.proto\";" : "") : "import public \"\(number + 1).proto\";"
                return ("\(number).proto", Self.proto3 + next)
            })
        #expect(found.count == (isClosed ? 1 : 0))
        #expect(
            found.allSatisfy {
                $0.hasPrefix("\(count - 1).proto:2:8: the files import each other: 0.proto → ")
            })
    }

    @Test func onlyPublicImportsAreSeenThroughAnImport() {
        let user = Self.proto3 + "import \"b.proto\";\nmessage A { C c = 1; }"
        let base = ("c.proto", Self.proto3 + "message C {}")
        #expect(
            faults([("a.proto", user), ("b.proto", Self.proto3 + "import \"c.proto\";"), base])
                == ["a.proto:3:13: \"C\" is defined in c.proto, which this file does not import"])
        #expect(
            faults([("a.proto", user), ("b.proto", Self.proto3 + "import public \"c.proto\";"), base]) == [])
    }

    @Test func faultsOfAllFilesAreReportedAtOnceInOrder() {
        let found = faults([
            ("b.proto", Self.proto3 + "message A { int32 a = 0; }\nmessage A {}"),
            ("a.proto", Self.proto3 + "message B { Nothing a = 1; }"),
        ])
        #expect(
            found == [
                "b.proto:2:23: 0 is out of range; a field number lies within 1 to 536870911",
                "b.proto:3:9: \"A\" is already defined at b.proto:2:9",
                "a.proto:2:13: \"Nothing\" is not a type",
            ])
    }

    @Test func aPackageCannotHaveTheNameOfAMessage() {
        let found = faults([
            ("a.proto", Self.proto3 + "package a; message b {}"), ("b.proto", Self.proto3 + "package a.b;"),
        ])
        #expect(
            found == [
                "b.proto:2:9: the package \"a.b\" has the name of something else, defined at a.proto:2:20"
            ])
    }

    @Test func theModelSaysWhatTheFileSays() throws {
        let text = """
            syntax = "proto3"; package p;
            message A {
              repeated sint64 numbers = 1; repeated int32 loose = 2 [packed = false]; map<string, A> by_name = 3;
              optional string maybe = 4; A self = 5; oneof choice { bool yes = 6; bytes no = 7; } fixed32 plain = 8;
            }
            """
        let schema = try SchemaCompiler.compile(files: [SchemaFile(path: "a.proto", text: text)])
        let message = try schema[#require(schema.message(named: "p.A"))]
        #expect(
            message.fields.map(\.cardinality) == [
                .repeated(packed: true), .repeated(packed: false), .map, .optional, .optional, .optional,
                .optional,
                .implicit,
            ])
        #expect(message.oneofs == ["choice"])
        #expect(message.fields.map(\.oneof) == [nil, nil, nil, nil, nil, 0, 0, nil])
        #expect(message.fields.map(\.jsonName).contains("byName"))
        let entry = try schema[#require(schema.message(named: "p.A.ByNameEntry"))]
        #expect(entry.isMapEntry && entry.fields.map(\.number) == [1, 2])
    }
}
