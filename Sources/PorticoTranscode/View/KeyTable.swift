/// What a ``KeyTable`` finds by.
protocol TableKey {
    /// Stands in entries that are free.
    static var filler: Self { get }
    func hash(in bytes: Span<UInt8>) -> UInt64
    func isEqual(to other: Self, in bytes: Span<UInt8>) -> Bool
}

extension ColumnText: TableKey {
    static var filler: ColumnText { .empty }
}

/// The rank of a number.
extension UInt64: TableKey {
    static var filler: UInt64 { 0 }
    @inline(__always)  // with the loop over rows
    func hash(in bytes: Span<UInt8>) -> UInt64 { KeyHash.mixed(self) }
    @inline(__always)
    func isEqual(to other: UInt64, in bytes: Span<UInt8>) -> Bool { self == other }
}

/// Keys → codes and counts: open addressing with linear probing, at most half full. Equal hashes are settled by comparing,
/// so hostile keys cost time, never truth.
///
/// The loops over rows go on until they meet a new key, and leave putting it in to the caller: with that inside
/// `Benchmarks group` counted 198 million rows a second.
struct KeyTable<Key: TableKey> {
    private struct Entry {
        /// As it was met first.
        var key: Key
        var code: UInt32
        /// Rows that have it; 0: the entry is free.
        var size: UInt32
    }
    private var entries: [Entry]
    private var firstRows: [UInt32] = []

    /// Few keys mostly lie alone in a table of 512, so that the first look finds them.
    private static var mostAtFirst: Int { 512 }

    /// - Parameter rows: how many will be coded; a small answer gets a small table.
    init(rows: Int) {
        var size = 16
        while size < rows * 2, size < Self.mostAtFirst { size *= 2 }
        entries = Self.free(size)
    }

    private static func free(_ count: Int) -> [Entry] {
        [Entry](repeating: Entry(key: .filler, code: 0, size: 0), count: count)
    }

    /// Where the key is, or the free entry where it belongs.
    @inline(__always)
    private static func slot(
        of key: Key, among entries: borrowing MutableSpan<Entry>, in bytes: Span<UInt8>
    ) -> Int {
        let mask = entries.count - 1
        var slot = Int(truncatingIfNeeded: key.hash(in: bytes)) & mask
        while entries[slot].size != 0, !entries[slot].key.isEqual(to: key, in: bytes) {
            slot = (slot + 1) & mask
        }
        return slot
    }

    /// Counts rows from `start` on.
    /// - Returns: the first row whose key is new, or how many there are.
    mutating func count(_ rows: Span<UInt32>, from start: Int, keys: Span<Key>, in bytes: Span<UInt8>) -> Int
    {
        var entries = entries.mutableSpan
        for index in start..<rows.count {
            let slot = Self.slot(of: keys[Int(rows[index])], among: entries, in: bytes)
            guard entries[slot].size != 0 else { return index }
            entries[slot].size &+= 1
        }
        return rows.count
    }

    /// Counts and codes the rows that have no code yet, up to the first whose key is new.
    mutating func code(
        _ rows: Span<UInt32>, keys: Span<Key>, in bytes: Span<UInt8>, into codes: inout OutputSpan<UInt32>
    ) {
        var entries = entries.mutableSpan
        for index in codes.count..<rows.count {
            let slot = Self.slot(of: keys[Int(rows[index])], among: entries, in: bytes)
            guard entries[slot].size != 0 else { return }
            entries[slot].size &+= 1
            codes.append(entries[slot].code)
        }
    }

    /// Puts in a key that is new, of one row.
    /// - Returns: its code.
    mutating func insert(_ key: Key, row: UInt32, in bytes: Span<UInt8>) -> UInt32 {
        if (firstRows.count + 1) * 2 > entries.count { grow(bytes) }
        let code = UInt32(firstRows.count)
        firstRows.append(row)
        place(Entry(key: key, code: code, size: 1), in: bytes)
        return code
    }

    private mutating func place(_ entry: Entry, in bytes: Span<UInt8>) {
        var entries = entries.mutableSpan
        entries[Self.slot(of: entry.key, among: entries, in: bytes)] = entry
    }

    private mutating func grow(_ bytes: Span<UInt8>) {
        let old = entries
        entries = Self.free(old.count * 4)
        for entry in old where entry.size != 0 { place(entry, in: bytes) }
    }

    var counts: KeyCounts {
        var sizes = [UInt32](repeating: 0, count: firstRows.count)
        for entry in entries where entry.size != 0 { sizes[Int(entry.code)] = entry.size }
        return KeyCounts(firstRows: firstRows, sizes: sizes)
    }
}
