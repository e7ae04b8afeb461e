/// Keys with their sizes, bounded in bytes: who must leave when another comes.
///
/// S3-FIFO (Yang et al., "FIFO queues are all you need for cache eviction", SOSP 2023): a new key waits in a small queue,
/// a tenth of the bytes. Used more than once while it waits, it moves on to the main queue, else it leaves and its hash is
/// remembered; a remembered key that comes again goes to the main queue at once. There, a used key passes the end of the
/// queue up to ``mostUses`` times. What is read once, however much of it, so never drives out what is read often; and a
/// use changes one number, no order.
package struct S3FIFO<Key: Hashable & Sendable>: Sendable {
    private enum Place: Int, Sendable { case small, main }

    private struct Slot: Sendable {
        var key: Key?
        var bytes: Int
        var uses = 0
        var place: Place
        var newer: Int
        var older: Int
    }

    /// One queue through the slots, linked by index.
    private struct Queue: Sendable {
        var newest = -1
        var oldest = -1
        var bytes = 0
    }

    /// No slot.
    private static var none: Int { -1 }
    private static var mostUses: Int { 3 }
    /// So many uses in the small queue lead to the main one.
    private static var promotingUses: Int { 2 }
    private static var smallPercent: Int { 10 }

    package private(set) var limitBytes: Int
    private var slots: [Slot] = []
    private var free: [Int] = []
    private var index: [Key: Int] = [:]
    private var queues = [Queue(), Queue()]
    /// As many as there are keys, at most.
    private var ghosts = GhostQueue()

    package init(limitBytes: Int) { self.limitBytes = limitBytes }

    package var count: Int { index.count }

    /// Never above ``limitBytes``.
    package var bytes: Int { queues[0].bytes + queues[1].bytes }

    package var keys: some Sequence<Key> { index.keys }

    package func contains(_ key: Key) -> Bool { index[key] != nil }

    /// Notes that `key` was used.
    package mutating func touch(_ key: Key) {
        guard let slot = index[key], slots[slot].uses < Self.mostUses else { return }
        slots[slot].uses += 1
    }

    /// Adds `key`, or gives it another size; then it keeps its queue and its uses.
    ///
    /// - Returns: the keys that must leave for it; `key` itself when it alone is over the limit.
    package mutating func insert(_ key: Key, bytes size: Int) -> [Key] {
        let known = index[key].map { (place: slots[$0].place, uses: slots[$0].uses) }
        remove(key)
        guard size <= limitBytes else { return [key] }
        var leaving: [Key] = []
        while bytes + size > limitBytes { turn(&leaving) }
        let place = known?.place ?? (ghosts.take(key.hashValue) ? .main : .small)
        let slot = free.popLast() ?? slots.count
        let content = Slot(
            key: key, bytes: size, uses: known?.uses ?? 0, place: place, newer: Self.none, older: Self.none)
        if slot == slots.count { slots.append(content) } else { slots[slot] = content }
        index[key] = slot
        link(slot)
        return leaving
    }

    /// - Returns: the keys that must leave for a lower limit.
    package mutating func adapt(limitBytes: Int) -> [Key] {
        self.limitBytes = limitBytes
        var leaving: [Key] = []
        while bytes > limitBytes { turn(&leaving) }
        return leaving
    }

    package mutating func remove(_ key: Key) {
        guard let slot = index.removeValue(forKey: key) else { return }
        unlink(slot)
        slots[slot].key = nil
        free.append(slot)
    }

    /// One step towards more room: a key leaves, moves on, or has one use less.
    private mutating func turn(_ leaving: inout [Key]) {
        let (small, main) = (queues[Place.small.rawValue], queues[Place.main.rawValue])
        let isSmallDue = small.bytes > limitBytes / 100 * Self.smallPercent || main.oldest == Self.none
        if isSmallDue, small.oldest != Self.none {
            turnSmall(small.oldest, &leaving)
        } else {
            turnMain(main.oldest, &leaving)
        }
    }

    private mutating func turnSmall(_ slot: Int, _ leaving: inout [Key]) {
        guard slots[slot].uses < Self.promotingUses else {
            unlink(slot)
            slots[slot].place = .main
            slots[slot].uses = 0
            return link(slot)
        }
        guard let key = slots[slot].key else { preconditionFailure(Self.emptySlot) }
        remove(key)
        ghosts.add(key.hashValue, limit: count)
        leaving.append(key)
    }

    private mutating func turnMain(_ slot: Int, _ leaving: inout [Key]) {
        guard slots[slot].uses == 0 else {
            unlink(slot)
            slots[slot].uses -= 1
            return link(slot)
        }
        guard let key = slots[slot].key else { preconditionFailure(Self.emptySlot) }
        remove(key)
        leaving.append(key)
    }

    private mutating func link(_ slot: Int) {
        let place = slots[slot].place.rawValue
        let newest = queues[place].newest
        slots[slot].newer = Self.none
        slots[slot].older = newest
        if newest != Self.none { slots[newest].newer = slot }
        queues[place].newest = slot
        if queues[place].oldest == Self.none { queues[place].oldest = slot }
        queues[place].bytes += slots[slot].bytes
    }

    private mutating func unlink(_ slot: Int) {
        let (place, newer, older) = (slots[slot].place.rawValue, slots[slot].newer, slots[slot].older)
        if newer == Self.none { queues[place].newest = older } else { slots[newer].older = older }
        if older == Self.none { queues[place].oldest = newer } else { slots[older].newer = newer }
        queues[place].bytes -= slots[slot].bytes
    }

    private static var emptySlot: String {
        "a linked slot without a key: a bug in this list, never bad input"
    }
}
