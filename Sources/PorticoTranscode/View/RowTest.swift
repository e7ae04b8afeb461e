import PorticoSchema

/// One comparison with its operand filled in, ready to run down a column.
///
/// A missing value is equal to the zero value, as it is for a group's key (so a group's key, sent back as a
/// filter, finds that group); it is neither less nor greater than anything, and as text it is empty.
enum RowTest: Equatable {
    /// The rank lies in the range.
    case rank(ClosedRange<UInt64>, missing: Bool)
    /// The rank is another one.
    case otherRank(UInt64)
    case text(TextTest)
    case always
    case never

    init(_ comparison: ViewBinding.Filter.Comparison, _ operand: Operand, kind: NumberKind) {
        switch operand {
        case .nothing:
            self = comparison == .notEqual ? .always : .never
        case .text(let text):
            self = .text(TextTest(comparison, text))
        case .number(let number):
            let position = NumberPosition(number, among: kind)
            self = Self.numeric(comparison, position, kind: kind)
        }
    }

    /// What a comparison compares with.
    enum Operand: Equatable {
        case text([UInt8])
        case number(Number)
        /// A value that no record can have: an enum name that the schema does not know.
        case nothing
    }

    private static func numeric(
        _ comparison: ViewBinding.Filter.Comparison, _ position: NumberPosition, kind: NumberKind
    ) -> RowTest {
        switch comparison {
        case .equal:
            guard case .at(let rank) = position else { return .never }
            return .rank(rank...rank, missing: rank == kind.zeroRank)
        case .notEqual:
            guard case .at(let rank) = position else { return .always }
            return .otherRank(rank)
        case .less: return ranks(kind, upTo: position, including: false)
        case .lessOrEqual: return ranks(kind, upTo: position, including: true)
        case .greater: return ranks(kind, from: position, including: false)
        case .greaterOrEqual: return ranks(kind, from: position, including: true)
        case .contains, .startsWith: return .never
        }
    }

    private static func ranks(
        _ kind: NumberKind, upTo position: NumberPosition, including isIncluded: Bool
    ) -> RowTest {
        let all = kind.orderedRanks
        switch position {
        case .below, .nowhere: return .never
        case .above: return .rank(all, missing: false)
        case .after(let rank): return range(all.lowerBound, rank)
        case .at(let rank):
            if isIncluded { return range(all.lowerBound, rank) }
            return rank > all.lowerBound ? range(all.lowerBound, rank - 1) : .never
        }
    }

    private static func ranks(
        _ kind: NumberKind, from position: NumberPosition, including isIncluded: Bool
    ) -> RowTest {
        let all = kind.orderedRanks
        switch position {
        case .above, .nowhere: return .never
        case .below: return .rank(all, missing: false)
        case .after(let rank): return rank < all.upperBound ? range(rank + 1, all.upperBound) : .never
        case .at(let rank):
            if isIncluded { return range(rank, all.upperBound) }
            return rank < all.upperBound ? range(rank + 1, all.upperBound) : .never
        }
    }

    private static func range(_ low: UInt64, _ high: UInt64) -> RowTest {
        low <= high ? .rank(low...high, missing: false) : .never
    }
}

extension RowTest {
    /// Keeps the rows that pass, in their order.
    func filter(_ rows: inout [UInt32], column: Column, bytes: Span<UInt8>) {
        switch (self, column) {
        case (.always, _):
            return
        case (.never, _), (.text, .number), (.rank, .text), (.otherRank, .text):
            rows.removeAll()
        case (.rank(let range, let missing), .number(let column)):
            rows.removeAll { row in
                column.hasValue(at: Int(row)) ? !range.contains(column.ranks[Int(row)]) : !missing
            }
        case (.otherRank(let rank), .number(let column)):
            rows.removeAll { column.ranks[Int($0)] == rank }
        case (.text(let test), .text(let column)):
            rows.removeAll { !test.holds(column[Int($0)], in: bytes) }
        }
    }
}
