import PorticoSchema
import Testing

/// Bindings that speak of fields and methods that are not there, or do not fit.
@Suite struct BindingTests {
    /// A service with a list, and one more method with the options given.
    private static func method(_ options: String, answers: String = "L") -> String {
        """
        service S {
          rpc List(Q) returns (L) { option (portico.v1.upstream) = { base: "b" get: "x?page={page}" paging { next: "next" } }; }
          rpc M(Q) returns (\(answers)) { \(options) }
        }
        enum E { Z = 0; ONE = 1 [(portico.v1.json) = "one"]; }
        message Q { int32 page = 1; string text = 2; repeated string many = 3; bytes raw = 4; R record = 5; E kind = 6; N nested = 7; }
        message N { string deep = 1 [(portico.v1.path) = "a.b"]; string top = 2 [json_name = "a"]; }
        message L { repeated R r = 1; string next = 2; int32 total = 3 [(portico.v1.role) = COUNT]; }
        message R { string text = 1; int32 number = 2; E kind = 3; R inner = 4; repeated string many = 5; bool flag = 6; }
        message G { repeated Group groups = 1; }
        message Group { string key = 1 [(portico.v1.role) = KEY]; int64 n = 2 [(portico.v1.role) = COUNT];
          repeated R rs = 3 [(portico.v1.role) = ITEMS]; }
        message C { repeated R r = 1; string after = 2 [(portico.v1.role) = CURSOR];
          int32 values = 3 [(portico.v1.role) = DISTINCT]; }
        """
    }

    /// Options of the method, and the fault with the column inside `option …` counted from the method's line.
    static let bad: [(options: String, answers: String, fault: String)] = [
        (
            "", "L",
            "4:7: method \"M\" needs one of (portico.v1.upstream), (portico.v1.view), (portico.v1.image), "
                + "(portico.v1.compose)"
        ),
        (
            "option (portico.v1.upstream) = {base: \"b\" get: \"x\"}; option (portico.v1.view) = {from: \"List\"};",
            "L",
            "4:7: method \"M\" has both (portico.v1.upstream) and (portico.v1.view); one is allowed"
        ),
        (upstream("get: \"x/{txt}\""), "L", "p.Q has no field \"txt\"; did you mean \"text\"?"),
        (
            upstream("get: \"x/{many}\""), "L",
            "\"many\" must be a single number, bool, string or enum to stand in a URL"
        ),
        (
            upstream("get: \"x/{raw}\""), "L",
            "\"raw\" must be a single number, bool, string or enum to stand in a URL"
        ),
        (
            upstream("get: \"x/{text\""), "L",
            "the braces in \"x/{text\" must enclose a field's name each: \"{page}\""
        ),
        (
            upstream("get: \"x?{text}=1\""), "L",
            "the braces in \"x?{text}=1\" must enclose a field's name each: \"{page}\""
        ),
        (
            upstream("get: \"/x\""), "L",
            "a path continues the upstream's base URL: it has no host and does not begin with \"/\""
        ),
        (
            upstream("get: \"http://evil/x\""), "L",
            "a path continues the upstream's base URL: it has no host and does not begin with \"/\""
        ),
        (
            upstream("get: \"a/../../x\""), "L",
            "a path cannot lead out of the upstream's base URL with \"..\""
        ),
        (
            upstream("get: \"a b\""), "L",
            "a path is written in the characters of a URL, percent-encoded where needed"
        ),
        (upstream("get: \"x\" body: \"record\""), "L", "a GET request has no body"),
        (upstream("post: \"x\" body: \"text\""), "L", "\"text\" must be a single message of the request"),
        (
            upstream("get: \"x\" paging { next: \"next\" }"), "L",
            "\"page\" chooses the page, but the path does not contain {page}"
        ),
        (
            upstream("get: \"x?p={page}\" paging { items: \"next\" next: \"next\" }"), "L",
            "\"next\" must be a repeated message field"
        ),
        (
            upstream("get: \"x?p={page}\" paging { next: \"total\" }"), "L",
            "\"total\" must be a string of the response"
        ),
        (
            upstream("get: \"x?p={page}\" paging { total: \"next\" }"), "L",
            "\"next\" must be an integer of the response"
        ),
        (
            upstream("get: \"x?p={text}\" paging { page: \"text\" next: \"next\" }"), "L",
            "\"text\" must be an integer of the request"
        ),
        (
            upstream("get: \"x?p={page}\" paging { }"), "L",
            "paging needs one of next, total and total_pages, to know the last page"
        ),
        (
            upstream("get: \"x\" envelope { field: \"status\" }"), "L",
            "\"field\" needs \"equals\": the value that means success"
        ),
        (
            upstream("get: \"x\" root: \"a.\""), "L",
            "a path is made of names with \".\" between them: \"data.items\""
        ),
        (
            upstream("get: \"x\""), "portico.v1.Image",
            "method \"M\" answers portico.v1.Image and needs (portico.v1.image)"
        ),
        (
            "option (portico.v1.upstream) = { get: \"x\" };", "L",
            "\"base\" is missing: the upstream's name in the environment file"
        ),
        (
            "option (portico.v1.upstream) = { base: \"a/b\" get: \"x\" };", "L",
            "an upstream's name has letters, digits, \"-\" and \"_\" only, not \"a/b\""
        ),
        (
            upstream("get: \"x\"") + " option (portico.v1.invalidates) = \"Lost\";", "L",
            "p.S has no method \"Lost\"; did you mean \"List\"?"
        ),
        (
            upstream("get: \"x\"") + " option (portico.v1.invalidates) = \"List\";", "L",
            "\"M\" only reads: it makes nothing void"
        ),
        (
            upstream("post: \"x\"") + " option (portico.v1.invalidates) = \"M\";", "L",
            "\"M\" writes: none of its answers is kept"
        ),
        (
            upstream("put: \"x/{record.txt}\" body: \"record\""), "L",
            "p.R has no field \"txt\"; did you mean \"text\"?"
        ),
        (
            upstream("put: \"x/{record.inner}\" body: \"record\""), "L",
            "\"record.inner\" must be a single number, bool, string or enum"
        ),
        (
            upstream("post: \"x\" body: \"nested\""), "L",
            "\"deep\" and \"top\" of p.N take the same place in a body"
        ),
        ("option (portico.v1.view) = {};", "L", "\"from\" is missing: the method that gives the list"),
        (
            "option (portico.v1.view) = { from: \"Lis\" };", "L",
            "p.S has no method \"Lis\"; did you mean \"List\"?"
        ),
        ("option (portico.v1.view) = { from: \"M\" };", "L", "\"M\" cannot be made from itself"),
        (view("where: \"colour\""), "L", "p.R has no field \"colour\""),
        (view("where: \"number contains {page}\""), "L", "\"number\" cannot be compared by \"contains\""),
        (
            view("where: \"number = {text}\""), "L",
            "\"text\" of the request and \"number\" cannot be compared"
        ),
        (view("where: \"number\""), "L", "p.Q has no field \"number\""),
        (view("where: \"number = 'a'\""), "L", "\"number\" cannot be compared with a value of that type"),
        (
            view("where: \"number = abc\""), "L",
            "abc is no value; write {field}, 'text', a number, true or false"
        ),
        (
            view("where: \"number ~ 1\""), "L",
            "\"number ~ 1\" is no comparison; write \"team\" or \"age >= 18\""
        ),
        (
            view("where: \"text like 'a'\""), "L",
            "\"like\" is no comparison; there are = != < <= > >= contains starts_with"
        ),
        (view("where: \"kind = 'two'\""), "L", "p.E has no value \"two\""),
        (view("where: \"kind < 'one'\""), "L", "\"kind\" cannot be compared by \"<\""),
        (view("where: \"many = 'x'\""), "L", "\"many\" must be a single number, bool, string or enum"),
        (view("sort: \"text down\""), "L", "\"text down\" is no sort key; write \"name\" or \"name desc\""),
        (view("sort: \"text.x\""), "L", "\"text\" is no single message; \"text.x\" cannot lead through it"),
        (view("sort: \"inner\""), "L", "\"inner\" must be a single number, bool, string or enum"),
        (
            view("page { size: \"page\" number: \"page\" default_size: 5 max_size: 2 }"), "L",
            "default_size must be at least 1 and max_size at least default_size"
        ),
        (
            view("page { size: \"page\" default_size: 5 max_size: 9 }"), "L",
            "page needs \"number\" or \"cursor\", to choose the page"
        ),
        (
            view("page { size: \"page\" cursor: \"page\" default_size: 5 max_size: 9 }"), "L",
            "\"page\" must be a string of the request"
        ),
        (
            view("page { size: \"page\" cursor: \"text\" default_size: 5 max_size: 9 }"), "L",
            "\"page.cursor\" needs a field of the answer with the role CURSOR"
        ),
        (view(""), "C", "\"after\" has the role CURSOR, but the view has no page.cursor"),
        (view(""), "C", "\"values\" has the role DISTINCT, but the view has no distinct"),
        (view("distinct: \"colour\""), "L", "p.R has no field \"colour\""),
        (
            view("distinct: \"number\""), "L",
            "\"distinct\" needs a field of the answer with the role DISTINCT"
        ),
        (
            view("group { by: \"number\" }"), "G",
            "\"key\" has the role KEY and must have the type of \"number\""
        ),
        (view("group { by: \"text\" label: \"{key}\" }"), "G", "no field of p.Group has the role LABEL"),
        (
            view("group { by: \"text\" label: \"{name}\" }"), "G",
            "a label is text with {key} and {count}, not \"{name}\""
        ),
        (view("group { order: KEY }"), "G", "\"by\" is missing: the field that a group's records share"),
        (view("group { by: \"text\" }"), "L", "a field of p.R must have the role KEY"),
        (view(""), "G", "\"groups\" must repeat p.R, the record of the list"),
        (view(""), "R", "p.R must have one repeated message field, not 0"),
        (image("path: \"x\""), "L", "method \"M\" has (portico.v1.image) and must answer portico.v1.Image"),
        (image(""), "portico.v1.Image", "an image needs \"path\" or \"url\""),
        (image("url: \"page\""), "portico.v1.Image", "\"page\" must be a single string"),
        (
            image("url: \"nxt\" from: \"List\""), "portico.v1.Image",
            "p.L has no field \"nxt\"; did you mean \"next\"?"
        ),
        (
            image("path: \"x\" from: \"List\""), "portico.v1.Image",
            "\"from\" goes with \"url\", not with \"path\""
        ),
    ]

    private static func upstream(_ rest: String) -> String {
        "option (portico.v1.upstream) = { base: \"b\" \(rest) };"
    }
    private static func view(_ rest: String) -> String {
        "option (portico.v1.view) = { from: \"List\" \(rest) };"
    }
    private static func image(_ rest: String) -> String {
        "option (portico.v1.image) = { base: \"b\" \(rest) };"
    }

    @Test(arguments: bad) func isRefused(options: String, answers: String, fault: String) throws {
        let faults = try SchemaFiles.faults(in: Snippet.head + Self.method(options, answers: answers))
        #expect(faults.contains { $0.hasSuffix(fault) }, "\(faults)")
    }

    @Test(arguments: [
        (upstream("get: \"\""), "L"), (upstream("put: \"x/{record.inner.text}\" body: \"record\""), "R"),
        (upstream("delete: \"x/{text}?k={kind}&flag&q=a{page}b\""), "R"),
        (
            upstream("post: \"x\" body: \"record\" root: \"a.b\"")
                + " option (portico.v1.invalidates) = \"p.S/List\";", "R"
        ),
        (
            view(
                "all_pages: true where: [\"text\", \"number >= 1.5\", \"kind = 'one'\", \"kind\", \"flag = true\"]"
            ), "L"
        ),
        (
            view(
                "where: \"inner.inner.text starts_with \\\"a\\\"\" sort: [\"kind desc\", \"inner.number asc\"]"
            ), "L"
        ),
        (view("group { by: \"inner.text\" order: COUNT }"), "G"),
        (
            view(
                "distinct: \"kind\" page { size: \"page\" cursor: \"text\" default_size: 5 max_size: 9 }"
            ), "C"
        ),
        (image("url: \"next\" from: \"List\""), "portico.v1.Image"),
    ]) func isAccepted(options: String, answers: String) throws {
        let faults = try SchemaFiles.faults(in: Snippet.head + Self.method(options, answers: answers))
        #expect(faults == [], "\(faults)")
    }

    @Test func aViewOfAViewIsRefused() throws {
        let text = Self.method("option (portico.v1.view) = { from: \"List\" };").replacing(
            "  rpc M(",
            with: "  rpc N(Q) returns (L) { option (portico.v1.view) = { from: \"M\" }; }\n  rpc M(")
        #expect(
            try SchemaFiles.faults(in: Snippet.head + text)
                == ["4:61: \"M\" is not bound to an upstream; name a method that is"])
    }
}
