/// The order of rows by one or more columns: stable, missing values last whichever way a column runs.
///
/// Each column is reduced to a 64-bit prefix that orders as its values do (a number's rank, a text's first
/// eight bytes, turned over when descending); most comparisons end there and touch no record. UTF-8 bytes
/// order as Unicode scalars do, so texts are compared as bytes.
package struct RowOrder {
    /// One sort column, reduced; positions count in the rows that are sorted.
    package struct Key {
        let prefixes: [UInt64]
        /// Empty for numbers, whose prefix is the whole value.
        let texts: [ByteRange]
        /// Empty when no value is missing.
        let isMissing: [Bool]
        let isDescending: Bool

        /// - Parameter bytes: the buffer of a text column.
        package init(_ column: Column, rows: [UInt32], bytes: Span<UInt8>, isDescending: Bool) {
            self.isDescending = isDescending
            let turned: UInt64 = isDescending ? .max : 0
            switch column {
            case .text(let column):
                let texts = rows.map { column.ranges[Int($0)] }
                prefixes = texts.map { $0.isMissing ? .max : Key.prefix(of: $0, in: bytes) ^ turned }
                isMissing = texts.contains { $0.isMissing } ? texts.map { $0.isMissing } : []
                self.texts = texts
            case .number(let column):
                texts = []
                isMissing = column.isMissing.isEmpty ? [] : rows.map { column.isMissing[Int($0)] }
                prefixes = rows.map {
                    column.hasValue(at: Int($0)) ? column.ranks[Int($0)] ^ turned : .max
                }
            }
        }

        private static func prefix(of text: ByteRange, in bytes: Span<UInt8>) -> UInt64 {
            bytes.word(at: text.range.lowerBound, count: min(8, Int(text.count))).byteSwapped
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
        guard let first = keys.first else { return Array(0..<UInt32(count)) }
        var entries = (0..<count).map { Entry(prefix: first.prefixes[$0], position: UInt32($0)) }
        entries.sort { left, right in
            if left.prefix != right.prefix { return left.prefix < right.prefix }
            return isBefore(left.position, right.position, bytes: bytes)
        }
        return entries.map { $0.position }
    }

    /// The first key's prefix beside the position, so that sorting stays in one array.
    private struct Entry {
        let prefix: UInt64
        let position: UInt32
    }

    /// The full comparison; where all keys are equal the earlier position comes first.
    private func isBefore(_ left: UInt32, _ right: UInt32, bytes: Span<UInt8>) -> Bool {
        for key in keys {
            let order = key.compare(Int(left), Int(right), bytes: bytes)
            if order != 0 { return order < 0 }
        }
        return left < right
    }
}

extension RowOrder.Key {
    /// Below zero: `left` comes first. A missing value's prefix may be a value's too, so presence is asked
    /// first.
    fileprivate func compare(_ left: Int, _ right: Int, bytes: Span<UInt8>) -> Int {
        if !isMissing.isEmpty, isMissing[left] || isMissing[right] {
            return (isMissing[left] ? 1 : 0) - (isMissing[right] ? 1 : 0)
        }
        if prefixes[left] != prefixes[right] { return prefixes[left] < prefixes[right] ? -1 : 1 }
        guard !texts.isEmpty else { return 0 }
        let order = bytes.compare(texts[left].range, texts[right].range)
        return isDescending ? -order : order
    }
}
