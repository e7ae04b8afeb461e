import PorticoSchema
import PorticoTranscode
import TestSupport
import Testing

struct GroupingTests {
    /// Texts side by side, and the column of them; nil: missing.
    private func texts(_ texts: [String?]) -> (bytes: [UInt8], column: Column) {
        var bytes: [UInt8] = []
        let ranges = texts.map { text -> ByteRange in
            guard let text else { return .missing }
            let start = bytes.count
            bytes.append(contentsOf: text.utf8)
            return ByteRange(start..<bytes.count)
        }
        return (bytes, .text(TextColumn(ranges.map { ColumnText($0, in: bytes.span) })))
    }

    @Test func codesAreGivenInTheOrderOfFirstSight() {
        let (bytes, column) = texts(["b", "a", "b", "c", "b"])
        let keys = CodedKeys(column, bytes: bytes.span, rows: [0, 1, 2, 3, 4])
        #expect(keys.codes == [0, 1, 0, 2, 0])
        #expect(keys.counts.firstRows == [0, 1, 3])
        let grouping = Grouping(keys, rows: [0, 1, 2, 3, 4])
        #expect(grouping.starts == [0, 3, 4, 5])
        #expect(grouping.members == [0, 2, 4, 1, 3])
        #expect(keys.counts.sizes == [3, 1, 1])
    }

    @Test func aMissingTextIsTheEmptyOne() {
        let (bytes, column) = texts([nil, "a", "", nil])
        let keys = CodedKeys(column, bytes: bytes.span, rows: [0, 1, 2, 3])
        #expect(keys.codes == [0, 1, 0, 0])
    }

    @Test func onlyTheGivenRowsAreCodedInTheirOrder() {
        let (bytes, column) = texts(["a", "b", "c", "b"])
        let keys = CodedKeys(column, bytes: bytes.span, rows: [3, 2, 1])
        #expect(keys.codes == [0, 1, 0])
        #expect(keys.counts.firstRows == [3, 2])
        #expect(Array(Grouping(keys, rows: [3, 2, 1]).rows(of: 0)) == [3, 1])
    }

    @Test func noRowsMakeNoGroups() {
        let (bytes, column) = texts([])
        let grouping = Grouping(CodedKeys(column, bytes: bytes.span, rows: []), rows: [])
        #expect(grouping.count == 0)
        let order = grouping.ordered(by: .key, column: column, bytes: bytes.span)
        #expect(order == [])
    }

    @Test(arguments: [1, 15, 300, 20_000])
    func codesEqualThoseOfADictionary(keyCount: Int) {
        var dice = SeededGenerator(seed: 7)
        // Keys of every length around a word of eight bytes, many of them alike at the beginning.
        let names = (0..<keyCount).map { number in
            String(repeating: "x", count: number % 19) + String(number)
        }
        let rows = (0..<30_000).map { _ in dice.pick(names) }
        let (bytes, column) = texts(rows)
        let ranks = NumberColumn(kind: .unsigned, ranks: rows.map { UInt64($0.hashValue.magnitude) })
        var codes: [String: UInt32] = [:]
        let expected = rows.map { name -> UInt32 in
            let code = codes[name] ?? UInt32(codes.count)
            codes[name] = code
            return code
        }
        let all = Array(0..<UInt32(rows.count))
        let byText = CodedKeys(column, bytes: bytes.span, rows: all)
        let byNumber = CodedKeys(.number(ranks), bytes: bytes.span, rows: all)
        #expect(byText.codes == expected)
        #expect(byNumber.codes == expected)
        for keys in [byText, byNumber] {
            let sizes = keys.codes.reduce(into: [UInt32](repeating: 0, count: codes.count)) {
                $0[Int($1)] += 1
            }
            #expect(keys.counts.sizes == sizes)
        }
        let alone = KeyCounts(column, bytes: bytes.span, rows: all)
        #expect(alone.sizes == byText.counts.sizes)
        #expect(alone.firstRows == byText.counts.firstRows)
        #expect(Grouping(alone).starts == Grouping(byText, rows: all).starts)
    }

    @Test func keysThatDifferInZeroBytesOnlyAreDifferent() {
        let (bytes, column) = texts(["", "\0", "\0\0", "a", "a\0", "12345678", "12345678\0"])
        let keys = CodedKeys(column, bytes: bytes.span, rows: Array(0..<7))
        #expect(keys.counts.count == 7)
    }
}
