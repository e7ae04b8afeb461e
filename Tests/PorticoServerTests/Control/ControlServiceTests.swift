import PorticoConfig
import PorticoSchema
import PorticoTranscode
import PorticoWire
import Testing

@testable import PorticoServer

private let schema = FakeSource.schema

private func ask(
    _ name: String, _ request: [UInt8] = [], client: Hello = Hello(), flags: [String: FlagDefinition] = [:]
) throws(CallError) -> [UInt8] {
    var configuration = Configuration(environment: "Test")
    configuration.flags = flags
    let service = ControlService(configuration: configuration, schema: schema)
    return try service.answer(
        to: schema.method(route: "portico.v1.Control/\(name)") ?? MethodID(0), request: request.span,
        from: client)
}

/// The fields of a message as `number=value`; nested messages in braces.
private func shown(_ bytes: [UInt8], nested: Set<Int> = []) throws -> [String] {
    var cursor = ProtobufCursor(0..<bytes.count)
    var fields: [String] = []
    while let tag = try cursor.nextTag(in: bytes.span) {
        switch tag.wireType {
        case .varint: fields.append("\(tag.field)=\(try cursor.varint(in: bytes.span))")
        case .fixed64:
            fields.append("\(tag.field)=\(Double(bitPattern: try cursor.fixed64(in: bytes.span)))")
        case .fixed32: fields.append("\(tag.field)=\(try cursor.fixed32(in: bytes.span))")
        case .lengthDelimited:
            let content = Array(bytes[try cursor.lengthDelimited(in: bytes.span)])
            let text =
                nested.contains(tag.field)
                ? "{\(try shown(content).joined(separator: " "))}" : String(decoding: content, as: UTF8.self)
            fields.append("\(tag.field)=\(text)")
        }
    }
    return fields
}

@Test func theEnvironmentIsNamed() throws {
    #expect(try shown(ask("GetEnvironment")) == ["1=test", "2=\(Server.version)"])
}

@Test func methodsAreListedWithTheirTypesAndComments() throws {
    let lines = try shown(ask("ListMethods"), nested: [1])
    #expect(lines.count == schema.methods.count)
    #expect(lines.first == "1={1=test.v1.Test/Echo 2=test.v1.Any 3=test.v1.Any}")
    #expect(lines.last == "1={1=portico.v1.Control/GetSchema 2=test.v1.Any 3=test.v1.Any 4=About GetSchema.}")
}

@Test func theSchemaIsHandedOut() throws {
    #expect(try ask("GetSchema") == [0x0a, 3, 1, 2, 3])
}

private let flags: [String: FlagDefinition] = [
    "bool": FlagDefinition(isEnabled: true, variants: ["on": .bool(true)], defaultVariant: "on"),
    "text": FlagDefinition(isEnabled: true, variants: ["a": .string("A")], defaultVariant: "a"),
    "number": FlagDefinition(isEnabled: true, variants: ["a": .number("2.5")], defaultVariant: "a"),
    "object": FlagDefinition(
        isEnabled: true, variants: ["a": .object([.init("x", .array([.number("1")]))])], defaultVariant: "a"),
    "off": FlagDefinition(isEnabled: false, variants: ["a": .bool(false)], defaultVariant: "a"),
]

@Test func flagsOfEveryTypeComeSortedWithVariantAndReason() throws {
    #expect(
        try shown(ask("GetFlags", flags: flags), nested: [1]) == [
            "1={1=bool 2=1 6=on 7=STATIC}", "1={1=number 4=2.5 6=a 7=STATIC}",
            "1={1=object 5={\"x\":[1]} 6=a 7=STATIC}", "1={1=off 2=0 6=a 7=DISABLED}",
            "1={1=text 3=A 6=a 7=STATIC}",
        ])
}

@Test func flagsAreAskedForByNameAndAnUnknownOneHasNoValue() throws {
    var request = ProtobufWriter()
    request.stringField(1, "text")
    request.stringField(1, "none")
    #expect(
        try shown(ask("GetFlags", request.bytes, flags: flags), nested: [1]) == [
            "1={1=text 3=A 6=a 7=STATIC}", "1={1=none 7=ERROR}",
        ])
}

@Test(arguments: ["GetEnvironment", "GetFlags"]) func aMalformedRequestIsInvalid(name: String) {
    #expect(throws: CallError(.invalidArgument, "the request is not a protobuf message of its type (byte 1)"))
    {
        try ask(name, [0x0a, 0x05, 0x01])
    }
}
