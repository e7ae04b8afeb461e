import PorticoSchema
import Testing

@testable import portico

@Suite struct RequestTextTests {
    private func fault(_ json: String) -> String? {
        do throws(RemoteServer.Fault) {
            _ = try RequestText(json: json, schema: SampleSchema.schema).encoded(
                as: SampleSchema.message("Animal"))
            return nil
        } catch { return error.message }
    }

    @Test func aRequestMayNameItsFieldsInBothSpellings() throws {
        let text = RequestText(json: #"{"weight_grams": 3, "isShy": true}"#, schema: SampleSchema.schema)
        #expect(try text.encoded(as: SampleSchema.message("Animal")) == [0x10, 3, 0x38, 1])
    }

    /// `required` and `path` are about what upstreams answer.
    @Test func aRequestIsNotReadAsAnUpstreamsAnswerIs() throws {
        let place = SourceLocation(file: "t.proto", line: 1, column: 1)
        let fields = [
            FieldDescriptor(
                name: "id", jsonName: "id", number: 1, type: .string, cardinality: .implicit,
                isRequired: true,
                location: place),
            FieldDescriptor(
                name: "small", jsonName: "small", number: 2, type: .string, cardinality: .implicit,
                path: ["images", "small"], location: place),
        ]
        let schema = Schema(
            messages: [MessageDescriptor(fullName: "t.Show", fields: fields, location: place)], enums: [],
            methods: [], fileDescriptorSet: [])
        let text = RequestText(json: #"{"small": "a"}"#, schema: schema)
        #expect(try text.encoded(as: MessageID(0)) == [0x12, 1, 0x61])
    }

    @Test(arguments: [
        (#"{"nam": "x"}"#, "request:1:2: zoo.v1.Animal has no field nam; did you mean name?"),
        (#"{"pond": {"deep": 1}}"#, "request:1:11: zoo.v1.Pond has no field deep"),
        (
            #"{"visits": {"a": {"dept": 1}}}"#,
            "request:1:19: zoo.v1.Pond has no field dept; did you mean depth?"
        ),
        (#"{"diet": "MEET"}"#, "request:1:10: zoo.v1.Diet has no value MEET; did you mean MEAT?"),
        (
            "{\"name\": 1,\n\"a\": 1, \"b\": 2}",
            "request:2:1: zoo.v1.Animal has no field a\nrequest:2:9: zoo.v1.Animal has no field b"
        ),
    ]) func everyUnknownNameIsToldWithItsPlace(json: String, message: String) {
        #expect(fault(json) == message)
    }

    @Test(arguments: [#"{"name": "#, "[]", #"{"weightGrams": "heavy"}"#, #"{"cage": "a", "pond": {}}"#, ""])
    func whatIsNotAMessageIsRefusedWithItsPlace(json: String) {
        #expect(fault(json)?.hasPrefix("request:1:") == true)
    }
}
