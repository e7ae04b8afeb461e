/// The values of a column as small integers: code 0 for the first value met, 1 for the next new one, and so
/// on. A missing value has the code of the zero value.
package struct CodedKeys: Sendable {
    /// One for each row given to ``init(_:bytes:rows:)``.
    package let codes: [UInt32]
    /// For each code, the row that had it first.
    package let firstRows: [UInt32]

    package var count: Int { firstRows.count }
}

extension CodedKeys {
    /// Codes the values of `rows`, in their order.
    /// - Parameter bytes: the buffer that the ranges of a text column point into.
    package init(_ column: Column, bytes: Span<UInt8>, rows: [UInt32]) {
        switch column {
        case .text(let column):
            self.init(texts: column, bytes: bytes, rows: rows)
        case .number(let column):
            self.init(ranks: column, rows: rows)
        }
    }

    private init(ranks column: NumberColumn, rows: [UInt32]) {
        var table = KeyTable()
        var codes: [UInt32] = []
        codes.reserveCapacity(rows.count)
        for row in rows {
            codes.append(table.code(of: column.ranks[Int(row)], row: row))
        }
        self.init(codes: codes, firstRows: table.firstRows)
    }

    private init(texts column: TextColumn, bytes: Span<UInt8>, rows: [UInt32]) {
        var table = TextKeyTable()
        var codes = [UInt32](repeating: 0, count: rows.count)
        var out = codes.mutableSpan
        let texts = column.texts.span
        let rows = rows.span
        for index in rows.indices {
            let row = rows[index]
            out[index] = table.code(of: texts[Int(row)], in: bytes, row: row)
        }
        self.init(codes: codes, firstRows: table.firstRows)
    }
}

/// 64-bit keys → codes: open addressing with linear probing, at most half full.
private struct KeyTable {
    private struct Entry {
        var key: UInt64
        /// The code plus one; 0: free.
        var mark: UInt32
    }
    private var entries = [Entry](repeating: Entry(key: 0, mark: 0), count: 64)
    private(set) var firstRows: [UInt32] = []

    mutating func code(of key: UInt64, row: UInt32) -> UInt32 {
        var slot = slot(of: key)
        while entries[slot].mark != 0 {
            if entries[slot].key == key { return entries[slot].mark - 1 }
            slot = (slot + 1) & (entries.count - 1)
        }
        firstRows.append(row)
        entries[slot] = Entry(key: key, mark: UInt32(firstRows.count))
        if firstRows.count * 2 > entries.count { grow() }
        return UInt32(firstRows.count - 1)
    }

    private func slot(of key: UInt64) -> Int {
        Int(truncatingIfNeeded: KeyHash.mixed(key)) & (entries.count - 1)
    }

    private mutating func grow() {
        let old = entries
        entries = [Entry](repeating: Entry(key: 0, mark: 0), count: old.count * 4)
        for entry in old where entry.mark != 0 {
            var slot = slot(of: entry.key)
            while entries[slot].mark != 0 { slot = (slot + 1) & (entries.count - 1) }
            entries[slot] = entry
        }
    }
}

/// Texts → codes, as ``KeyTable``; equal hashes are settled by comparing, so hostile keys cost time, never
/// truth.
private struct TextKeyTable {
    private struct Entry {
        /// As it was met first.
        var text = ColumnText.empty
        /// The code plus one; 0: free.
        var mark: UInt32 = 0
    }
    private var entries = [Entry](repeating: Entry(), count: 64)
    private(set) var firstRows: [UInt32] = []

    /// Inlined into the loop over rows, as what it calls: `Benchmarks group --rows 100000` counts in 0.60 ms,
    /// not in 1.04.
    @inline(__always)
    mutating func code(of text: ColumnText, in bytes: Span<UInt8>, row: UInt32) -> UInt32 {
        let mask = entries.count - 1
        var slot = Int(truncatingIfNeeded: text.hash(in: bytes)) & mask
        while entries[slot].mark != 0 {
            if entries[slot].text.isEqual(to: text, in: bytes) { return entries[slot].mark - 1 }
            slot = (slot + 1) & mask
        }
        return insert(text, at: slot, in: bytes, row: row)
    }

    /// A text that is new; out of the way of those that are not.
    @inline(never)
    private mutating func insert(
        _ text: ColumnText, at slot: Int, in bytes: Span<UInt8>, row: UInt32
    ) -> UInt32 {
        firstRows.append(row)
        entries[slot] = Entry(text: text.orEmpty, mark: UInt32(firstRows.count))
        if firstRows.count * 2 > entries.count { grow(bytes) }
        return UInt32(firstRows.count - 1)
    }

    private mutating func grow(_ bytes: Span<UInt8>) {
        let old = entries
        entries = [Entry](repeating: Entry(), count: old.count * 4)
        for entry in old where entry.mark != 0 {
            var slot = Int(truncatingIfNeeded: entry.text.hash(in: bytes)) & (entries.count - 1)
            while entries[slot].mark != 0 { slot = (slot + 1) & (entries.count - 1) }
            entries[slot] = entry
        }
    }
}
