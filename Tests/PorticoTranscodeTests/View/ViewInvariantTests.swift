import PorticoSchema
import PorticoTranscode
import PorticoWire
import TestSupport
import Testing

/// What holds for every view, whatever it does; from fixed seeds, without a model to compare with.
struct ViewInvariantTests {
    /// An answer's parts: records, or groups with theirs.
    private struct Answer {
        var total = 0
        var elements: [[UInt8]] = []

        init(_ bytes: [UInt8], list: Int, total number: Int) throws {
            var reader = ProtobufCursor(0..<bytes.count)
            while let tag = try reader.nextTag(in: bytes.span) {
                switch (tag.field, tag.wireType) {
                case (list, .lengthDelimited):
                    elements.append(Array(bytes[try reader.lengthDelimited(in: bytes.span)]))
                case (number, .varint): total = Int(try reader.varint(in: bytes.span))
                case (number, .fixed64): total = Int(try reader.fixed64(in: bytes.span))
                default: try reader.skip(tag.wireType, in: bytes.span)
                }
            }
        }
    }

    private static let pool: [NaiveItem] = {
        var dice = SeededGenerator(seed: 77)
        return (0..<200).map { _ in dice.item() }
    }()

    private func pages(_ items: [NaiveItem], of size: Int) -> [[UInt8]] {
        stride(from: 0, to: items.count, by: size).map { start in
            var writer = ProtobufWriter()
            for item in items[start..<min(start + size, items.count)] { writer.bytesField(4, item.bytes) }
            return writer.bytes
        }
    }

    private func run(_ view: ViewBinding, _ pages: [[UInt8]], page: UInt64 = 0) throws -> [UInt8] {
        var request = ProtobufWriter()
        if page > 0 { request.varintField(8, page) }
        return try ViewPlan(schema: ItemSchema.schema(view), method: MethodID(1))
            .run(pages: pages, request: request.bytes)
    }

    private func answer(_ view: ViewBinding, _ bytes: [UInt8]) throws -> Answer {
        try view.group == nil
            ? Answer(bytes, list: 3, total: 9) : Answer(bytes, list: 2, total: 1)
    }

    /// Sorted or grouped on random fields; neither filtered nor paged.
    private func view(_ dice: inout SeededGenerator) -> ViewBinding {
        var view = ViewBinding(from: MethodID(0))
        while dice.isLucky(60) {
            view.sort.append(
                .init(field: dice.pick(ItemSchema.paths), isDescending: dice.isLucky(50)))
        }
        if dice.isLucky(60) {
            let paths = ItemSchema.paths.filter { ItemSchema.leaf($0).type != .bytes }
            view.group = .init(by: dice.pick(paths), order: dice.pick([.firstSeen, .key, .count]))
        }
        return view
    }

    @Test(arguments: 0..<60 as Range<UInt64>)
    func everyRecordIsShownOnceHoweverTheSourceWasCut(seed: UInt64) throws {
        var dice = SeededGenerator(seed: seed)
        let view = view(&dice)
        let items = (0..<dice.pick([0, 1, 9, 60])).map { _ in dice.pick(Self.pool) }
        let bytes = try run(view, pages(items, of: 1000))
        #expect(try run(view, pages(items, of: dice.pick([1, 7]))) == bytes)
        let answer = try answer(view, bytes)
        #expect(answer.total == answer.elements.count)
        let shown =
            try view.group == nil
            ? answer.elements : answer.elements.flatMap { try Answer($0, list: 3, total: 2).elements }
        let expected = items.map { $0.bytes }
        #expect(shown.sorted(by: precedes) == expected.sorted(by: precedes))
        // A group's count is a sint64: twice itself.
        for group in view.group == nil ? [] : answer.elements {
            let members = try Answer(group, list: 3, total: 2)
            #expect(members.total == members.elements.count * 2)
        }
    }

    @Test(arguments: 0..<30 as Range<UInt64>)
    func pagesSideBySideAreTheWhole(seed: UInt64) throws {
        var dice = SeededGenerator(seed: seed)
        var view = view(&dice)
        let items = (0..<dice.pick([1, 9, 40])).map { _ in dice.pick(Self.pool) }
        let source = pages(items, of: 10)
        let whole = try answer(view, run(view, source)).elements
        let size = dice.pick([1, 4, 100])
        view.page = .init(size: "page_size", number: "page", defaultSize: size, maximumSize: 100)
        var shown: [[UInt8]] = []
        for number in 1...UInt64(whole.count / size + 2) {
            let page = try answer(view, run(view, source, page: number))
            #expect(page.elements.count <= size && page.total == whole.count)
            shown += page.elements
        }
        #expect(shown == whole)
    }

    @Test(arguments: 0..<30 as Range<UInt64>)
    func groupsThatHideTheirMembersSayTheSameOfThem(seed: UInt64) throws {
        var dice = SeededGenerator(seed: seed)
        var view = view(&dice)
        view.group = .init(by: dice.pick(ItemSchema.paths), order: dice.pick([.firstSeen, .key, .count]))
        let type = ItemSchema.leaf(view.group?.by ?? []).type
        let source = pages((0..<dice.pick([0, 9, 60])).map { _ in dice.pick(Self.pool) }, of: 10)
        func groups(hiding hidden: [FieldRole]) throws -> [[UInt8]] {
            let schema = ItemSchema.schema(view, keyType: type, hiding: hidden)
            let bytes = try ViewPlan(schema: schema, method: MethodID(1)).run(pages: source, request: [])
            return try Answer(bytes, list: 2, total: 1).elements
        }
        let whole = try groups(hiding: [])
        // Members are field 3, their different values field 8.
        #expect(try groups(hiding: [.items, .distinct]) == whole.map { try fields(of: $0, except: [3, 8]) })
        #expect(try groups(hiding: [.items]) == whole.map { try fields(of: $0, except: [3]) })
    }

    private func fields(of message: [UInt8], except hidden: [Int]) throws -> [UInt8] {
        var reader = ProtobufCursor(0..<message.count)
        var kept: [UInt8] = []
        var start = 0
        while let tag = try reader.nextTag(in: message.span) {
            try reader.skip(tag.wireType, in: message.span)
            if !hidden.contains(tag.field) { kept += message[start..<reader.offset] }
            start = reader.offset
        }
        return kept
    }

    private func precedes(_ left: [UInt8], _ right: [UInt8]) -> Bool { left.lexicographicallyPrecedes(right) }
}
