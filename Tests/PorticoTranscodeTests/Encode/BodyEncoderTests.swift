import PorticoTranscode
import PorticoWire
import Testing

@Suite struct BodyEncoderTests {
    private func body(_ json: String, as message: Int) throws -> String {
        let id = message == 0 ? TestSchema.person : message == 1 ? TestSchema.people : TestSchema.all
        var body: [UInt8] = []
        let bytes = try decode(Array(json.utf8), as: id).bytes
        try BodyEncoder(schema: TestSchema.schema, message: id).encode(bytes.span, into: &body)
        return String(decoding: body, as: UTF8.self)
    }

    @Test(arguments: [
        // Paths are objects, names are the schema's own, unset fields are left out.
        (#"{"name":"Yoda","images":{"small":"s","size":{"width":0}}}"#, 0, nil as String?),
        (#"{"images":{"large":"l"},"name":"Yoda"}"#, 0, #"{"name":"Yoda","images":{"large":"l"}}"#),
        (#"{"name":"a","height":0,"eyes":"","films":[]}"#, 0, #"{"name":"a"}"#),
        (#"{"name":"a","eyes":"blue"}"#, 0, #"{"name":"a","eye_color":"blue"}"#),
        (#"{"name":"\"\\\n","films":["","é"]}"#, 0, nil),
        (
            #"{"results":[{"name":"a","friends":[{"name":"b"}]},{"name":"c"}],"best":{"name":"d"}}"#, 1, nil
        ),
        // Numbers are numbers, enums are spelled as the upstream spells them.
        (#"{"int64_one":"-9007199254740993"}"#, 2, #"{"int64_one":-9007199254740993}"#),
        (
            #"{"color_one":"NOT_GIVEN","color_list":["RED",77,"n/a"]}"#, 2,
            #"{"color_one":"n/a","color_list":["RED",77,"n/a"]}"#
        ),
        (
            #"{"double_list":["NaN",1.5,"-Infinity"],"bool_optional":false}"#, 2,
            #"{"bool_optional":false,"double_list":["NaN",1.5,"-Infinity"]}"#
        ),
        (#"{"bytes_one":"AQI=","string_map":{"b":1,"a":2}}"#, 2, nil),
        (#"{}"#, 2, nil),
    ]) func isWhatTheUpstreamWouldSay(json: String, message: Int, expected: String?) throws {
        let body = try body(json, as: message)
        // Fields stand in the schema's order; without an expectation the body says what was read.
        if let expected { #expect(body == expected) }
        let id = message == 0 ? TestSchema.person : message == 1 ? TestSchema.people : TestSchema.all
        #expect(try reread(body, as: id) == reread(json, as: id))
    }

    @Test(arguments: 0..<20) func aRandomMessageIsReadBackAsItWas(block: UInt64) throws {
        let layout = MessageLayout(schema: TestSchema.schema, message: TestSchema.all)
        let encoder = BodyEncoder(schema: TestSchema.schema, message: TestSchema.all)
        for seed in block * 25..<block * 25 + 25 {
            var random = RandomMessage(schema: TestSchema.schema, seed: 40_000 + seed)
            let message = random.bytes(of: TestSchema.all)
            var body: [UInt8] = []
            try encoder.encode(message.span, into: &body)
            #expect(try decode(body).bytes == layout.canonical(message.span), "seed \(seed)")
        }
    }

    @Test func whatIsNoMessageLeavesTheOutputAlone() throws {
        let encoder = BodyEncoder(schema: TestSchema.schema, message: TestSchema.person)
        var body = Array("before".utf8)
        #expect(throws: TranscodeError.self) { try encoder.encode([0x0a, 9, 1].span, into: &body) }
        #expect(body == Array("before".utf8))
    }
}
