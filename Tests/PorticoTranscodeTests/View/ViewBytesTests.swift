import PorticoSchema
import PorticoTranscode
import PorticoWire
import TestSupport
import Testing

/// Answers written out, and bytes that are no answers.
struct ViewBytesTests {
    private static let byName = ViewBinding.Filter(
        field: ["nick"], comparison: .equal, operand: .request("nick"))
    private static let grouped = ViewBinding(
        from: MethodID(0), filters: [byName],
        group: .init(
            by: ["nick"], order: .key,
            label: Template([.field("key"), .literal(" ("), .field("count"), .literal(")")])))

    private func plan(_ view: ViewBinding) throws -> ViewPlan {
        try ViewPlan(schema: ItemSchema.schema(view), method: MethodID(1))
    }

    /// items {nick "g"}, items {nick "b"}, items {nick "g" height 1}
    private static let page: [UInt8] = [
        0x22, 3, 0x12, 1, 0x67, 0x22, 3, 0x12, 1, 0x62, 0x22, 5, 0x12, 1, 0x67, 0x18, 1,
    ]

    @Test func groupsAreWrittenFieldByFieldInTheOrderOfTheirNumbers() throws {
        let answer = try plan(Self.grouped).run(pages: [Self.page], request: [])
        #expect(
            answer == [0x09, 2, 0, 0, 0, 0, 0, 0, 0]  // total = 2, fixed64
                + [0x12, 17, 0x0a, 1, 0x62, 0x10, 2, 0x1a, 3, 0x12, 1, 0x62]  // key "b", count 1, its item
                + [0x3a, 5] + Array("b (1)".utf8)
                + [0x12, 24, 0x0a, 1, 0x67, 0x10, 4, 0x1a, 3, 0x12, 1, 0x67, 0x1a, 5, 0x12, 1, 0x67, 0x18, 1]
                + [0x3a, 5] + Array("g (2)".utf8))
    }

    @Test func anOptionalFieldSetToTheEmptyTextIsSet() throws {
        let unset = try plan(Self.grouped).run(pages: [Self.page], request: [])
        let empty = try plan(Self.grouped).run(pages: [Self.page], request: [0x12, 0])
        let chosen = try plan(Self.grouped).run(pages: [Self.page], request: [0x12, 1, 0x62])
        #expect(unset.count > chosen.count)
        #expect(empty == [])
        #expect(chosen.count == 28)
    }

    @Test func thereIsAnEmptyAnswerToNoPagesAndToEmptyOnes() throws {
        #expect(try plan(Self.grouped).run(pages: [] as [RecordPage], request: []) == [])
        #expect(try plan(Self.grouped).run(pages: [[], []], request: []) == [])
        #expect(try plan(ViewBinding(from: MethodID(0))).run(pages: [[0x08, 82]], request: []) == [])
    }

    @Test func aPageOrRequestThatIsCutOffIsRefusedWithItsOffset() throws {
        let plan = try plan(Self.grouped)
        #expect(throws: TranscodeError.malformedProtobuf(.malformed, offset: 18)) {
            try plan.run(pages: [Self.page, [0x22, 9, 0x12]], request: [])
        }
        #expect(throws: TranscodeError.malformedProtobuf(.malformed, offset: 1)) {
            try plan.run(pages: [Self.page], request: [0x12, 5, 0x41])
        }
    }

    /// Every view either refuses mutated bytes with an error, or gives an answer that is protobuf.
    @Test(arguments: 0..<40 as Range<UInt64>)
    func mutatedBytesNeverTrap(seed: UInt64) throws {
        var dice = SeededGenerator(seed: seed)
        let home = ViewBinding(
            from: MethodID(0),
            filters: [.init(field: ["home", "city"], comparison: .contains, operand: .text("é"))],
            sort: [.init(field: ["alias"]), .init(field: ["mass"], isDescending: true)],
            page: .init(size: "page_size", number: "page", defaultSize: 3, maximumSize: 5))
        let plans = [try plan(Self.grouped), try plan(home)]
        let items = (0..<20).map { _ in dice.item() }
        for _ in 0..<50 {
            var writer = ProtobufWriter()
            for _ in 0..<5 { writer.bytesField(4, dice.pick(items).bytes) }
            let page = dice.mutated(writer.bytes)
            let request = dice.mutated([0x12, 1, 0x67, 0x40, 2, 0x48, 3])
            for plan in plans {
                guard let answer = try? plan.run(pages: [page, Self.page], request: request) else { continue }
                var cursor = ProtobufCursor(0..<answer.count)
                while let tag = try cursor.nextTag(in: answer.span) {
                    try cursor.skip(tag.wireType, in: answer.span)
                }
            }
        }
    }
}

extension SeededGenerator {
    /// Some bytes changed, taken away, put in or cut off.
    fileprivate mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<pick([0, 1, 2, 4]) where !bytes.isEmpty {
            let place = Int.random(in: bytes.indices, using: &self)
            switch pick([0, 1, 2, 3]) {
            case 0: bytes[place] = UInt8(truncatingIfNeeded: next())
            case 1: bytes.remove(at: place)
            case 2: bytes.insert(pick([0, 0x7f, 0x80, 0xff]), at: place)
            default: bytes.removeSubrange(place...)
            }
        }
        return bytes
    }
}
