import PorticoSchema
import PorticoTranscode
import PorticoWire
import TestSupport
import Testing

/// Views against ``NaiveView``, which does the same with Swift arrays: equal to the last byte.
struct ViewPlanTests {
    @Test(arguments: ItemSchema.paths)
    func groupingOnAnyFieldEqualsTheNaiveOne(path: FieldPath) throws {
        for seed in 0..<12 as Range<UInt64> {
            var dice = SeededGenerator(seed: seed)
            let type = ItemSchema.leaf(path).type
            let group = ViewBinding.Grouping(
                by: path, order: dice.pick([.firstSeen, .key, .count]),
                label: type == .bytes ? nil : Self.label)
            let keyType = type == .bytes ? .bytes : dice.pick([type, .string])
            try check(ViewBinding(from: MethodID(0), group: group), keyType: keyType, &dice)
        }
    }

    @Test(arguments: ItemSchema.paths)
    func sortingByAnyFieldEqualsTheNaiveOne(path: FieldPath) throws {
        for seed in 0..<12 as Range<UInt64> {
            var dice = SeededGenerator(seed: seed)
            var sort = [ViewBinding.SortKey(field: path, isDescending: dice.isLucky(50))]
            while dice.isLucky(50) { sort.append(dice.sortKey()) }
            try check(ViewBinding(from: MethodID(0), sort: sort), &dice)
        }
    }

    @Test(arguments: ItemSchema.paths)
    func filteringByAnyFieldEqualsTheNaiveOne(path: FieldPath) throws {
        for seed in 0..<20 as Range<UInt64> {
            var dice = SeededGenerator(seed: seed)
            try check(ViewBinding(from: MethodID(0), filters: [dice.filter(path)]), &dice)
        }
    }

    @Test(arguments: 0..<150 as Range<UInt64>)
    func everyCombinationEqualsTheNaiveOne(seed: UInt64) throws {
        var dice = SeededGenerator(seed: seed &+ 1_000_000)
        var view = ViewBinding(from: MethodID(0), allPages: dice.isLucky(50))
        while dice.isLucky(40) { view.filters.append(dice.filter(dice.pick(ItemSchema.paths))) }
        while dice.isLucky(60) { view.sort.append(dice.sortKey()) }
        var keyType = FieldType.string
        if dice.isLucky(60) {
            let path = dice.pick(ItemSchema.paths.filter { ItemSchema.leaf($0).type != .bytes })
            keyType = dice.pick([.string, ItemSchema.leaf(path).type])
            view.group = .init(by: path, order: dice.pick([.firstSeen, .key, .count]), label: Self.label)
        }
        if dice.isLucky(50) {
            view.page = .init(
                size: "page_size", number: "page", defaultSize: dice.pick([1, 3, 10]),
                maximumSize: dice.pick([10, 20]))
        }
        if dice.isLucky(50) { view.distinct = dice.pick(ItemSchema.paths) }
        try check(view, keyType: keyType, &dice)
    }

    @Test(arguments: ItemSchema.paths)
    func distinctValuesOfAnyFieldAreCountedAsNaively(path: FieldPath) throws {
        for seed in 0..<6 as Range<UInt64> {
            var dice = SeededGenerator(seed: seed)
            let group = ViewBinding.Grouping(by: ["kind"], order: .firstSeen, label: Self.label)
            try check(ViewBinding(from: MethodID(0), distinct: path), &dice)
            try check(ViewBinding(from: MethodID(0), group: group, distinct: path), &dice)
        }
    }

    /// Made once: making an item takes longer than a view of it.
    private static let pool: [NaiveItem] = {
        var dice = SeededGenerator(seed: 2_000_000)
        return (0..<400).map { _ in dice.item() }
    }()

    private static let label = Template([.field("key"), .literal(" ("), .field("count"), .literal(")")])

    /// Runs a view over random pages for several random requests.
    private func check(_ view: ViewBinding, keyType: FieldType = .string, _ dice: inout SeededGenerator)
        throws
    {
        let plan = try ViewPlan(schema: ItemSchema.schema(view, keyType: keyType), method: MethodID(1))
        let items = (0..<dice.pick([0, 1, 7, 40])).map { _ in dice.pick(Self.pool) }
        // A view that reads nothing from the request answers all of them alike.
        let requests = view.filters.isEmpty && view.page == nil ? 1 : 3
        for _ in 0..<requests {
            let request = dice.request()
            var writer = ProtobufWriter()
            for field in ItemSchema.requestFields {
                if let value = request[field.name] { writer.write(value, as: field) }
            }
            let naive = NaiveView(view: view, keyType: keyType, request: request)
            let answer = try plan.run(pages: dice.pages(of: items), request: writer.bytes)
            #expect(answer == naive.answer(items), "\(view) \(request)")
        }
    }
}

extension SeededGenerator {
    fileprivate mutating func sortKey() -> ViewBinding.SortKey {
        ViewBinding.SortKey(field: pick(ItemSchema.paths), isDescending: isLucky(50))
    }

    /// A comparison that suits the field's type.
    fileprivate mutating func filter(_ path: FieldPath) -> ViewBinding.Filter {
        let numeric: [ViewBinding.Filter.Comparison] = [
            .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual,
        ]
        switch ItemSchema.leaf(path).type {
        case .string, .bytes:
            return .init(
                field: path, comparison: pick(numeric + [.contains, .startsWith]),
                operand: pick([.request("name"), .request("nick"), .text("blue"), .text(""), .text("Ä")]))
        case .bool:
            return .init(
                field: path, comparison: pick(numeric),
                operand: pick([.request("alive"), .bool(true), .bool(false)]))
        case .enumeration:
            return .init(
                field: path, comparison: pick(numeric),
                operand: pick([
                    .request("kind"), .request("kind_name"), .request("whole"), .text("HUMAN"),
                    .text("human being"), .text("no such"), .number(1),
                ]))
        case .double, .float, .int32, .int64, .uint32, .uint64, .sint32, .sint64, .fixed32, .fixed64,
            .sfixed32,
            .sfixed64, .message:
            return .init(
                field: path, comparison: pick(numeric),
                operand: pick([
                    .request("number"), .request("whole"), .number(0), .number(0.5), .number(-1e300),
                    .number(1e300),
                    .number(17),
                ]))
        }
    }

    /// Values for some of the request's fields.
    fileprivate mutating func request() -> [String: NaiveValue] {
        var request: [String: NaiveValue] = [:]
        for field in ItemSchema.requestFields where isLucky(60) {
            request[field.name] = value(field.type)
        }
        request["kind_name"] = isLucky(50) ? .text(Array(pick(["DROID", "human being", "", "?"]).utf8)) : nil
        request["cursor"] = nil  // ``PageCursorTests`` has those
        request["page"] = isLucky(70) ? .integer(pick([-1, 0, 1, 2, 3, 100, Int64(Int32.max)])) : nil
        request["page_size"] = isLucky(70) ? .natural(pick([0, 1, 2, 5, 1000])) : nil
        return request
    }

    /// The items cut into lists at random places.
    fileprivate mutating func pages(of items: [NaiveItem]) -> [[UInt8]] {
        var pages = [ProtobufWriter()]
        for item in items {
            if isLucky(20) { pages.append(ProtobufWriter()) }
            if isLucky(20) { pages[pages.count - 1].varintField(1, 82) }
            pages[pages.count - 1].bytesField(4, item.bytes)
        }
        return pages.map { $0.bytes }
    }
}
