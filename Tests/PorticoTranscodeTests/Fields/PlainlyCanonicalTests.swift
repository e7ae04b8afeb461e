import PorticoSchema
import PorticoWire
import TestSupport
import Testing

@testable import PorticoTranscode

@Suite struct PlainlyCanonicalTests {
    private let layout = MessageLayout(schema: TestSchema.schema, message: TestSchema.all)

    private func number(of name: String) -> Int {
        TestSchema.schema[TestSchema.all].field(named: name)?.number ?? 0
    }

    private func isTold(_ bytes: [UInt8]) -> Bool { layout.isPlainlyCanonical(bytes.span) }

    @Test func aRequestOfNumbersAndTextsIsToldAtAGlance() throws {
        let build: [(number: Int, (inout ProtobufWriter) -> Void)] = [
            (number(of: "int32_one"), { $0.varintField(number(of: "int32_one"), 10_000_000) }),
            (number(of: "uint64_one"), { $0.varintField(number(of: "uint64_one"), .max) }),
            (number(of: "bool_one"), { $0.boolField(number(of: "bool_one"), true) }),
            (number(of: "string_one"), { $0.stringField(number(of: "string_one"), "é") }),
            (number(of: "int64_optional"), { $0.varintField(number(of: "int64_optional"), 0) }),
        ]
        var writer = ProtobufWriter()
        for (_, write) in build.sorted(by: { $0.number < $1.number }) { write(&writer) }
        #expect(isTold(writer.bytes))
        #expect(!isTold(writer.bytes + writer.bytes))
    }

    /// Random fields, spoilt at random places: what is told to be canonical is what the whole way would write.
    @Test func whatIsToldToBeCanonicalIsWrittenAsItIs() throws {
        var random = SeededGenerator(seed: 0xca11)
        let fields = TestSchema.schema[TestSchema.all].fields
        var told = 0
        for _ in 0..<50_000 {
            var writer = ProtobufWriter()
            let count = Int.random(in: 0..<4, using: &random)
            for field in (0..<count).compactMap({ _ in fields.randomElement(using: &random) })
                .sorted(by: { $0.number < $1.number })
            {
                switch Int.random(in: 0..<3, using: &random) {
                case 0: writer.varintField(field.number, .random(in: 0..<300, using: &random))
                case 1: writer.varintField(field.number, .random(in: .min ... .max, using: &random))
                default:
                    writer.bytesField(
                        field.number,
                        (0..<Int.random(in: 0..<3, using: &random)).map { _ in
                            .random(in: .min ... .max, using: &random)
                        })
                }
            }
            var bytes = writer.bytes
            if Bool.random(using: &random), let place = bytes.indices.randomElement(using: &random) {
                bytes[place] = .random(in: .min ... .max, using: &random)
            }
            guard isTold(bytes) else { continue }
            told += 1
            let rewritten = try layout.rewritten(bytes.span, maximumDepth: 100)
            #expect(rewritten == bytes)
        }
        #expect(told > 5_000)
    }
}
