/// The values of a column as small integers: code 0 for the first value met, 1 for the next new one, and so on.
/// A missing value has the code of the zero value.
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
        var codes: [UInt32] = []
        codes.reserveCapacity(rows.count)
        let ranges = column.ranges.span
        for row in rows {
            codes.append(table.code(of: ranges[Int(row)], in: bytes, row: row))
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
        Int(truncatingIfNeeded: TextHash.mixed(key)) & (entries.count - 1)
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

/// Texts → codes, as ``KeyTable``; equal hashes are settled by comparing bytes, so hostile keys cost time, never truth.
private struct TextKeyTable {
    private struct Entry {
        var hash: UInt64
        var range: ByteRange
        /// The code plus one; 0: free.
        var mark: UInt32
    }
    private static let free = Entry(hash: 0, range: .missing, mark: 0)
    private var entries = [Entry](repeating: free, count: 64)
    private(set) var firstRows: [UInt32] = []

    mutating func code(of range: ByteRange, in bytes: Span<UInt8>, row: UInt32) -> UInt32 {
        let text = range.orEmpty
        let hash = TextHash.hash(of: text, in: bytes)
        var slot = Int(truncatingIfNeeded: hash) & (entries.count - 1)
        while entries[slot].mark != 0 {
            let entry = entries[slot]
            if entry.hash == hash, entry.range.count == text.count,
                bytes.isEqual(entry.range.range, text.range)
            {
                return entry.mark - 1
            }
            slot = (slot + 1) & (entries.count - 1)
        }
        firstRows.append(row)
        entries[slot] = Entry(hash: hash, range: text, mark: UInt32(firstRows.count))
        if firstRows.count * 2 > entries.count { grow() }
        return UInt32(firstRows.count - 1)
    }

    private mutating func grow() {
        let old = entries
        entries = [Entry](repeating: Self.free, count: old.count * 4)
        for entry in old where entry.mark != 0 {
            var slot = Int(truncatingIfNeeded: entry.hash) & (entries.count - 1)
            while entries[slot].mark != 0 { slot = (slot + 1) & (entries.count - 1) }
            entries[slot] = entry
        }
    }
}

/// A hash of short texts: eight bytes at a time, multiplied and folded. Not seeded, so that runs are alike.
enum TextHash {
    static func hash(of text: ByteRange, in bytes: Span<UInt8>) -> UInt64 {
        var hash = UInt64(text.count)
        var offset = text.range.lowerBound
        let end = text.range.upperBound
        while end - offset >= 8 {
            hash = mixed(hash ^ bytes.word(at: offset, count: 8))
            offset += 8
        }
        return mixed(hash ^ bytes.word(at: offset, count: end - offset))
    }

    /// A multiplication by 2^64/φ (odd), its high half folded onto the low one, which picks the slot.
    static func mixed(_ word: UInt64) -> UInt64 {
        let product = word.multipliedFullWidth(by: 0x9e37_79b9_7f4a_7c15)
        return product.high ^ product.low
    }
}
