/// Which keys a column has, code by code: 0 is the first value met, 1 the next new one, and so on. A missing value counts
/// as the zero value.
///
/// For the rows `blue brown blue grey blue`, `firstRows` is `0 1 3` and `sizes` is `3 1 1`.
package struct KeyCounts: Sendable {
    /// For each code, the row that had it first.
    package let firstRows: [UInt32]
    /// For each code, how many rows have it.
    package let sizes: [UInt32]

    package var count: Int { firstRows.count }
}

/// The values of a column as small integers, and which they are.
package struct CodedKeys: Sendable {
    /// One for each row given to ``init(_:bytes:rows:)``.
    package let codes: [UInt32]
    package let counts: KeyCounts
}

extension KeyCounts {
    /// Counts the values of `rows`, without a note of who has which: `Benchmarks group` counts a quarter faster so.
    /// - Parameter bytes: the buffer that the ranges of a text column point into.
    package init(_ column: Column, bytes: Span<UInt8>, rows: [UInt32]) {
        switch column {
        case .text(let column): self.init(column.texts.span, bytes: bytes, rows: rows)
        case .number(let column): self.init(column.ranks.span, bytes: bytes, rows: rows)
        }
    }

    private init<Key: TableKey>(_ keys: Span<Key>, bytes: Span<UInt8>, rows: [UInt32]) {
        var table = KeyTable<Key>(rows: rows.count)
        var done = 0
        while done < rows.count {
            done = table.count(rows.span, from: done, keys: keys, in: bytes)
            guard done < rows.count else { break }
            let row = rows[done]
            _ = table.insert(keys[Int(row)], row: row, in: bytes)
            done += 1
        }
        self = table.counts
    }
}

extension CodedKeys {
    /// Codes the values of `rows`, in their order.
    /// - Parameter bytes: the buffer that the ranges of a text column point into.
    package init(_ column: Column, bytes: Span<UInt8>, rows: [UInt32]) {
        switch column {
        case .text(let column): self.init(column.texts.span, bytes: bytes, rows: rows)
        case .number(let column): self.init(column.ranks.span, bytes: bytes, rows: rows)
        }
    }

    private init<Key: TableKey>(_ keys: Span<Key>, bytes: Span<UInt8>, rows: [UInt32]) {
        var table = KeyTable<Key>(rows: rows.count)
        codes = [UInt32](capacity: rows.count) { codes in
            while codes.count < rows.count {
                table.code(rows.span, keys: keys, in: bytes, into: &codes)
                guard codes.count < rows.count else { break }
                let row = rows[codes.count]
                codes.append(table.insert(keys[Int(row)], row: row, in: bytes))
            }
        }
        counts = table.counts
    }
}
