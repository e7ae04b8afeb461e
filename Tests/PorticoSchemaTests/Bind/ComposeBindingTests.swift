import PorticoSchema
import Testing

/// `(portico.v1.compose)`: parts that are not there, do not fit, or cannot be asked.
@Suite struct ComposeBindingTests {
    /// A composed method `M` with these parts, beside methods that it could be made of.
    private static func method(_ parts: String, request: String = "int32 page = 1;", answer: String? = nil)
        -> String
    {
        let answer = answer ?? "L list = 1; repeated portico.v1.SourceStatus sources = 2;"
        return """
            syntax = "proto3"; package p;
            import "portico/v1/options.proto"; import "portico/v1/image.proto"; import "portico/v1/source_status.proto";
            service S {
              rpc List(Q) returns (L) { option (portico.v1.upstream) = { base: "b" get: "x?page={page}" }; }
              rpc Get(I) returns (L) { option (portico.v1.upstream) = { base: "b" get: "x/{id}" }; }
              rpc Found(I) returns (L) { option (portico.v1.view) = { from: "Get" where: "number = {id}" }; }
              rpc Add(Q) returns (L) { option (portico.v1.upstream) = { base: "b" post: "x" }; }
              rpc Show(Q) returns (portico.v1.Image) { option (portico.v1.image) = { base: "b" path: "x" }; }
              rpc Mine(Q) returns (A) { option (portico.v1.compose) = { parts { field: "list" from: "List" } }; }
              rpc M(MQ) returns (MA) { option (portico.v1.compose) = { \(parts) }; }
            }
            message Q { int32 page = 1; }
            message I { int32 id = 1; }
            message R { int32 number = 1; }
            message L { repeated R r = 1; }
            message A { L list = 1; repeated portico.v1.SourceStatus sources = 2; }
            message MQ { \(request) }
            message MA { \(answer) }
            """
    }

    private static let list = #"parts { field: "list" from: "List" }"#
    private static let sources = "repeated portico.v1.SourceStatus sources = 9;"

    @Test(arguments: [
        ("", "10:58: \"parts\" is missing: the methods that the answer is made of"),
        (
            #"parts { field: "list" }"#,
            "10:66: a part needs \"field\" and \"from\": where its answer goes, and the method"
        ),
        (#"parts { field: "lst" from: "List" }"#, "p.MA has no field \"lst\"; did you mean \"list\"?"),
        (
            #"parts { field: "sources" from: "List" }"#,
            "\"sources\" must be a message field outside of any oneof"
        ),
        (#"parts { field: "list" from: "Lst" }"#, "p.S has no method \"Lst\"; did you mean \"List\"?"),
        (
            #"parts { field: "list" from: "p.S/Lst" }"#,
            "there is no method \"p.S/Lst\""
        ),
        (#"parts { field: "list" from: "Add" }"#, "\"Add\" writes; a part can only read"),
        (
            #"parts { field: "list" from: "Show" }"#, "\"Show\" answers an image, which cannot be a part"
        ),
        (
            #"parts { field: "list" from: "Mine" }"#,
            "\"Mine\" is composed itself; name the methods that it is made of"
        ),
        (
            #"parts { field: "list" from: "M" }"#,
            "\"M\" is composed itself; name the methods that it is made of"
        ),
        (
            #"parts { field: "list" from: "Get" }"#, "\"Get\" needs \"id\", which p.MQ does not have"
        ),
        (
            #"parts { field: "list" from: "Found" }"#, "\"Found\" needs \"id\", which p.MQ does not have"
        ),
        (list + list, "\"list\" has two parts"),
    ]) func aFaultyPartIsRefused(parts: String, fault: String) throws {
        let faults = try SchemaFiles.faults(in: Self.method(parts))
        #expect(faults.contains { $0.contains(fault) }, "\(faults)")
    }

    @Test(arguments: [
        ("string page = 1;", nil, "\"page\" has another type in the request of \"List\""),
        ("int32 page = 1; string name = 2;", nil, "no part takes \"name\""),
        ("", "L list = 1;", "p.MA must have one repeated field of portico.v1.SourceStatus"),
        ("", "R list = 1; \(sources)", "\"list\" must be p.L, which is what \"List\" answers"),
        ("", "oneof one { L list = 1; } \(sources)", "\"list\" must be a message field outside of any oneof"),
        ("", "L list = 1; L other = 2; \(sources)", "no part fills \"other\""),
        ("", "repeated L list = 1; \(sources)", "\"list\" must be a message field outside of any oneof"),
    ]) func aFaultyMessageIsRefused(request: String, answer: String?, fault: String) throws {
        let text = Self.method(Self.list, request: request, answer: answer)
        let faults = try SchemaFiles.faults(in: text)
        #expect(faults.contains { $0.contains(fault) }, "\(faults)")
    }

    @Test func partsAreTheSchemasInItsOrder() throws {
        let schema = try SchemaCompiler.compile(files: SchemaFiles.all())
        let method = schema[try #require(schema.method(route: "home.v1.Home/Screen"))]
        guard case .compose(let binding) = method.binding else {
            Issue.record("not composed")
            return
        }
        #expect(binding.sources == "sources")
        #expect(
            binding.parts.map { "\($0.field) \(schema[$0.from].route) \($0.isRequired)" } == [
                "characters starwars.v1.Characters/GroupByEyeColor false",
                "teams directory.v1.Directory/GroupByTeam false",
                "shows television.v1.Television/Trending false",
            ])
    }
}
