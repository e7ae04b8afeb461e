import PorticoSchema
import PorticoTranscode
import PorticoWire
import TestSupport
import Testing

struct ColumnExtractionTests {
    private static let schema = ItemSchema.schema(ViewBinding(from: MethodID(0)))

    /// The column of one record.
    private func column(_ path: FieldPath, _ bytes: [UInt8]) throws -> Column {
        var plan = ColumnPlan(schema: Self.schema, message: ItemSchema.item)
        let planned = plan.column(path)
        let index = try #require(planned)
        return try plan.extract(from: Records(bytes: bytes, ranges: [ByteRange(0..<bytes.count)]))[index]
    }

    private func text(_ path: FieldPath, _ bytes: [UInt8]) throws -> String? {
        guard case .text(let column) = try column(path, bytes) else { return nil }
        let range = column[0]
        return range.isMissing ? nil : String(decoding: bytes[range.range], as: UTF8.self)
    }

    private func integer(_ path: FieldPath, _ bytes: [UInt8]) throws -> Int64? {
        guard case .number(let column) = try column(path, bytes), column.hasValue(at: 0) else { return nil }
        return NumberKind.signed(column.ranks[0])
    }

    @Test func aTextIsAPlaceInTheRecord() throws {
        let bytes: [UInt8] = [0x0a, 0x02, 0x52, 0x32]  // name = "R2"
        guard case .text(let column) = try column(["name"], bytes) else {
            Issue.record("a name is a text")
            return
        }
        #expect(column.texts == [ColumnText(ByteRange(offset: 2, count: 2), in: bytes.span)])
    }

    @Test func ofAFieldThatOccursTwiceTheLastValueCounts() throws {
        #expect(try text(["name"], [0x0a, 1, 0x41, 0x18, 5, 0x0a, 1, 0x42]) == "B")
        #expect(try integer(["height"], [0x18, 5, 0x18, 6]) == 6)
    }

    @Test func aMessageThatOccursTwiceIsMerged() throws {
        let bytes: [UInt8] = [0x5a, 3, 0x0a, 1, 0x41, 0x5a, 2, 0x10, 9]  // home {city "A"}, home {zip 9}
        #expect(try text(["home", "city"], bytes) == "A")
        #expect(try integer(["home", "zip"], bytes) == 9)
    }

    @Test func anotherMemberOfAOneofTakesTheValueAway() throws {
        let both: [UInt8] = [0x62, 1, 0x41, 0x68, 7]  // alias "A", then code 7
        #expect(try text(["alias"], both) == nil)
        #expect(try integer(["code"], both) == 7)
    }

    @Test func absentFieldsWithoutPresenceAreZeroAndOthersMissing() throws {
        #expect(try text(["name"], []) == "")
        #expect(try text(["nick"], []) == nil)
        #expect(try integer(["height"], []) == 0)
        #expect(try text(["alias"], []) == nil)
    }

    @Test func fieldsOfAnUnsetMessageAreMissingAndOfAnEmptyOneZero() throws {
        #expect(try text(["home", "city"], []) == nil)
        #expect(try text(["home", "city"], [0x5a, 0]) == "")
        #expect(try integer(["home", "zip"], [0x5a, 0]) == nil)
    }

    @Test func aFieldOfAnotherWireTypeIsPassedOver() throws {
        #expect(try text(["name"], [0x08, 5]) == "")
        #expect(try integer(["height"], [0x1d, 1, 2, 3, 4, 0x18, 2]) == 2)
    }

    @Test(arguments: [["tags"], ["home"], ["no_such"], ["name", "city"], ["home", "city", "x"], []])
    func whatHasNoSingleValueIsNoColumn(path: FieldPath) {
        var plan = ColumnPlan(schema: Self.schema, message: ItemSchema.item)
        #expect(plan.column(path) == nil)
    }

    @Test func aPathAskedForTwiceIsOneColumn() {
        var plan = ColumnPlan(schema: Self.schema, message: ItemSchema.item)
        #expect(plan.column(["home", "zip"]) == 0)
        #expect(plan.column(["name"]) == 1)
        #expect(plan.column(["home", "zip"]) == 0)
    }

    @Test func aRecordCutOffAnywhereIsRefusedOrShorter() throws {
        var dice = SeededGenerator(seed: 5)
        for _ in 0..<25 {
            let bytes = dice.item().bytes
            for count in 0..<bytes.count {
                do {
                    for path in [["name"], ["home", "zip"], ["check"]] {
                        _ = try column(path, Array(bytes[..<count]))
                    }
                } catch let error as ProtobufError {
                    #expect(error.offset <= count)
                }
            }
        }
    }
}
