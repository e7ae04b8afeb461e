/// The policy to compare with: keys with their sizes, bounded in bytes, the least recently used leaving first.
///
/// Slots are linked by index in one array, so that a touch allocates nothing.
struct RecencyList<Key: Hashable & Sendable>: Sendable {
    private struct Slot: Sendable {
        var key: Key?
        var bytes: Int
        var newer: Int
        var older: Int
    }

    /// No slot.
    private static var none: Int { -1 }

    let limitBytes: Int
    private(set) var bytes = 0
    private var slots: [Slot] = []
    private var free: [Int] = []
    private var index: [Key: Int] = [:]
    private var newest = -1
    private var oldest = -1

    init(limitBytes: Int) { self.limitBytes = limitBytes }

    var count: Int { index.count }

    func contains(_ key: Key) -> Bool { index[key] != nil }

    /// From the one that leaves next.
    var keysOldestFirst: [Key] {
        var keys: [Key] = []
        var slot = oldest
        while slot != Self.none {
            if let key = slots[slot].key { keys.append(key) }
            slot = slots[slot].newer
        }
        return keys
    }

    /// Marks `key` as used just now.
    mutating func touch(_ key: Key) {
        guard let slot = index[key], slot != newest else { return }
        unlink(slot)
        link(slot)
    }

    /// Adds or replaces `key` as the one used last.
    ///
    /// - Returns: the keys that must leave for it; `key` itself when it alone is over the limit.
    mutating func insert(_ key: Key, bytes size: Int) -> [Key] {
        remove(key)
        guard size <= limitBytes else { return [key] }
        let slot = free.popLast() ?? slots.count
        let content = Slot(key: key, bytes: size, newer: Self.none, older: Self.none)
        if slot == slots.count { slots.append(content) } else { slots[slot] = content }
        index[key] = slot
        bytes += size
        link(slot)
        var leaving: [Key] = []
        while bytes > limitBytes, let key = slots[oldest].key {
            leaving.append(key)
            remove(key)
        }
        return leaving
    }

    mutating func remove(_ key: Key) {
        guard let slot = index.removeValue(forKey: key) else { return }
        unlink(slot)
        bytes -= slots[slot].bytes
        slots[slot].key = nil
        free.append(slot)
    }

    private mutating func link(_ slot: Int) {
        slots[slot].newer = Self.none
        slots[slot].older = newest
        if newest != Self.none { slots[newest].newer = slot }
        newest = slot
        if oldest == Self.none { oldest = slot }
    }

    private mutating func unlink(_ slot: Int) {
        let (newer, older) = (slots[slot].newer, slots[slot].older)
        if newer == Self.none { newest = older } else { slots[newer].older = older }
        if older == Self.none { oldest = newer } else { slots[older].newer = newer }
    }
}
