import PorticoSchema
import PorticoTranscode
import PorticoUpstream
import PorticoWire
import Testing

@Suite struct RequestTests {
    private static let place = SourceLocation(file: "t", line: 1, column: 1)

    private static func field(
        _ name: String, _ number: Int, _ type: FieldType, _ cardinality: FieldCardinality = .implicit
    ) -> FieldDescriptor {
        FieldDescriptor(
            name: name, jsonName: name, number: number, type: type, cardinality: cardinality, location: place)
    }

    private static func message(_ fields: [FieldDescriptor]) -> MessageDescriptor {
        MessageDescriptor(fullName: "t.M", fields: fields, location: place)
    }

    @Test func fieldsOfEqualNameAndTypeAreCarriedOver() throws {
        let source = Self.message([
            Self.field("a", 1, .int32), Self.field("b", 2, .string), Self.field("c", 3, .string),
            Self.field("page", 4, .int32), Self.field("d", 5, .string),
        ])
        let target = Self.message([
            Self.field("b", 1, .string), Self.field("a", 2, .int32), Self.field("c", 3, .int32),
            Self.field("page", 4, .int32), Self.field("d", 5, .string, .repeated(packed: false)),
        ])
        let bridge = RequestBridge(from: source, to: target, without: ["page"])
        var writer = ProtobufWriter()
        writer.varintField(1, 7)
        writer.stringField(2, "x")
        writer.stringField(3, "y")
        writer.varintField(4, 9)
        writer.stringField(5, "z")
        #expect(try bridge.fill(from: writer.bytes) == [0x0a, 1, 0x78, 0x10, 7])
        #expect(throws: ProtobufError.self) { try bridge.fill(from: [0x0a, 9]) }
    }

    @Test(arguments: [(0, nil), (1, "day"), (2, "MONTH"), (9, "9")] as [(Int, String?)])
    func anEnumIsSpelledAsTheUpstreamSpellsIt(number: Int, text: String?) throws {
        let window = EnumDescriptor(
            fullName: "t.E",
            values: [
                .init(name: "NONE", number: 0), .init(name: "DAY", number: 1, json: "day"),
                .init(name: "MONTH", number: 2),
            ],
            location: Self.place)
        let schema = Schema(
            messages: [Self.message([Self.field("window", 1, .enumeration(EnumID(0)))])], enums: [window],
            methods: [],
            fileDescriptorSet: [])
        var writer = ProtobufWriter()
        writer.varintField(1, UInt64(number))
        let layout = MessageLayout(schema: schema, message: MessageID(0))
        let request = try RequestText(writer.bytes, as: MessageID(0), layout, in: schema)
        #expect(request.text("window") == text)
        #expect(request.text("other") == nil)
    }
}
