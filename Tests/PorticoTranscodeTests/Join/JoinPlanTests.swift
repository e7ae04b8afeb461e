import PorticoSchema
import PorticoTranscode
import PorticoWire
import Testing

@Suite struct JoinPlanTests {
    private static let schema: Schema = {
        let text = """
            syntax = "proto3"; package p;
            service S { rpc Get(Q) returns (Planet) {} }
            message Q { int32 id = 1; }
            message Planet { string name = 1; int64 people = 2; }
            message Person { string home = 1; string name = 2; string home_name = 3; Planet planet = 4; int32 number = 5; }
            message Page { int32 count = 1; repeated Person people = 2; string next = 3; }
            """
        // Without a binding the method is a fault, so its binding is left to the plan.
        let file = SchemaFile(
            path: "t.proto", text: text.replacing("service S { rpc Get(Q) returns (Planet) {} }", with: ""))
        guard let schema = try? SchemaCompiler.compile(files: [file]) else {
            preconditionFailure("it compiles")
        }
        func id(_ name: String) -> MessageID { schema.message(named: "p.\(name)") ?? MessageID(0) }
        let here = SourceLocation(file: "t.proto", line: 1, column: 1)
        let get = MethodDescriptor(
            name: "Get", service: "p.S", input: id("Q"), output: id("Planet"), binding: .builtIn,
            location: here)
        return Schema(messages: schema.messages, enums: [], methods: [get], fileDescriptorSet: [])
    }()

    private static func message(_ name: String) -> MessageID {
        schema.message(named: "p.\(name)") ?? MessageID(0)
    }

    private static func plan(
        list: String? = "people", key: String = "home", match: JoinBinding.Pattern? = nil,
        take: String? = "name",
        into: String = "home_name"
    ) -> JoinPlan {
        let join = JoinBinding(
            list: list, key: key, match: match ?? .init(before: "p/", field: "id"), from: MethodID(0),
            take: take,
            into: into)
        return JoinPlan(join, source: message(list == nil ? "Person" : "Page"), in: schema)
    }

    private static func json(_ bytes: [UInt8], _ name: String) throws -> String {
        var text: [UInt8] = []
        try RecordEncoder(schema: schema, message: message(name), maximumDepth: 9).encode(
            bytes.span, into: &text)
        return String(decoding: text, as: UTF8.self)
    }

    private static func bytes(_ json: String, _ name: String) throws -> [UInt8] {
        try RecordDecoder(schema: schema, message: message(name)).decode(Array(json.utf8).span).bytes
    }

    /// The example of the file.
    @Test func theRecordOfTheExampleIsJoined() throws {
        let plan = Self.plan(list: nil)
        let record = [0x0a, 0x08] + Array("http/p/7".utf8)
        #expect(try plan.requests(in: record) == [Array("http/p/7".utf8): [0x08, 0x07]])
        let field = try plan.field(from: [0x0a, 0x05] + Array("Naboo".utf8) + [0x10, 0x01])
        #expect(field == [0x1a, 0x05] + Array("Naboo".utf8))
        let joined = try plan.joined(record, [Array("http/p/7".utf8): field])
        #expect(joined.answer == record + field && joined.missing == 0)
    }

    @Test func allOfAPageStaysAndMissingOnesAreCounted() throws {
        let plan = Self.plan()
        let page = try Self.bytes(
            #"{"count":4,"people":[{"home":"/p/1","name":"a"},{"name":"b"},{"home":"/p/2"},{"home":"elsewhere"}],"next":"n"}"#,
            "Page")
        let keys = try plan.requests(in: page)
        #expect(keys.count == 3 && keys[Array("elsewhere".utf8)] == .some(nil))
        let joined = try plan.joined(
            page, [Array("/p/1".utf8): try plan.field(from: Self.bytes(#"{"name":"A"}"#, "Planet"))])
        #expect(joined.missing == 2)
        #expect(
            try Self.json(joined.answer, "Page")
                == #"{"count":4,"people":[{"home":"/p/1","name":"a","homeName":"A"},{"name":"b"},{"home":"/p/2"},{"home":"elsewhere"}],"next":"n"}"#
        )
    }

    @Test func whatTheRecordHadThereIsReplacedOrLeftOut() throws {
        let plan = Self.plan(list: nil)
        let record = try Self.bytes(#"{"home":"p/1","homeName":"old","name":"n"}"#, "Person")
        let other = try plan.field(from: Self.bytes(#"{"name":"new"}"#, "Planet"))
        #expect(
            try Self.json(plan.joined(record, [Array("p/1".utf8): other]).answer, "Person")
                == #"{"home":"p/1","name":"n","homeName":"new"}"#)
        #expect(try Self.json(plan.joined(record, [:]).answer, "Person") == #"{"home":"p/1","name":"n"}"#)
    }

    @Test func theWholeOtherRecordCanBeTakenAndAKeyCanBeANumber() throws {
        let plan = Self.plan(list: nil, key: "number", match: .init(field: "id"), take: nil, into: "planet")
        let record = try Self.bytes(#"{"number":12}"#, "Person")
        #expect(try plan.requests(in: record) == [Array("12".utf8): [0x08, 12]])
        let field = try plan.field(from: Self.bytes(#"{"name":"A","people":3}"#, "Planet"))
        let joined = try plan.joined(record, [Array("12".utf8): field])
        #expect(
            try Self.json(joined.answer, "Person") == #"{"planet":{"name":"A","people":"3"},"number":12}"#)
    }

    @Test(arguments: 0..<50) func bytesThatAreNoMessageAreAnError(seed: UInt64) throws {
        var dice = SystemRandomNumberGenerator()
        var page = try Self.bytes(#"{"people":[{"home":"/p/1","name":"abc"}]}"#, "Page")
        page[Int(seed) % page.count] = UInt8.random(in: 0...255, using: &dice)
        // Whatever it is, it is read or refused.
        _ = try? Self.plan().requests(in: page)
        _ = try? Self.plan().joined(page, [:])
        #expect(throws: TranscodeError.self) { try Self.plan().joined([0x12, 0x7f, 0x00], [:]) }
    }
}
