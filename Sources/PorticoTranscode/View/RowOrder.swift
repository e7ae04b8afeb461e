/// The order of rows by one or more columns: stable, missing values last whichever way a column runs.
///
/// UTF-8 bytes order as Unicode scalars do, so texts are compared as bytes, eight at a time (``RowSorter``).
package struct RowOrder {
    /// One sort column; positions count in the rows that are sorted.
    package struct Key {
        private enum Values {
            case texts([ColumnText])
            case ranks([UInt64])
        }
        private let values: Values
        /// Empty when no value is missing.
        let isMissing: [Bool]
        let isDescending: Bool

        /// - Parameter bytes: the buffer of a text column.
        package init(_ column: Column, rows: [UInt32], bytes: Span<UInt8>, isDescending: Bool) {
            self.isDescending = isDescending
            switch column {
            case .text(let column):
                let texts = rows.map { column.texts[Int($0)] }
                values = .texts(texts)
                let isAnyMissing = texts.contains { $0.place.isMissing }
                isMissing = isAnyMissing ? texts.map { $0.place.isMissing } : []
            case .number(let column):
                values = .ranks(rows.map { column.ranks[Int($0)] })
                isMissing = column.isMissing.isEmpty ? [] : rows.map { column.isMissing[Int($0)] }
            }
        }
    }

    /// The most significant first.
    private let keys: [Key]

    package init(_ keys: [Key]) { self.keys = keys }

    /// `rows`, for which the keys were made, in order.
    package func sorted(_ rows: [UInt32], bytes: Span<UInt8>) -> [UInt32] {
        positions(count: rows.count, bytes: bytes).map { rows[Int($0)] }
    }

    /// The positions `0..<count` in order.
    package func positions(count: Int, bytes: Span<UInt8>) -> [UInt32] {
        var sorter = RowSorter(keys, count: count)
        return sorter.sorted(bytes: bytes)
    }
}

extension RowOrder.Key {
    /// Gives each entry of a run its next word: of a number all of it, of a text the eight bytes from `depth`
    /// words on.
    func fill(_ entries: inout MutableSpan<SortEntry>, _ run: Range<Int>, depth: Int, bytes: Span<UInt8>) {
        let turned: UInt64 = isDescending ? .max : 0
        switch values {
        case .ranks(let ranks):
            for index in run {
                entries[index].word = ranks[Int(entries[index].position)] ^ turned
                entries[index].rest = SortEntry.wholeRest
            }
        case .texts(let texts):
            let texts = texts.span
            for index in run {
                let text = texts[Int(entries[index].position)]
                entries[index].word = text.word(depth, in: bytes).byteSwapped ^ turned
                let left = text.place.count - UInt32(depth * 8)
                entries[index].rest = min(left, SortEntry.longRest)
            }
        }
    }
}
