import PorticoSchema
import PorticoTranscode

/// The messages of `starwars.v1.Characters`, as `Schemas/starwars/v1` has them, and a screen composed of three pages: what
/// is measured needs no files.
enum StarWarsSchema {
    static let person = MessageID(0)
    static let page = MessageID(1)
    static let listPeople = MethodID(0)
    static let groupByEyeColor = MethodID(1)
    /// Number of the field `people` in ``page``.
    static let people = 4

    static let schema = Schema(
        messages: messages, enums: [gender], methods: methods, fileDescriptorSet: [])

    private static let place = SourceLocation(file: "characters.proto", line: 1, column: 1)

    private static func field(
        _ name: String, _ number: Int, _ type: FieldType = .string,
        _ cardinality: FieldCardinality = .implicit,
        path: [String] = [], role: FieldRole? = nil
    ) -> FieldDescriptor {
        FieldDescriptor(
            name: name, jsonName: name, number: number, type: type, cardinality: cardinality, path: path,
            role: role, location: place)
    }

    private static func message(_ name: String, _ fields: [FieldDescriptor]) -> MessageDescriptor {
        MessageDescriptor(fullName: "starwars.v1.\(name)", fields: fields, location: place)
    }

    private static let messages = [
        message(
            "Person",
            [
                field("name", 1), field("height", 2), field("mass", 3), field("hair_color", 4),
                field("skin_color", 5), field("eye_color", 6), field("birth_year", 7),
                field("gender", 8, .enumeration(EnumID(0))), field("homeworld", 9), list("films", 10),
                list("species", 11), list("vehicles", 12), list("starships", 13), field("created", 14),
                field("edited", 15), field("url", 16),
            ]),
        message(
            "PeoplePage",
            [
                field("count", 1, .int32), field("next", 2, .string, .optional),
                field("previous", 3, .string, .optional),
                field("people", people, .message(person), .repeated(packed: false), path: ["results"]),
            ]),
        message("GroupByEyeColorRequest", [field("eye_color", 1, .string, .optional)]),
        message(
            "EyeColorGroups", [field("segments", 1, .message(MessageID(4)), .repeated(packed: false))]),
        message(
            "EyeColorSegment",
            [
                field("eye_color", 1, role: .key), field("count", 2, .int32, role: .count),
                field("label", 3, role: .label),
                field("people", 4, .message(person), .repeated(packed: false), role: .items),
            ]),
        message("ListPeopleRequest", [field("page", 1, .int32)]),
        message(
            "SourceStatus",
            [
                field("name", 1), field("ok", 2, .bool), field("code", 3), field("message", 4),
                field("stale", 5, .bool), field("age_ms", 6, .uint64),
            ]),
        message(
            "Screen",
            [
                field("first", 1, .message(page), .optional), field("second", 2, .message(page), .optional),
                field("third", 3, .message(page), .optional),
                field("sources", 4, .message(MessageID(6)), .repeated(packed: false)),
            ]),
    ]

    private static func list(_ name: String, _ number: Int) -> FieldDescriptor {
        field(name, number, .string, .repeated(packed: false))
    }

    private static let gender = EnumDescriptor(
        fullName: "starwars.v1.Gender",
        values: [
            EnumValueDescriptor(name: "GENDER_UNSPECIFIED", number: 0),
            EnumValueDescriptor(name: "MALE", number: 1, json: "male"),
            EnumValueDescriptor(name: "FEMALE", number: 2, json: "female"),
            EnumValueDescriptor(name: "NOT_APPLICABLE", number: 3, json: "n/a"),
            EnumValueDescriptor(name: "HERMAPHRODITE", number: 4, json: "hermaphrodite"),
            EnumValueDescriptor(name: "NONE", number: 5, json: "none"),
        ], location: place)

    private static let methods = [
        MethodDescriptor(
            name: "ListPeople", service: "starwars.v1.Characters", input: MessageID(5), output: page,
            binding: .upstream(upstream), location: place),
        MethodDescriptor(
            name: "GroupByEyeColor", service: "starwars.v1.Characters", input: MessageID(2),
            output: MessageID(3),
            binding: .view(view), location: place),
        MethodDescriptor(
            name: "Screen", service: "starwars.v1.Characters", input: MessageID(5), output: MessageID(7),
            binding: .compose(screen), location: place),
    ]

    private static let screen = ComposeBinding(
        parts: ["first", "second", "third"].map { .init(field: $0, from: MethodID(0)) }, sources: "sources")

    private static let upstream = UpstreamBinding(
        base: "starwars", method: .get,
        path: PathTemplate(
            path: Template([.literal("people/")]),
            query: [.init(name: "page", value: Template([.field("page")]))]),
        paging: PagingBinding(items: "people", next: "next", page: "page", total: "count"))

    private static let view = ViewBinding(
        from: MethodID(0), allPages: true,
        filters: [
            ViewBinding.Filter(field: ["eye_color"], comparison: .equal, operand: .request("eye_color"))
        ],
        group: ViewBinding.Grouping(
            by: ["eye_color"], order: .key,
            label: Template([.field("key"), .literal(" ("), .field("count"), .literal(")")])))

    /// A text field of people as a column.
    static func texts(_ field: String, of people: Records) throws -> TextColumn {
        var plan = ColumnPlan(schema: schema, message: person)
        guard let index = plan.column([field]), case .text(let column) = try plan.extract(from: people)[index]
        else { throw BenchmarkFault.wrongResult("A person's \(field) is no text.") }
        return column
    }
}
