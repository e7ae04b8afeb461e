import PorticoSchema
import PorticoTranscode
import PorticoWire
import TestSupport
import Testing

/// Pages chosen by what the answer before said.
struct PageCursorTests {
    /// An answer's items or groups, encoded, and its cursor.
    private struct Page {
        var elements: [[UInt8]] = []
        var next: String?

        init(_ answer: [UInt8], list: Int, cursor: Int) throws {
            var reader = ProtobufCursor(0..<answer.count)
            while let tag = try reader.nextTag(in: answer.span) {
                guard tag.wireType == .lengthDelimited else {
                    try reader.skip(tag.wireType, in: answer.span)
                    continue
                }
                let bytes = Array(answer[try reader.lengthDelimited(in: answer.span)])
                if tag.field == list { elements.append(bytes) }
                if tag.field == cursor { next = String(decoding: bytes, as: UTF8.self) }
            }
        }
    }

    private static let paged = ViewBinding.Page(
        size: "page_size", number: "page", cursor: "cursor", defaultSize: 3, maximumSize: 5)

    private func page(
        _ view: ViewBinding, _ items: [NaiveItem], after cursor: String? = nil, size: UInt64 = 0
    ) throws -> Page {
        let plan = try ViewPlan(schema: ItemSchema.schema(view), method: MethodID(1))
        var list = ProtobufWriter()
        for item in items { list.bytesField(4, item.bytes) }
        var request = ProtobufWriter()
        if size > 0 { request.varintField(9, size) }
        if let cursor { request.stringField(10, cursor) }
        let answer = try plan.run(pages: [list.bytes], request: request.bytes)
        return try view.group == nil ? Page(answer, list: 3, cursor: 10) : Page(answer, list: 2, cursor: 3)
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func followingCursorsShowsEverythingOnceAndInOrder(seed: UInt64) throws {
        var dice = SeededGenerator(seed: seed)
        let items = (0..<dice.pick([0, 1, 3, 4, 23])).map { _ in dice.item() }
        var view = ViewBinding(
            from: MethodID(0), sort: [.init(field: ["name"], isDescending: dice.isLucky(50))])
        if dice.isLucky(50) { view.group = .init(by: ["kind"], order: dice.pick([.key, .firstSeen])) }
        let whole = try page(view, items)
        view.page = Self.paged
        var seen: [[UInt8]] = []
        var cursor: String?
        repeat {
            // Another size on the way changes nothing.
            let page = try page(view, items, after: cursor, size: dice.pick([0, 1, 2, 100]))
            seen += page.elements
            cursor = page.next
        } while cursor != nil && seen.count <= whole.elements.count
        #expect(seen == whole.elements)
    }

    @Test func theSameRequestOnTheSameDataGivesTheSameCursor() throws {
        var dice = SeededGenerator(seed: 3)
        let items = (0..<9).map { _ in dice.item() }
        let view = ViewBinding(from: MethodID(0), page: Self.paged)
        #expect(try page(view, items).next == page(view, items).next)
        #expect(try page(view, items).next != nil)
    }

    @Test func itemsPutInBeforeThePlaceOrTakenOutDoNotShiftIt() throws {
        var dice = SeededGenerator(seed: 4)
        let items = (0..<9).map { _ in dice.item() }
        let view = ViewBinding(from: MethodID(0), page: Self.paged)
        let cursor = try page(view, items).next
        let expected = items[3..<6].map { $0.bytes }
        #expect(try page(view, [dice.item(), dice.item()] + items, after: cursor).elements == expected)
        #expect(try page(view, Array(items[1...]), after: cursor).elements == expected)
    }

    @Test func whereTheLastItemIsGoneThePositionHasToDo() throws {
        var dice = SeededGenerator(seed: 5)
        var items = (0..<9).map { _ in dice.item() }
        let view = ViewBinding(from: MethodID(0), page: Self.paged)
        let cursor = try page(view, items).next
        items.remove(at: 2)
        #expect(try page(view, items, after: cursor).elements == items[3..<6].map { $0.bytes })
        #expect(try page(view, Array(items[..<2]), after: cursor).elements == [])
    }

    @Test(arguments: ["x", "1", "1.", ".1", "0.1", "-1.1", "1.1.1", "1.zzzzzzzzzzzzzzzzzzz", "é.1"])
    func textThatNoAnswerGaveIsRefused(text: String) throws {
        let view = ViewBinding(from: MethodID(0), page: Self.paged)
        #expect(throws: TranscodeError.invalidCursor) { try page(view, [], after: text) }
    }

    @Test(arguments: ["3.1", "zzzzzzzzzzz.0", "1.3w5e11264sgsf"])
    func aWellFormedCursorFromElsewhereIsAPosition(text: String) throws {
        var dice = SeededGenerator(seed: 6)
        let items = (0..<4).map { _ in dice.item() }
        let view = ViewBinding(from: MethodID(0), page: Self.paged)
        #expect(try page(view, items, after: text).elements.count <= 3)
    }

    @Test func anEmptyCursorIsTheFirstPage() throws {
        var dice = SeededGenerator(seed: 7)
        let items = (0..<4).map { _ in dice.item() }
        let view = ViewBinding(from: MethodID(0), page: Self.paged)
        #expect(try page(view, items, after: "").elements == items[..<3].map { $0.bytes })
    }
}
