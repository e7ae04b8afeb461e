package import PorticoSchema

/// Rows by key: which groups there are, how large each is, and who belongs to it.
///
/// Members are one array, cut by ``starts``: for the codes `0 1 0 2 0`, `starts` is `0 3 4 5` and `members`
/// is `0 2 4, 1, 3`. Made in two passes over the codes (count, then place), so the order of rows is kept
/// within a group.
package struct Grouping: Sendable {
    package let keys: KeyCounts
    /// One more than there are groups; group `g` has the members `starts[g]..<starts[g + 1]`.
    package let starts: [UInt32]
    /// Rows, group after group; empty when nobody asked.
    package let members: [UInt32]

    package var count: Int { keys.count }

    package func size(of group: Int) -> Int { Int(starts[group + 1] - starts[group]) }

    /// The rows of a group in their order; only of a grouping with members.
    package func rows(of group: Int) -> ArraySlice<UInt32> {
        members[Int(starts[group])..<Int(starts[group + 1])]
    }

    /// Without members: for a view that shows how many there are, not who.
    package init(_ keys: KeyCounts) {
        self.init(keys, members: [])
    }

    /// - Parameter rows: the rows that `keys` was made from.
    package init(_ keys: CodedKeys, rows: [UInt32]) {
        var members = [UInt32](repeating: 0, count: rows.count)
        var starts = Grouping.starts(of: keys.counts)
        var places = starts.mutableSpan
        var out = members.mutableSpan
        let codes = keys.codes.span
        for index in codes.indices {
            let code = Int(codes[index])
            out[Int(places[code])] = rows[index]
            places[code] &+= 1
        }
        self.init(keys.counts, members: members)
    }

    private init(_ keys: KeyCounts, members: [UInt32]) {
        self.keys = keys
        starts = Grouping.starts(of: keys)
        self.members = members
    }

    private static func starts(of keys: KeyCounts) -> [UInt32] {
        var starts: [UInt32] = [0]
        starts.reserveCapacity(keys.count + 1)
        for size in keys.sizes { starts.append(starts[starts.count - 1] + size) }
        return starts
    }

    /// The groups in the order a view asks for.
    /// - Parameters:
    ///   - column: the column the keys were coded from.
    ///   - bytes: the buffer of a text column.
    package func ordered(
        by order: ViewBinding.Grouping.Order, column: Column, bytes: Span<UInt8>
    ) -> [Int] {
        switch order {
        case .firstSeen:
            return Array(0..<count)
        case .count:
            return (0..<count).sorted { (size(of: $1), $0) < (size(of: $0), $1) }
        case .key:
            let key = RowOrder.Key(
                column.withMissingAsZero(at: keys.firstRows), rows: Array(0..<UInt32(count)), bytes: bytes,
                isDescending: false)
            return RowOrder([key]).positions(count: count, bytes: bytes).map { Int($0) }
        }
    }
}

extension Column {
    /// The values of some rows, a missing one as zero or the empty text.
    fileprivate func withMissingAsZero(at rows: [UInt32]) -> Column {
        switch self {
        case .text(let column):
            .text(TextColumn(rows.map { column.texts[Int($0)].orEmpty }))
        case .number(let column):
            .number(NumberColumn(kind: column.kind, ranks: rows.map { column.ranks[Int($0)] }))
        }
    }
}
