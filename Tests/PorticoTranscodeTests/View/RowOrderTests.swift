import PorticoTranscode
import TestSupport
import Testing

/// Sorting against `sorted`, at sizes where each of the ways to sort is taken.
struct RowOrderTests {
    /// Texts that share their first bytes, end within a word or at its edge, or in zero bytes.
    private static let beginnings = [
        "", "a", "Luke Sky", "Luke Skywalker, ", "Luke Sky\0", "Luke Sky\0\0", "é",
    ]
    private static let ends = ["", "\0", "\0\0", "a", "walker", "walker of Tatooine", "ß"]

    private struct Row {
        let text: String?
        let number: Int64
    }

    private func rows(_ count: Int, _ dice: inout SeededGenerator) -> [Row] {
        (0..<count).map { _ in
            let isMissing = dice.isLucky(10)
            let text = dice.pick(Self.beginnings) + dice.pick(Self.ends) + dice.pick(Self.ends)
            return Row(text: isMissing ? nil : text, number: dice.pick([-5, -1, 0, 3, 1 << 40]))
        }
    }

    /// Below zero: left comes first.
    private func order(_ left: String?, _ right: String?, isDescending: Bool) -> Int {
        guard let left, let right else { return (left == nil ? 1 : 0) - (right == nil ? 1 : 0) }
        let (one, other) = (Array(left.utf8), Array(right.utf8))
        if one == other { return 0 }
        return one.lexicographicallyPrecedes(other) == isDescending ? 1 : -1
    }

    @Test(arguments: [0, 1, 2, 40, 300, 2_000, 40_000], [false, true])
    func textsThenNumbersAreSortedAsBySwift(count: Int, isDescending: Bool) {
        var dice = SeededGenerator(seed: UInt64(count))
        let rows = rows(count, &dice)
        var bytes: [UInt8] = []
        let ranges = rows.map { row -> ByteRange in
            guard let text = row.text else { return .missing }
            bytes.append(contentsOf: text.utf8)
            return ByteRange(bytes.count - text.utf8.count..<bytes.count)
        }
        let ranks = rows.map { NumberKind.rank(signed: $0.number) }
        let all = Array(0..<UInt32(count))
        let texts = RowOrder.Key(
            .text(TextColumn(ranges.map { ColumnText($0, in: bytes.span) })), rows: all, bytes: bytes.span,
            isDescending: isDescending)
        let numbers = RowOrder.Key(
            .number(NumberColumn(kind: .signed, ranks: ranks)), rows: all, bytes: bytes.span,
            isDescending: !isDescending)
        let expected = all.sorted { left, right in
            let (one, other) = (rows[Int(left)], rows[Int(right)])
            let byText = order(one.text, other.text, isDescending: isDescending)
            if byText != 0 { return byText < 0 }
            if one.number != other.number { return (one.number < other.number) == isDescending }
            return left < right
        }
        #expect(RowOrder([texts, numbers]).sorted(all, bytes: bytes.span) == expected)
    }

    @Test func manyLongTextsAlikeAreNoDeepRecursion() {
        let text = String(repeating: "x", count: 100_000)
        let bytes = Array((text + "y" + text).utf8)
        let whole = ByteRange(0..<text.utf8.count)
        let longer = ByteRange(0..<text.utf8.count + 1)
        let column = Column.text(
            TextColumn([longer, whole, longer, whole].map { ColumnText($0, in: bytes.span) }))
        let key = RowOrder.Key(column, rows: [0, 1, 2, 3], bytes: bytes.span, isDescending: false)
        #expect(RowOrder([key]).sorted([0, 1, 2, 3], bytes: bytes.span) == [1, 3, 0, 2])
    }
}
