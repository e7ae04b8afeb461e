import PorticoSchema
import PorticoTranscode
import PorticoWire
import Testing

private func fields(_ build: (inout ProtobufWriter) -> Void) throws -> MessageFields {
    var writer = ProtobufWriter()
    build(&writer)
    return try MessageFields(schema: TestSchema.schema, message: TestSchema.all, bytes: writer.bytes)
}

private func number(of name: String) -> Int {
    TestSchema.schema[TestSchema.all].field(named: name)?.number ?? 0
}

@Test func scalarsAreGivenAsTextAndAsIntegers() throws {
    let fields = try fields { writer in
        writer.varintField(number(of: "int32_one"), UInt64(bitPattern: -5))
        writer.varintField(number(of: "sint64_one"), ZigZag.encode(-6))
        writer.varintField(number(of: "uint64_one"), .max)
        writer.fixed32Field(number(of: "sfixed32_one"), UInt32(bitPattern: -7))
        writer.doubleField(number(of: "double_one"), 2.5)
        writer.boolField(number(of: "bool_one"), true)
        writer.stringField(number(of: "string_one"), "é")
        writer.bytesField(number(of: "bytes_one"), [0x4d, 0x61])
        writer.varintField(number(of: "color_one"), 2)
        writer.varintField(number(of: "int64_optional"), 0)
        writer.bytesField(number(of: "all_one"), [])
    }
    let texts = [
        "int32_one": "-5", "sint64_one": "-6", "uint64_one": "18446744073709551615", "sfixed32_one": "-7",
        "double_one": "2.5", "bool_one": "true", "string_one": "é", "bytes_one": "TWE=",
        "color_one": "NOT_GIVEN",
        "int64_optional": "0",
    ]
    for (name, text) in texts { #expect(fields.text(name) == text) }
    for name in ["all_one", "string_optional", "int32_list", "nothing"] { #expect(fields.text(name) == nil) }
    #expect(fields.integer("int32_one") == -5)
    #expect(fields.integer("sint64_one") == -6)
    #expect(fields.integer("sfixed32_one") == -7)
    #expect(fields.integer("color_one") == 2)
    #expect(fields.integer("int64_optional") == 0)
    for name in ["uint64_one", "string_one", "int32_optional", "nothing"] {
        #expect(fields.integer(name) == nil)
    }
    #expect(fields.isSet("all_one") && fields.isSet("int64_optional"))
    #expect(!fields.isSet("int32_optional") && !fields.isSet("nothing"))
}

@Test(arguments: ["int32_one", "uint64_one", "sint32_one", "fixed64_one", "int64_optional", "string_one"])
func anIntegerFieldCanBeSetAndSetAgain(name: String) throws {
    let fields = try fields { $0.stringField(number(of: "string_list"), "x") }
    for value in [3, 70_000, 0] as [Int64] {
        let changed = try MessageFields(
            schema: TestSchema.schema, message: TestSchema.all, bytes: fields.setting(name, integer: value))
        let isAbsent = value == 0 && name.hasSuffix("_one") && name != "string_one"
        #expect(changed.text(name) == (isAbsent ? nil : "\(value)"))
        #expect(changed.isSet("string_list"))
        let again = try MessageFields(
            schema: TestSchema.schema, message: TestSchema.all, bytes: changed.setting(name, integer: 9))
        #expect(again.text(name) == "9")
    }
}

@Test func equalMessagesHaveOneCanonicalForm() throws {
    // page 0, page 2 in a padded varint, an unknown field: the example in Canonical.swift, with other numbers.
    let (text, page) = (number(of: "string_one"), number(of: "int32_one"))
    var writer = ProtobufWriter()
    writer.stringField(text, "a")
    writer.varintField(page, 0)
    writer.tag(page, .varint)
    writer.bytes += [0x82, 0x00]
    writer.bytesField(9999, [1, 2])
    var expected = ProtobufWriter()
    expected.varintField(page, 2)
    expected.stringField(text, "a")
    #expect(try canonical(writer.bytes.span, as: TestSchema.all, in: TestSchema.schema) == expected.bytes)
}

@Test func partsOfAMessageAreMerged() throws {
    let all = number(of: "all_one")
    var writer = ProtobufWriter()
    writer.messageField(all) { $0.varintField(number(of: "int32_one"), 1) }
    writer.messageField(all) { $0.varintField(number(of: "int64_one"), 2) }
    #expect(try jsonText(of: writer.bytes) == #"{"allOne":{"int32One":1,"int64One":"2"}}"#)
}

@Test func ofAOneofTheLastMemberCounts() throws {
    var writer = ProtobufWriter()
    writer.messageField(number(of: "pick_all")) { $0.varintField(number(of: "int32_one"), 1) }
    writer.stringField(number(of: "pick_text"), "a")
    writer.messageField(number(of: "pick_all")) { $0.varintField(number(of: "int64_one"), 2) }
    #expect(try jsonText(of: writer.bytes) == #"{"pickAll":{"int64One":"2"}}"#)
}

@Test(
    arguments: [
        [0x08], [0x00, 0x01], [0x0b], [0x0f, 0x01], [0x72, 0x05, 0x61], [0x72, 0x01, 0xff],
        [0x72, 0x02, 0xc3, 0x28],
        [0x21, 1, 2, 3], [0xff, 0xff, 0xff, 0xff, 0xff, 0xff], [0x8a, 0x01, 0x02, 0x72, 0x7f],
    ] as [[UInt8]]) func bytesThatAreNoMessageAreRefused(bytes: [UInt8]) throws
{
    #expect(throws: TranscodeError.self) { try jsonText(of: bytes) }
    #expect(throws: TranscodeError.self) {
        try canonical(bytes.span, as: TestSchema.all, in: TestSchema.schema)
    }
}

@Test func everyTruncationOfAMessageIsRefusedOrShorter() throws {
    var random = RandomMessage(schema: TestSchema.schema, seed: 77)
    let message = random.bytes(of: TestSchema.all)
    for count in 0..<message.count {
        do throws(TranscodeError) {
            _ = try jsonText(of: Array(message[..<count]))
        } catch {
            guard case .malformedProtobuf(_, let offset) = error, offset <= count else {
                Issue.record("\(error)")
                return
            }
        }
    }
}

@Test func nestedMessagesAreBounded() throws {
    var message: [UInt8] = []
    for depth in 1...150 {
        var output: [UInt8] = []
        do throws(TranscodeError) {
            try RecordEncoder(schema: TestSchema.schema, message: TestSchema.person, maximumDepth: 100)
                .encode(message.span, into: &output)
            #expect(depth <= 100)
        } catch {
            #expect(depth > 100 && output.isEmpty)
        }
        var outer = ProtobufWriter()
        outer.bytesField(8, message)
        message = outer.bytes
    }
}

@Test(
    arguments: [
        (["errors", "message"], #"{"errors":{"message":"No such page"}}"#, "No such page"),
        (["status"], #" { "x" : [1,{"status":2}], "status" : "success" }"#, "success"),
        (["status"], #"{"status":200.50}"#, "200.50"), (["ok"], #"{"ok":true}"#, "true"),
        (["a"], #"{"a":1,"\u0061":"\n"}"#, "\n"),
        (["a"], #"{"a":null}"#, nil), (["a"], #"{"a":{}}"#, nil), (["a"], #"{"a":[1]}"#, nil),
        (["a", "b"], #"{"a":1}"#, nil),
        (["a"], "[]", nil), (["a"], "{}", nil), (["a"], #"{"a":"#, nil), (["a"], #"{"a":1,"#, nil),
        (["a"], "", nil),
        (["a"], "<html>", nil), ([], #""text""#, "text"),
    ] as [([String], String, String?)]) func aScalarIsFoundByItsPath(
        path: [String], json: String, expected: String?
    )
{
    let bytes = Array(json.utf8)
    #expect(JSONPath.find(path, in: bytes.span) == expected)
}

@Test func anOffsetIsShownAsLineAndColumn() {
    let text = Array("{\n  \"é\": ?".utf8)
    #expect(TextPosition(of: 0, in: text.span).description == "1:1")
    #expect(TextPosition(of: text.count - 1, in: text.span).description == "2:8")
    #expect(TextPosition(of: 1000, in: text.span).description == "2:9")
}
