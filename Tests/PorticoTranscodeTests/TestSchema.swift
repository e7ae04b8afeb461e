import PorticoSchema
import PorticoTranscode

/// A schema of every field type, built without a `.proto`: message `t.All` with each scalar alone (numbers from 1),
/// `optional` (from 101), in a list (from 201) and, for the types that may be keys, as a map's key (from 301) with
/// values of changing types; and the messages that the rules of the mapping need.
enum TestSchema {
    static let schema = build()
    static let all = id("t.All")
    static let person = id("t.Person")
    static let people = id("t.People")

    static func id(_ name: String) -> MessageID {
        guard let id = schema.message(named: name) else { fatalError("no message \(name)") }
        return id
    }

    static let scalars: [(name: String, type: FieldType)] = [
        ("double", .double), ("float", .float), ("int32", .int32), ("int64", .int64), ("uint32", .uint32),
        ("uint64", .uint64), ("sint32", .sint32), ("sint64", .sint64), ("fixed32", .fixed32),
        ("fixed64", .fixed64), ("sfixed32", .sfixed32), ("sfixed64", .sfixed64), ("bool", .bool),
        ("string", .string), ("bytes", .bytes), ("color", .enumeration(EnumID(0))),
        ("all", .message(MessageID(0))),
    ]

    static let nowhere = SourceLocation(file: "test.proto", line: 1, column: 1)

    static func field(
        _ name: String, _ number: Int, _ type: FieldType, _ cardinality: FieldCardinality = .implicit,
        json: String? = nil, oneof: Int? = nil, path: [String] = [], isRequired: Bool = false
    ) -> FieldDescriptor {
        FieldDescriptor(
            name: name, jsonName: json ?? camel(name), number: number, type: type, cardinality: cardinality,
            oneof: oneof, path: path, isRequired: isRequired, location: nowhere)
    }

    private static func camel(_ name: String) -> String {
        let words = name.split(separator: "_")
        return words.dropFirst().reduce(String(words.first ?? "")) {
            $0 + $1.prefix(1).uppercased() + $1.dropFirst()
        }
    }

    private static func build() -> Schema {
        var messages = [MessageDescriptor(fullName: "t.All", fields: [], location: nowhere)]
        let color = EnumDescriptor(
            fullName: "t.Color",
            values: [
                .init(name: "COLOR_UNSPECIFIED", number: 0), .init(name: "RED", number: 1),
                .init(name: "ROUGE", number: 1), .init(name: "NOT_GIVEN", number: 2, json: "n/a"),
                .init(name: "MINUS", number: -1),
            ], location: nowhere)
        var fields: [FieldDescriptor] = []
        for (index, (name, type)) in scalars.enumerated() {
            fields.append(field("\(name)_one", 1 + index, type))
            fields.append(field("\(name)_optional", 101 + index, type, .optional))
            fields.append(field("\(name)_list", 201 + index, type, .repeated(packed: index % 2 == 0)))
        }
        let keys = scalars.filter { isKey($0.type) }
        for (index, (name, type)) in keys.enumerated() {
            let entry = MessageID(messages.count)
            let value = scalars[(index * 3 + 1) % scalars.count].type
            messages.append(
                MessageDescriptor(
                    fullName: "t.All.\(name)Entry",
                    fields: [field("key", 1, type), field("value", 2, value)],
                    isMapEntry: true, location: nowhere))
            fields.append(field("\(name)_map", 301 + index, .message(entry), .map))
        }
        let entry = MessageID(messages.count)
        messages.append(
            MessageDescriptor(
                fullName: "t.All.AllEntry",
                fields: [field("key", 1, .string), field("value", 2, .message(MessageID(0)))],
                isMapEntry: true, location: nowhere))
        fields.append(field("message_map", 401, .message(entry), .map))
        fields.append(field("pick_text", 501, .string, oneof: 0))
        fields.append(field("pick_number", 502, .int32, oneof: 0))
        fields.append(field("pick_all", 503, .message(MessageID(0)), oneof: 0))
        messages[0].fields = fields
        messages[0].oneofs = ["pick"]
        messages += people(after: messages.count)
        return Schema(messages: messages, enums: [color], methods: [], fileDescriptorSet: [])
    }

    private static func people(after count: Int) -> [MessageDescriptor] {
        [
            MessageDescriptor(
                fullName: "t.Person",
                fields: [
                    field("name", 1, .string, isRequired: true), field("height", 2, .uint32),
                    field("eye_color", 3, .string, json: "eyes"),
                    field("films", 4, .string, .repeated(packed: false)),
                    field("small", 5, .string, path: ["images", "small"]),
                    field("large", 6, .string, path: ["images", "large"]),
                    field("width", 7, .int32, .optional, path: ["images", "size", "width"]),
                    field("friends", 8, .message(MessageID(count)), .repeated(packed: false)),
                    field("text", 9, .string, oneof: 0), field("number", 10, .int64, oneof: 0),
                    field("scores", 11, .sint32, .repeated(packed: true)),
                    field("weights", 12, .double, .repeated(packed: true)),
                    field("answers", 13, .bool, .repeated(packed: true)),
                    field("twenty_nine_bytes_and_no_more", 14, .string),
                    field("thirty_bytes_and_therefore_slow", 15, .string),
                    field("seventeen_letters", 16, .int32),
                ], oneofs: ["pick"], location: nowhere),
            MessageDescriptor(
                fullName: "t.People",
                fields: [
                    field("count", 1, .int32), field("next", 2, .string),
                    field(
                        "people", 3, .message(MessageID(count)), .repeated(packed: false), path: ["results"]),
                    field("best", 4, .message(MessageID(count))),
                ], location: nowhere),
        ]
    }

    private static func isKey(_ type: FieldType) -> Bool {
        switch type {
        case .double, .float, .bytes, .message, .enumeration: false
        default: true
        }
    }
}

/// Decoders and encoders compiled once for all tests.
private let messages = [TestSchema.all, TestSchema.person, TestSchema.people]
private let strictDecoders = decoders(.strict)
private let lossyDecoders = decoders(.lossy)
private let encoders = Dictionary(
    uniqueKeysWithValues: messages.map { ($0, RecordEncoder(schema: TestSchema.schema, message: $0)) })

private func decoders(_ mode: DecodeOptions.Mode) -> [MessageID: RecordDecoder] {
    Dictionary(
        uniqueKeysWithValues: messages.map {
            ($0, RecordDecoder(schema: TestSchema.schema, message: $0, options: DecodeOptions(mode: mode)))
        })
}

func decode(
    _ json: [UInt8], as message: MessageID = TestSchema.all, mode: DecodeOptions.Mode = .strict,
    root: [String] = []
) throws(TranscodeError) -> DecodedMessage {
    guard let decoder = (mode == .strict ? strictDecoders : lossyDecoders)[message] else {
        fatalError("no decoder for that message")
    }
    return try decoder.decode(json.span, root: root)
}

/// Decodes, and gives the record back as JSON: what a reader of the record sees.
func reread(
    _ json: String, as message: MessageID = TestSchema.all, mode: DecodeOptions.Mode = .strict
) throws(TranscodeError) -> String {
    try jsonText(of: decode(Array(json.utf8), as: message, mode: mode).bytes, as: message)
}

func jsonText(of record: [UInt8], as message: MessageID = TestSchema.all) throws(TranscodeError) -> String {
    guard let encoder = encoders[message] else { fatalError("no encoder for that message") }
    var output: [UInt8] = []
    try encoder.encode(record.span, into: &output)
    return String(decoding: output, as: UTF8.self)
}

/// The error that reading causes; nil: none.
func fault(
    _ json: [UInt8], as message: MessageID = TestSchema.all, mode: DecodeOptions.Mode = .strict
) -> TranscodeError? {
    do throws(TranscodeError) {
        _ = try decode(json, as: message, mode: mode)
        return nil
    } catch { return error }
}

func fault(
    _ json: String, as message: MessageID = TestSchema.all, mode: DecodeOptions.Mode = .strict
) -> TranscodeError? {
    fault(Array(json.utf8), as: message, mode: mode)
}
