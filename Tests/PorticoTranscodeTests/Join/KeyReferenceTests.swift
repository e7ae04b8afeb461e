import PorticoSchema
import PorticoTranscode
import PorticoWire
import Testing

@Suite struct KeyReferenceTests {
    private static func reference(_ before: String, _ after: String, _ type: FieldType) -> KeyReference {
        let here = SourceLocation(file: "t.proto", line: 1, column: 1)
        let field = FieldDescriptor(
            name: "id", jsonName: "id", number: 1, type: type, cardinality: .implicit, location: here)
        let schema = Schema(
            messages: [MessageDescriptor(fullName: "t.Q", fields: [field], location: here)], enums: [],
            methods: [], fileDescriptorSet: [])
        return KeyReference(
            .init(before: before, field: "id", after: after), request: MessageID(0), in: schema)
    }

    @Test(
        arguments: [
            ("https://swapi.dev/api/planets/12/", 12), ("planets/12/", 12), ("/planets/0012/", 12),
            ("https://swapi.dev/api/planets/12", nil), ("https://swapi.dev/api/planets//", nil),
            ("https://swapi.dev/api/dwarfplanets/12/", nil), ("planets/1/2/", nil), ("planets/x/", nil),
            ("", nil),
            ("planets/2147483648/", nil), ("planets/-3/", -3), ("planets/1?x=/", nil),
        ] as [(String, Int64?)]) func aNumberIsFoundAtTheEndOfAURL(key: String, expected: Int64?) throws
    {
        let request = Self.reference("planets/", "/", .int32).request(for: Array(key.utf8))
        var writer = ProtobufWriter()
        if let expected { writer.varintField(1, UInt64(bitPattern: expected)) }
        #expect(request == (expected == nil ? nil : writer.bytes))
    }

    @Test(
        arguments: [
            ("", "", "42", "42"), ("", "", "a/b/42", "42"), ("id-", "", "id-7", "7"),
            ("id-", "", "x-id-7", nil),
            ("", ".json", "x/é.json", "é"), ("", ".json", ".json", nil), ("a/b/", "", "c/a/b/7", "7"),
        ] as [(String, String, String, String?)]) func aTextIsFoundByWhatStandsAroundIt(
            before: String, after: String, key: String, expected: String?
        ) throws
    {
        let request = Self.reference(before, after, .string).request(for: Array(key.utf8))
        var writer = ProtobufWriter()
        if let expected { writer.stringField(1, expected) }
        #expect(request == (expected == nil ? nil : writer.bytes))
    }

    @Test func aValueHasItsLimit() {
        let longest = [UInt8](repeating: UInt8(ascii: "x"), count: KeyReference.longestValue)
        let reference = Self.reference("p/", "", .string)
        #expect(reference.request(for: Array("http://h/p/".utf8) + longest) != nil)
        #expect(reference.request(for: Array("http://h/p/".utf8) + longest + longest.prefix(1)) == nil)
    }

    @Test func anUnsignedFieldTakesNoNegativeNumber() {
        #expect(Self.reference("", "", .uint64).request(for: Array("-1".utf8)) == nil)
        #expect(Self.reference("", "", .fixed32).request(for: Array("4294967296".utf8)) == nil)
    }
}
