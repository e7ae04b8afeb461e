import PorticoSchema

/// A small list service, linked by hand: pages of items, groups of them, one item, pictures, writes, and all in one.
enum TestSchema {
    static let itemID = MessageID(0)
    static let pageID = MessageID(1)
    static let listRequestID = MessageID(2)
    static let groupID = MessageID(3)
    static let groupsID = MessageID(4)
    static let groupRequestID = MessageID(5)
    static let itemRequestID = MessageID(6)
    static let imageID = MessageID(7)
    static let pictureRequestID = MessageID(8)
    static let statusID = MessageID(9)
    static let homeRequestID = MessageID(10)
    static let homeID = MessageID(11)

    static let list = MethodID(0)
    static let group = MethodID(1)
    static let item = MethodID(2)
    static let picture = MethodID(3)
    static let photo = MethodID(4)
    static let itemPhoto = MethodID(5)
    static let create = MethodID(6)
    static let ahead = MethodID(7)
    static let about = MethodID(8)
    static let partialGroup = MethodID(10)
    static let home = MethodID(11)
    static let strictHome = MethodID(12)
    static let owned = MethodID(13)
    static let byOwner = MethodID(14)
    static let ownedItem = MethodID(15)
    static let save = MethodID(16)

    private static let place = SourceLocation(file: "test.proto", line: 1, column: 1)

    private static func field(
        _ name: String, _ number: Int, _ type: FieldType = .string,
        _ cardinality: FieldCardinality = .implicit,
        path: [String] = [], role: FieldRole? = nil, isRequired: Bool = false, atMost: Int? = nil
    ) -> FieldDescriptor {
        var descriptor = FieldDescriptor(
            name: name, jsonName: name, number: number, type: type, cardinality: cardinality, path: path,
            role: role,
            isRequired: isRequired, location: place)
        guard let atMost else { return descriptor }
        var rules = FieldRules()
        rules.maximumLength = atMost
        descriptor.rules = rules
        return descriptor
    }

    private static func message(_ name: String, _ fields: [FieldDescriptor]) -> MessageDescriptor {
        MessageDescriptor(fullName: "test.v1.\(name)", fields: fields, location: place)
    }

    private static let items = FieldCardinality.repeated(packed: false)

    private static let messages = [
        message(
            "Item",
            [
                field("name", 1, isRequired: true), field("kind", 2, atMost: 5), field("photo", 3),
                field("owner", 4), field("owner_name", 5),
            ]),
        message(
            "Page",
            [
                field("count", 1, .int32), field("next", 2, .string, .optional), field("pages", 3, .int32),
                field("items", 4, .message(itemID), items, path: ["results"]),
            ]),
        message("ListRequest", [field("page", 1, .int32), field("filter", 2)]),
        message(
            "Group",
            [
                field("kind", 1, role: .key), field("count", 2, .int32, role: .count),
                field("items", 3, .message(itemID), items, role: .items),
            ]),
        message("Groups", [field("groups", 1, .message(groupID), items)]),
        message("GroupRequest", [field("kind", 1, .string, .optional)]),
        message("ItemRequest", [field("id", 1, atMost: 200)]),
        message(
            "Image",
            [
                field("data", 1, .bytes), field("content_type", 2), field("placeholder", 3, .bool),
                field("reason", 4),
                field("etag", 5), field("not_modified", 7, .bool),
            ]),
        message(
            "PictureRequest",
            [field("width", 1, .int32), field("path", 2), field("url", 3), field("etag", 4)]),
        message(
            "Status",
            [
                field("name", 1), field("ok", 2, .bool), field("code", 3), field("message", 4),
                field("stale", 5, .bool), field("age_ms", 6, .uint64),
            ]),
        message("HomeRequest", [field("kind", 1, .string, .optional), field("id", 2)]),
        // Its fields stand in another order than their numbers.
        message(
            "Home",
            [
                field("sources", 2, .message(statusID), items),
                field("item", 3, .message(itemID), .optional),
                field("groups", 1, .message(groupsID), .optional),
            ]),
        message("SaveRequest", [field("item", 1, .message(itemID)), field("note", 2)]),
    ]

    private static func method(
        _ name: String, _ input: MessageID, _ output: MessageID, _ binding: MethodBinding
    ) -> MethodDescriptor {
        MethodDescriptor(
            name: name, service: "test.v1.Things", input: input, output: output, binding: binding,
            location: place)
    }

    private static func pages(prefetches: Bool = false, allowsPartial: Bool = false) -> UpstreamBinding {
        UpstreamBinding(
            base: "things", method: .get,
            path: PathTemplate(
                path: Template([.literal("items/")]),
                query: [
                    .init(name: "page", value: Template([.field("page")])),
                    .init(name: "filter", value: Template([.field("filter")])),
                ]),
            paging: PagingBinding(
                items: "items", next: "next", page: "page", total: "count", totalPages: "pages",
                prefetches: prefetches, allowsPartial: allowsPartial))
    }

    private static let envelope = EnvelopeBinding(
        field: ["status"], equals: "success",
        messages: [["errors", "message"], ["error", "message"], ["message"]],
        otherwise: "Please check your internet connection and try again.")

    private static let picturePath = PathTemplate(
        path: Template([.literal("w"), .field("width"), .literal("/"), .field("path")]), query: [])

    private static func home(needsItem: Bool) -> MethodBinding {
        .compose(
            ComposeBinding(
                parts: [
                    .init(field: "item", from: item, isRequired: needsItem),
                    .init(field: "groups", from: group),
                ], sources: "sources"))
    }

    /// The item that an item names as its owner, by name.
    private static func owner(in list: String?) -> JoinBinding {
        JoinBinding(
            list: list, key: "owner", match: .init(before: "item/", field: "id"), from: item, take: "name",
            into: "owner_name")
    }

    static let schema = Schema(
        messages: messages, enums: [],
        methods: [
            method("List", listRequestID, pageID, .upstream(pages())),
            method(
                "Group", groupRequestID, groupsID,
                .view(
                    ViewBinding(
                        from: list, allPages: true,
                        filters: [.init(field: ["kind"], comparison: .equal, operand: .request("kind"))],
                        group: .init(by: ["kind"], order: .key)))),
            method(
                "Item", itemRequestID, itemID,
                .upstream(
                    UpstreamBinding(
                        base: "things", method: .get,
                        path: PathTemplate(path: Template([.literal("item/"), .field("id")]), query: []),
                        root: ["data"], envelope: envelope))),
            method(
                "Picture", pictureRequestID, imageID,
                .image(ImageBinding(base: "pictures", source: .path(picturePath)))),
            method(
                "Photo", pictureRequestID, imageID,
                .image(ImageBinding(base: "pictures", source: .url(field: "url")))),
            method(
                "ItemPhoto", itemRequestID, imageID,
                .image(ImageBinding(base: "pictures", source: .url(field: "photo"), from: item))),
            method(
                "Create", itemRequestID, itemID,
                .upstream(
                    UpstreamBinding(
                        base: "things", method: .post,
                        path: PathTemplate(path: Template([.literal("item/"), .field("id")]), query: [])))),
            method("Ahead", listRequestID, pageID, .upstream(pages(prefetches: true))),
            method("About", itemRequestID, itemID, .builtIn),
            method("Partial", listRequestID, pageID, .upstream(pages(allowsPartial: true))),
            method(
                "PartialGroup", groupRequestID, groupsID,
                .view(
                    ViewBinding(from: MethodID(9), allPages: true, group: .init(by: ["kind"], order: .key)))),
            method("Home", homeRequestID, homeID, home(needsItem: false)),
            method("StrictHome", homeRequestID, homeID, home(needsItem: true)),
            method(
                "Owned", listRequestID, pageID,
                .view(ViewBinding(from: list, joins: [owner(in: "items")], isWhole: true))),
            method(
                "ByOwner", groupRequestID, groupsID,
                .view(
                    ViewBinding(
                        from: list, allPages: true, group: .init(by: ["owner_name"], order: .key),
                        joins: [owner(in: "items")]))),
            method(
                "OwnedItem", itemRequestID, itemID,
                .view(ViewBinding(from: item, joins: [owner(in: nil)], isWhole: true))),
            saving,
        ], fileDescriptorSet: [])

    private static var saving: MethodDescriptor {
        var binding = UpstreamBinding(
            base: "things", method: .put,
            path: PathTemplate(
                path: Template([.literal("item/"), .field("item.name")]),
                query: [.init(name: "note", value: Template([.field("note")]))]))
        binding.body = "item"
        var method = method("Save", MessageID(12), itemID, .upstream(binding))
        method.invalidates = [list]
        return method
    }
}
