import PorticoSchema
import Testing

/// `(portico.v1.join)`: keys, patterns and methods that are not there or do not fit.
@Suite struct JoinBindingTests {
    private static func method(
        _ join: String, view: String = #"from: "List""#, answer: String = "L", request: String = "Q"
    ) -> String {
        """
        syntax = "proto3"; package p; import "portico/v1/options.proto";
        service S {
          rpc List(Q) returns (L) { option (portico.v1.upstream) = { base: "b" get: "x?page={page}" paging { next: "next" } }; }
          rpc Get(I) returns (R) { option (portico.v1.upstream) = { base: "b" get: "r/{id}" }; }
          rpc Both(I) returns (R) { option (portico.v1.upstream) = { base: "b" get: "r/{id}/{name}" }; }
          rpc Add(I) returns (R) { option (portico.v1.upstream) = { base: "b" post: "r" }; }
          rpc Found(Q) returns (L) { option (portico.v1.view) = { from: "List" }; }
          rpc M(\(request)) returns (\(answer)) { option (portico.v1.view) = { \(view) }; option (portico.v1.join) = { \(join) }; }
        }
        message Q { int32 page = 1; }
        message I { int32 id = 1; string name = 2; repeated string many = 3; }
        message R { string owner = 1; string owner_name = 2; int32 number = 3; R other = 4; repeated string many = 5;
          oneof one { string first = 6; } string name = 7; double ratio = 8; }
        message L { repeated R r = 1; string next = 2; }
        message G { repeated Group groups = 1; }
        message Group { string name = 1 [(portico.v1.role) = KEY]; repeated R rs = 2 [(portico.v1.role) = ITEMS]; }
        """
    }

    private static func join(
        key: String = "owner", match: String = "r/{id}", from: String = "Get",
        take: String = #"take: "name""#,
        into: String = "owner_name"
    ) -> String {
        #"key: "\#(key)" match: "\#(match)" from: "\#(from)" \#(take) into: "\#(into)""#
    }

    @Test(arguments: [
        (#"key: "owner""#, "\"from\" is missing in join"),
        (join(key: "ownr"), "p.R has no field \"ownr\"; did you mean \"owner\"?"),
        (join(key: "many"), "\"many\" must be a single string or integer"),
        (join(key: "ratio"), "\"ratio\" must be a single string or integer"),
        (join(into: "many"), "\"many\" must be a single field outside of any oneof"),
        (join(into: "first"), "\"first\" must be a single field outside of any oneof"),
        (join(into: "number"), "\"number\" must have the type of \"name\" of \"Get\""),
        (join(take: "", into: "number"), "\"number\" must have the type of the answer of \"Get\""),
        (join(take: #"take: "nme""#), "p.R has no field \"nme\"; did you mean \"name\"?"),
        (join(key: "owner_name"), "\"owner_name\" cannot be the key and what is joined"),
        (
            join(match: "r/id"),
            "\"r/id\" must have one field of the request of \"Get\" in braces: \"planets/{id}/\""
        ),
        (join(match: "r/{id}/{name}"), "must have one field of the request of \"Get\" in braces"),
        (join(match: "r/{idd}"), "p.I has no field \"idd\"; did you mean \"id\"?"),
        (join(match: "r/{many}"), "\"many\" must be a single string or integer"),
        (join(match: "r/{name}"), "\"Get\" needs \"id\" as well, which no key has"),
        (join(from: "Both"), "\"Both\" needs \"name\" as well, which no key has"),
        (join(from: "Gt"), "p.S has no method \"Gt\"; did you mean \"Get\"?"),
        (join(from: "Add"), "\"Add\" writes; a join can only read"),
        (join(from: "Found"), "\"Found\" is not bound to an upstream; name a method that is"),
        (
            join() + "}; option (portico.v1.join) = {" + join(),
            "two joins put something into \"owner_name\""
        ),
    ]) func aFaultyJoinIsRefused(join: String, fault: String) throws {
        let faults = try SchemaFiles.faults(in: Self.method(join))
        #expect(faults.contains { $0.contains(fault) }, "\(faults)")
        #expect(faults.allSatisfy { $0.hasPrefix("8:") }, "\(faults)")
    }

    @Test func aJoinWithoutAViewIsRefused() throws {
        let text = Self.method(Self.join()).replacing(
            "rpc Found(Q) returns (L) { option (portico.v1.view) = { from: \"List\" };",
            with: "rpc Found(Q) returns (L) { option (portico.v1.upstream) = { base: \"b\" get: \"y\" }; "
                + "option (portico.v1.join) = { \(Self.join()) };")
        let faults = try SchemaFiles.faults(in: text)
        #expect(faults.count == 1, "\(faults)")
        #expect(
            faults[0].hasSuffix("(portico.v1.join) goes with (portico.v1.view): the list that it completes"))
    }

    @Test(
        arguments: [
            (join(), #"from: "List""#, "L", "Q", "r", true),
            (join(), #"from: "Get""#, "R", "I", nil, true),
            (join(take: "", into: "other"), #"from: "Get""#, "R", "I", nil, true),
            (join(key: "number"), #"from: "List" sort: "owner_name""#, "L", "Q", "r", false),
            (join(), #"from: "List" all_pages: true group { by: "owner_name" }"#, "G", "Q", "r", false),
        ] as [(String, String, String, String, String?, Bool)]) func isAccepted(
            join: String, view: String, answer: String, request: String, list: String?, isWhole: Bool
        ) throws
    {
        let text = Self.method(join, view: view, answer: answer, request: request)
        let schema = try SchemaCompiler.compile(files: [
            SchemaFile(path: "t.proto", text: text), try SchemaFiles.file("portico/v1/options.proto"),
        ])
        guard case .view(let view)? = schema.method(route: "p.S/M").map({ schema[$0].binding }) else {
            Issue.record("not a view")
            return
        }
        #expect(view.isWhole == isWhole)
        #expect(view.joins.map(\.list) == [list])
        #expect(view.joins.map(\.match) == [.init(before: "r/", field: "id")])
    }
}
