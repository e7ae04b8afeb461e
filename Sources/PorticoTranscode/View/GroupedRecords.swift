/// Records in groups, and what an answer shows of them.
struct GroupedRecords {
    let records: Records
    /// What they are grouped by.
    let column: Column
    let grouping: Grouping
    /// Which groups, in order.
    let shown: ArraySlice<Int>
    /// Nil: nobody asked.
    var distinct: DistinctValues?

    struct Group {
        let key: GroupKey
        let count: Int
        /// Empty when the answer shows nothing that depends on who they are.
        let rows: ArraySlice<UInt32>
        /// Different values of the view's `distinct` field.
        let distinct: Int
    }

    mutating func group(_ index: Int) -> Group {
        let rows = grouping.members.isEmpty ? [] : grouping.rows(of: index)
        let first = Int(grouping.keys.firstRows[index])
        return Group(
            key: GroupKey(column, row: first, bytes: records.bytes.span),
            count: grouping.size(of: index), rows: rows,
            distinct: distinct?.count(among: rows) ?? 0)
    }
}

/// The value that the records of a group share.
enum GroupKey: Equatable {
    case text([UInt8])
    case number(NumberKind, rank: UInt64)

    /// A missing value is the zero value.
    init(_ column: Column, row: Int, bytes: Span<UInt8>) {
        switch column {
        case .text(let column): self = .text(column[row].orEmpty.range.map { bytes[$0] })
        case .number(let column): self = .number(column.kind, rank: column.ranks[row])
        }
    }

    var isZero: Bool {
        switch self {
        case .text(let text): text.isEmpty
        case .number(let kind, let rank): rank == kind.zeroRank
        }
    }
}
