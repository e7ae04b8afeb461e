import PorticoTranscode
import Testing

@Test(arguments: 0..<20) func aRandomMessageSurvivesTheWayThroughJSON(block: UInt64) throws {
    let layout = MessageLayout(schema: TestSchema.schema, message: TestSchema.all)
    for seed in block * 25..<block * 25 + 25 {
        var random = RandomMessage(schema: TestSchema.schema, seed: seed)
        let message = random.bytes(of: TestSchema.all)
        let canonical = try layout.canonical(message.span)
        let json = try jsonText(of: message)
        #expect(try jsonText(of: canonical) == json, "seed \(seed)")
        #expect(try layout.canonical(canonical.span) == canonical, "seed \(seed)")
        let decoded = try decode(Array(json.utf8))
        #expect(decoded.bytes == canonical, "seed \(seed)")
        #expect(decoded.skippedItems == 0 && decoded.unknownEnumValues == 0)
    }
}

@Test(arguments: 0..<20) func damagedJSONNeverTrapsAndNeverGivesADamagedRecord(block: UInt64) throws {
    let layout = MessageLayout(schema: TestSchema.schema, message: TestSchema.all)
    var random = RandomMessage(schema: TestSchema.schema, seed: 1000 + block)
    // Short texts, so that most damage is to what stands between them.
    random.lengths = [0, 1, 3, 7, 8, 9, 20]
    let noise = Array("{}[]\",:\\0-9.eEnutf \n\u{0}é".utf8) + [0x80, 0xff, 0xed]
    for _ in 0..<40 {
        let json = Array(try jsonText(of: random.bytes(of: TestSchema.all)).utf8)
        for _ in 0..<10 {
            var damaged = json
            for _ in 0..<Int.random(in: 1...4, using: &random.generator) {
                let at = Int.random(in: 0..<damaged.count, using: &random.generator)
                switch Int.random(in: 0..<3, using: &random.generator) {
                case 0: damaged[at] = noise.randomElement(using: &random.generator) ?? 0
                case 1: damaged.insert(noise.randomElement(using: &random.generator) ?? 0, at: at)
                default: damaged.remove(at: at)
                }
                if damaged.isEmpty { break }
            }
            do throws(TranscodeError) {
                let decoded = try decode(damaged, mode: .lossy)
                _ = try layout.canonical(decoded.bytes.span)
            } catch {
                #expect(error.offset ?? 0 <= damaged.count)
                switch error {
                case .malformedProtobuf, .unknownField, .unsuitableView, .invalidCursor, .rootMissing:
                    Issue.record("\(error)")
                case .emptyBody, .malformedJSON, .mismatch: break
                }
            }
        }
    }
}

@Test(arguments: 0..<10) func damagedProtobufNeverTrapsAndNeverGivesDamagedJSON(block: UInt64) throws {
    var random = RandomMessage(schema: TestSchema.schema, seed: 2000 + block)
    for _ in 0..<60 {
        var message = random.bytes(of: TestSchema.all)
        guard !message.isEmpty else { continue }
        for _ in 0..<Int.random(in: 1...3, using: &random.generator) {
            message[Int.random(in: 0..<message.count, using: &random.generator)] = UInt8.random(
                in: 0...255, using: &random.generator)
        }
        do throws(TranscodeError) {
            let json = try jsonText(of: message)
            // By way of JSON, in which every NaN is one.
            #expect(try jsonText(of: decode(Array(json.utf8)).bytes) == json)
        } catch {
            guard case .malformedProtobuf(_, let offset) = error else {
                Issue.record("\(error)")
                continue
            }
            #expect(offset <= message.count)
        }
    }
}
