import PorticoSchema
import Testing

/// What the bindings of the repository's own schemas hold.
@Suite struct BindingModelTests {
    let schema: Schema

    init() throws { schema = try SchemaCompiler.compile(files: SchemaFiles.all()) }

    private func binding(_ route: String) throws -> MethodBinding {
        schema[try #require(schema.method(route: route))].binding
    }

    @Test func anUpstreamHasItsPathQueryAndPaging() throws {
        guard case .upstream(let people) = try binding("starwars.v1.Characters/ListPeople") else {
            Issue.record("not bound to an upstream")
            return
        }
        #expect(people.base == "starwars" && people.method == .get && people.root == [])
        #expect(
            people.path
                == PathTemplate(
                    path: Template([.literal("people/")]),
                    query: [.init(name: "page", value: Template([.field("page")]))]))
        let paging = try #require(people.paging)
        #expect(
            paging.items == "people" && paging.next == "next" && paging.page == "page"
                && paging.total == "count")
        #expect(!paging.prefetches && paging.totalPages == nil)
    }

    @Test func pagingMayAllowAPartialList() throws {
        let text = """
            service S { rpc List(Q) returns (L) { option (portico.v1.upstream) = {
              base: "b" get: "x?page={page}" paging { next: "next" partial: true } }; } }
            message Q { int32 page = 1; }
            message R { string text = 1; }
            message L { repeated R r = 1; string next = 2; }
            """
        let schema = try SchemaCompiler.compile(files: [
            SchemaFile(path: "t.proto", text: Snippet(text).file),
            try SchemaFiles.file("portico/v1/options.proto"), try SchemaFiles.file("portico/v1/image.proto"),
        ])
        guard case .upstream(let binding)? = schema.method(route: "p.S/List").map({ schema[$0].binding })
        else {
            Issue.record("not bound to an upstream")
            return
        }
        #expect(binding.paging?.allowsPartial == true)
    }

    @Test func anEnvelopeHasItsTexts() throws {
        guard case .upstream(let staff) = try binding("staff.v1.Staff/GetEmployee") else {
            Issue.record("not bound to an upstream")
            return
        }
        let envelope = try #require(staff.envelope)
        #expect(staff.root == ["data"] && envelope.field == ["status"] && envelope.equals == "success")
        #expect(envelope.messages == [["errors", "message"], ["error", "message"], ["message"]])
        #expect(envelope.otherwise == "Please check your internet connection and try again.")
    }

    @Test func aViewHasItsFiltersOrderAndPage() throws {
        guard case .view(let search) = try binding("starwars.v1.Characters/SearchPeople") else {
            Issue.record("not a view")
            return
        }
        #expect(schema[search.from].name == "ListPeople" && search.allPages)
        #expect(search.filters.map(\.field) == [["name"], ["gender"]])
        #expect(search.filters.map(\.comparison) == [.contains, .equal])
        #expect(search.filters.map(\.operand) == [.request("name"), .request("gender")])
        #expect(search.sort == [.init(field: ["name"])])
        #expect(search.page == .init(size: "page_size", number: "page", defaultSize: 10, maximumSize: 100))
    }

    @Test func aGroupHasItsKeyOrderAndLabel() throws {
        guard case .view(let colors) = try binding("starwars.v1.Characters/GroupByEyeColor") else {
            Issue.record("not a view")
            return
        }
        let group = try #require(colors.group)
        #expect(group.by == ["eye_color"] && group.order == .key)
        #expect(group.label == Template([.field("key"), .literal(" ("), .field("count"), .literal(")")]))
    }

    @Test func anImageHasItsSource() throws {
        guard case .image(let profile) = try binding("staff.v1.Staff/ProfileImage"),
            case .url(let field) = profile.source
        else {
            Issue.record("not an image by URL")
            return
        }
        #expect(field == "profile_image" && profile.from.map { schema[$0].name } == "GetEmployee")
        guard case .image(let poster) = try binding("television.v1.Television/Poster"),
            case .path(let path) = poster.source
        else {
            Issue.record("not an image by path")
            return
        }
        #expect(
            path.path == Template([.literal("w"), .field("width"), .literal("/"), .field("poster_path")]))
    }
}
