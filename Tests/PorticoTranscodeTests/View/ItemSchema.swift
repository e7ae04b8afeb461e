import PorticoSchema

/// A record message with a field of every kind, the list that holds it, and the answers of views on it; built
/// by hand, so that these tests do not hang on the schema parser.
enum ItemSchema {
    static let item = MessageID(0)
    static let home = MessageID(1)
    static let list = MessageID(2)
    static let request = MessageID(3)
    static let found = MessageID(4)
    static let kind = EnumID(0)

    static let location = SourceLocation(file: "item.proto", line: 1, column: 1)

    static func field(
        _ name: String, _ number: Int, _ type: FieldType, _ cardinality: FieldCardinality = .implicit,
        oneof: Int? = nil, role: FieldRole? = nil
    ) -> FieldDescriptor {
        FieldDescriptor(
            name: name, jsonName: name, number: number, type: type, cardinality: cardinality, oneof: oneof,
            role: role, location: location)
    }

    private static func message(
        _ name: String, _ fields: [FieldDescriptor], oneofs: [String] = []
    ) -> MessageDescriptor {
        MessageDescriptor(fullName: "test.\(name)", fields: fields, oneofs: oneofs, location: location)
    }

    /// The record's own fields that hold one value, by path, with the message around them left out.
    static let leaves: [FieldDescriptor] = [
        field("name", 1, .string), field("nick", 2, .string, .optional),
        field("height", 3, .int32), field("depth", 4, .sint64, .optional),
        field("size", 5, .uint64), field("mass", 6, .double),
        field("ratio", 7, .float, .optional), field("kind", 8, .enumeration(kind)),
        field("alive", 9, .bool), field("blob", 10, .bytes, .optional),
        field("alias", 12, .string, oneof: 0), field("code", 13, .int64, oneof: 0),
        field("serial", 15, .sfixed64), field("mark", 16, .fixed32, .optional),
        field("part", 200, .uint32), field("turn", 201, .sint32),
        field("check", 202, .fixed64), field("drift", 203, .sfixed32),
    ]

    static let homeLeaves: [FieldDescriptor] = [
        field("city", 1, .string), field("zip", 2, .int32, .optional), field("area", 3, .double),
    ]

    /// Paths of everything that can be a column.
    static var paths: [FieldPath] { leaves.map { [$0.name] } + homeLeaves.map { ["home", $0.name] } }

    static func leaf(_ path: FieldPath) -> FieldDescriptor {
        let fields = path.count == 1 ? leaves : homeLeaves
        return fields.first { $0.name == path.last }!
    }

    /// - Parameters:
    ///   - view: how the one view method, `MethodID(1)`, gets its answer.
    ///   - keyType: type of the group's key field.
    ///   - hidden: roles that no field of the group has.
    static func schema(
        _ view: ViewBinding, keyType: FieldType = .string, hiding hidden: [FieldRole] = []
    ) -> Schema {
        let group = MessageID(5)
        let messages = [
            message(
                "Item",
                leaves + [
                    field("home", 11, .message(home)), field("tags", 14, .string, .repeated(packed: false)),
                ],
                oneofs: ["choice"]),
            message("Home", homeLeaves),
            message(
                "List",
                [field("count", 1, .int32), field("items", 4, .message(item), .repeated(packed: false))]),
            message("Request", requestFields),
            message(
                "Found",
                [
                    field("total", 9, .uint32, role: .count),
                    field("items", 3, .message(item), .repeated(packed: false), role: .items),
                    field("next", 10, .string, role: .cursor), field("values", 2, .int64, role: .distinct),
                ]),
            message(
                "Group",
                [
                    field("items", 3, .message(item), .repeated(packed: false), role: .items),
                    field("key", 1, keyType, role: .key), field("label", 7, .string, role: .label),
                    field("count", 2, .sint64, role: .count), field("values", 8, .int32, role: .distinct),
                ].filter { field in !hidden.contains { $0 == field.role } }),
            message(
                "Groups",
                [
                    field("total", 1, .fixed64, role: .count),
                    field("groups", 2, .message(group), .repeated(packed: false)),
                    field("next", 3, .string, .optional, role: .cursor),
                    field("values", 4, .uint64, role: .distinct),
                ]),
        ]
        let kinds = EnumDescriptor(
            fullName: "test.Kind",
            values: [
                .init(name: "KIND_UNKNOWN", number: 0), .init(name: "HUMAN", number: 1, json: "human being"),
                .init(name: "DROID", number: 2), .init(name: "NEGATIVE", number: -1),
            ], location: location)
        let output = view.group == nil ? found : MessageID(6)
        let methods = [
            method("All", output: list, .upstream(source)), method("Some", output: output, .view(view)),
        ]
        return Schema(messages: messages, enums: [kinds], methods: methods, fileDescriptorSet: [])
    }

    static let requestFields = [
        field("name", 1, .string), field("nick", 2, .string, .optional),
        field("number", 3, .double, .optional),
        field("whole", 4, .int64, .optional), field("kind", 5, .enumeration(kind), .optional),
        field("kind_name", 6, .string, .optional), field("alive", 7, .bool, .optional),
        field("page", 8, .int32), field("page_size", 9, .uint32), field("cursor", 10, .string),
    ]

    private static func method(_ name: String, output: MessageID, _ binding: MethodBinding)
        -> MethodDescriptor
    {
        MethodDescriptor(
            name: name, service: "test.Items", input: request, output: output, binding: binding,
            location: location)
    }

    private static let source = UpstreamBinding(
        base: "items", method: .get, path: PathTemplate(path: Template([.literal("items")]), query: []),
        paging: PagingBinding(items: "items", page: "page"))
}
