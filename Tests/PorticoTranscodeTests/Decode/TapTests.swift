import PorticoSchema
import TestSupport
import Testing

@testable import PorticoTranscode

/// Columns from the places that the decoder has noted are those that a walk through the records finds.
struct TapTests {
    /// Every field of the record that can be tapped.
    private static let paths = ItemSchema.leaves.map { [$0.name] }

    private static func schema(tapping paths: [FieldPath]) -> Schema {
        ItemSchema.schema(
            ViewBinding(from: MethodID(0), sort: paths.map { ViewBinding.SortKey(field: $0) }))
    }

    private struct Decoding {
        let tapping: RecordDecoder
        let plain: RecordDecoder
        let columns: ColumnPlan

        init(_ paths: [FieldPath], mode: DecodeOptions.Mode) {
            let schema = TapTests.schema(tapping: paths)
            let options = DecodeOptions(mode: mode)
            tapping = RecordDecoder(
                schema: schema, message: ItemSchema.list,
                tapping: TappedFields(schema: schema, source: MethodID(0)), options: options)
            plain = RecordDecoder(schema: schema, message: ItemSchema.list, options: options)
            var columns = ColumnPlan(schema: schema, message: ItemSchema.item)
            for path in paths { #expect(columns.column(path) != nil) }
            self.columns = columns
        }

        func columns(of pages: [RecordPage]) throws -> String {
            String(describing: try columns.extract(from: Records(pages: pages, items: 4)))
        }
    }

    /// Both decoders agree on the page and on what is wrong with it.
    /// - Returns: nil: it is not to be read.
    private func page(_ json: String, _ decoding: Decoding) throws -> RecordPage? {
        let bytes = Array(json.utf8)
        do throws(TranscodeError) {
            let plain = try decoding.plain.decode(bytes.span)
            let tapped = try decoding.tapping.decode(bytes.span)
            #expect(tapped.bytes == plain.bytes && plain.places == nil)
            #expect(tapped.skippedItems == plain.skippedItems)
            return tapped.page
        } catch {
            #expect(throws: error) { try decoding.tapping.decode(bytes.span) }
            return nil
        }
    }

    @Test(arguments: 0..<150 as Range<UInt64>)
    func columnsFromPlacesAreThoseThatAWalkFinds(seed: UInt64) throws {
        var dice = SeededGenerator(seed: seed)
        var writer = ItemJSON(dice: dice, isTidy: seed % 3 == 0)
        let paths = Self.paths.shuffled(using: &dice).prefix(dice.pick([1, 2, 3, 16])).sorted {
            $0[0] < $1[0]
        }
        let decoding = Decoding(paths, mode: seed % 4 == 1 ? .strict : .lossy)
        var pages: [RecordPage] = []
        for _ in 0..<6 { pages += try [page(writer.list(), decoding)].compactMap { $0 } }
        if seed % 3 == 0 { #expect(pages.contains { $0.places != nil }) }
        // Pages from elsewhere stand among them.
        let mixed = pages.map { dice.isLucky(30) ? RecordPage($0.bytes) : $0 }
        let walked = try decoding.columns(of: pages.map { RecordPage($0.bytes) })
        #expect(try decoding.columns(of: pages) == walked)
        #expect(try decoding.columns(of: mixed) == walked)
        for page in pages {
            #expect(try decoding.columns(of: [page]) == decoding.columns(of: [RecordPage(page.bytes)]))
        }
    }

    /// - Parameter isKnown: whether places are noted; else the records are walked through.
    @Test(arguments: [
        (#"{"items":[{"name":"a"},{"name":""},{},{"name":null}]}"#, true),
        (#"{"items":[{"name":null,"name":"b"}]}"#, true),
        (#"{"items":[{"name":"a","name":"b"}]}"#, false), (#"{"items":[{"name":"a","name":null}]}"#, false),
        (#"{"items":[{"nick":"a","tags":["x"],"tags":["y"]}]}"#, false),
        (#"{"items":[{"alias":"a","alias":null,"code":1}]}"#, false),
        (#"{"items":[{"alias":null,"code":1},{"code":null,"alias":""}]}"#, true),
        (#"{"items":[{"home":{"city":"a","city":"b"},"name":"c"}]}"#, true),
        (#"{"items":[{"name":"a"}],"items":[{"name":"b"}]}"#, false),
        (#"{"items":[{"name":"a"}],"items":null}"#, false),
        (#"{"items":[{"name":"a"}],"count":1,"count":2}"#, false), (#"{"items":[]}"#, true),
        (#"{"count":1}"#, true),
        (#"{"items":[{"name":"a"},7,{"name":"b","height":"x"},null,{"name":"c"}]}"#, true),
        (
            #"{"items":[{"name":"\#(String(repeating: "long ", count: 30))","nick":"b"},{"nick":"c","height":3},{"name":"d"}]}"#,
            true
        ),
    ])
    func placesAreNotedUnlessFieldsMove(json: String, isKnown: Bool) throws {
        let decoding = Decoding([["name"], ["nick"], ["height"], ["alias"], ["code"]], mode: .lossy)
        for count in [0, 100] {  // in the fast lane, too
            let padded = json + String(repeating: " ", count: count)
            let page = try #require(try page(padded, decoding))
            #expect((page.places != nil) == isKnown)
            #expect(try decoding.columns(of: [page]) == decoding.columns(of: [RecordPage(page.bytes)]))
        }
    }

    @Test func thereAreNoMorePlacesThanBytesOfJSON() throws {
        let decoding = Decoding(Array(Self.paths.prefix(4)), mode: .lossy)
        for item in ["{}", #"{"name":"a"}"#] {
            let json = #"{"items":["# + Array(repeating: item, count: 1000).joined(separator: ",") + "]}"
            let page = try #require(try page(json, decoding))
            #expect(page.places == nil)
        }
    }

    /// Behind a record of two megabytes four bytes are set aside for a length. The next needs one, and what was noted at
    /// its end would lie in the nick of the third, on a byte that is the tag of a name.
    @Test func notesOfARecordThatMovedAreNotTheNextOnes() throws {
        let decoding = Decoding([["name"]], mode: .lossy)
        let long = String(repeating: "x", count: 1 << 21)
        let items = [#"{"nick":"\#(long)"}"#, #"{"height":1,"name":""}"#, #"{"nick":"0123456789"}"#]
        let json = #"{"items":[\#(items.joined(separator: ","))]}"# + String(repeating: " ", count: 100)
        let page = try #require(try page(json, decoding))
        #expect(page.places != nil)
        #expect(try decoding.columns(of: [page]) == decoding.columns(of: [RecordPage(page.bytes)]))
    }

    @Test func onlyViewsWhoseEveryFieldIsTheRecordsOwnAreTappedFor() {
        func fields(_ view: ViewBinding) -> [Int]? {
            TappedFields(schema: ItemSchema.schema(view), source: MethodID(0))?.fields
        }
        let (name, home) = (
            ViewBinding.SortKey(field: ["name"]), ViewBinding.SortKey(field: ["home", "city"])
        )
        #expect(fields(ViewBinding(from: MethodID(0), sort: [name])) == [1])
        #expect(fields(ViewBinding(from: MethodID(0), sort: [name, home])) == nil)
        #expect(fields(ViewBinding(from: MethodID(0))) == nil)
        #expect(fields(ViewBinding(from: MethodID(1), sort: [name])) == nil)
        #expect(
            fields(
                ViewBinding(
                    from: MethodID(0),
                    filters: [.init(field: ["height"], comparison: .less, operand: .number(3))], sort: [name],
                    group: .init(by: ["nick"], order: .key), distinct: ["kind"]))?.count == 4)
    }
}

/// Lists of items in JSON: keys in any order, values of wrong types, keys that come again or that no field has.
private struct ItemJSON {
    var dice: SeededGenerator
    /// Neither keys that come again nor values of wrong types.
    let isTidy: Bool

    init(dice: SeededGenerator, isTidy: Bool) {
        (self.dice, self.isTidy) = (dice, isTidy)
    }

    private mutating func space() -> String { dice.isLucky(10) ? dice.pick([" ", "\n    ", "\t"]) : "" }

    mutating func list() -> String {
        var members = [#""items":\#(items())"#]
        if dice.isLucky(50) { members.insert(#""count":3"#, at: 0) }
        if !isTidy, dice.isLucky(5) { members.append(#""items":\#(items())"#) }
        return object(members) + String(repeating: " ", count: dice.pick([0, 100]))
    }

    private mutating func items() -> String {
        let items = (0..<dice.pick([0, 1, 5, 20])).map { _ in
            !isTidy && dice.isLucky(5) ? dice.pick(["null", "7", "[]", #""x""#]) : item(depth: 0)
        }
        return "[" + items.joined(separator: ",\(space())") + "]"
    }

    private mutating func item(depth: Int) -> String {
        var members: [String] = []
        let choice = dice.pick(ItemSchema.leaves.filter { $0.oneof != nil })
        for field in ItemSchema.leaves
        where dice.isLucky(70) && (field.oneof == nil || field.name == choice.name) {
            members.append("\"\(field.name)\":\(space())\(value(field.type))")
        }
        if dice.isLucky(30) { members.append(#""unknown":{"name":"x","items":[{"name":"y"}]}"#) }
        if dice.isLucky(30) { members.append(#""tags":["t","\#(text())"]"#) }
        if dice.isLucky(30) { members.append(#""home":{"city":"\#(text())","zip":7}"#) }
        members.shuffle(using: &dice)
        if !isTidy, dice.isLucky(3), let again = members.first { members.append(again) }
        return object(members)
    }

    private mutating func object(_ members: [String]) -> String {
        "{\(space())" + members.joined(separator: "\(space()),\(space())") + "\(space())}"
    }

    private mutating func text() -> String {
        let length = dice.pick([0, 1, 3, 8, 15, 16, 17, 47, 48, 49, 126, 127, 128, 129, 300])
        let pieces = dice.isLucky(20) ? ["a", "é", "\\u00e9", "\\n", "😀"] : ["a", "b", " "]
        return (0..<length).map { _ in dice.pick(pieces) }.joined()
    }

    private mutating func value(_ type: FieldType) -> String {
        if dice.isLucky(10) { return "null" }
        if !isTidy, dice.isLucky(2) { return dice.pick(["[]", "{}", "true", #""?""#]) }
        switch type {
        case .string: return "\"\(text())\""
        case .bytes: return dice.pick([#""""#, #""AQ==""#, #""AQID""#])
        case .bool: return dice.pick(["true", "false"])
        case .enumeration:
            return dice.pick([#""HUMAN""#, #""human being""#, "2", #""NEGATIVE""#, #""other""#, "0"])
        case .double, .float: return dice.pick(["0", "-0.0", "1.5", "-3e2", #""NaN""#, #""1""#])
        case .int32, .int64, .sint32, .sint64, .sfixed32, .sfixed64:
            return dice.pick(["0", "-1", "7", "300", "1e3", #""-5""#, "2147483647"])
        case .uint32, .uint64, .fixed32, .fixed64:
            return dice.pick(["0", "1", "128", #""70000""#, "4294967295"])
        case .message: return "{}"
        }
    }
}
