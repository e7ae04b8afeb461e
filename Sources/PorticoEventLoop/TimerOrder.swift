package import PorticoWire

/// Names one timer. A stale one (fired or cancelled) names nothing, even after its place was used again.
package struct TimerID: Hashable, Sendable {
    let slot: UInt32
    let generation: UInt32

    /// Of timers that are set at the same time each has another; small numbers are used again.
    package var place: Int { Int(slot) }
}

/// Timers by deadline: a binary heap of places, so that cancelling is O(log n) and leaves nothing behind.
///
/// Places are used again, so a loop that starts as many timers as it ends allocates nothing. Equal deadlines fire in
/// the order they were set. What a timer is for stands elsewhere, by ``TimerID/place``: as a generic type, used from
/// another module, this heap allocated for each swap (8 times for each answer that was fetched).
package struct TimerOrder: ~Copyable {
    private struct Entry {
        var deadline: Instant
        /// Breaks ties between equal deadlines.
        var order: UInt64
        var slot: UInt32

        func isBefore(_ other: Entry) -> Bool {
            deadline == other.deadline ? order < other.order : deadline < other.deadline
        }
    }

    private struct Slot {
        var generation: UInt32
        /// Index into ``entries``; nil: free.
        var entry: Int?
    }

    private var entries: [Entry] = []
    private var slots: [Slot] = []
    private var free: [UInt32] = []
    private var nextOrder: UInt64 = 0

    package init() {}

    package var count: Int { entries.count }
    package var nextDeadline: Instant? { entries.first?.deadline }

    package mutating func insert(at deadline: Instant) -> TimerID {
        let slot = takeSlot()
        slots[Int(slot)].entry = entries.count
        entries.append(Entry(deadline: deadline, order: nextOrder, slot: slot))
        nextOrder += 1
        siftUp(entries.count - 1)
        return TimerID(slot: slot, generation: slots[Int(slot)].generation)
    }

    /// - Returns: false when `id` has fired or was cancelled before.
    package mutating func remove(_ id: TimerID) -> Bool {
        let slot = Int(id.slot)
        guard slot < slots.count, slots[slot].generation == id.generation, let entry = slots[slot].entry
        else {
            return false
        }
        removeEntry(at: entry)
        return true
    }

    /// Separates the timers set so far from those still to come.
    package var mark: UInt64 { nextOrder }

    /// The earliest timer due at `now`, taken out; nil: none is due, or the earliest was set after `mark`.
    package mutating func popDue(at now: Instant, setBefore mark: UInt64) -> TimerID? {
        guard let first = entries.first, first.deadline <= now, first.order < mark else { return nil }
        let id = TimerID(slot: first.slot, generation: slots[Int(first.slot)].generation)
        removeEntry(at: 0)
        return id
    }

    private mutating func takeSlot() -> UInt32 {
        if let slot = free.popLast() { return slot }
        slots.append(Slot(generation: 0))
        return UInt32(slots.count - 1)
    }

    private mutating func removeEntry(at index: Int) {
        let slot = entries[index].slot
        let moved = entries.removeLast()
        if index < entries.count {
            place(moved, at: index)
            siftDown(index)
            siftUp(index)
        }
        slots[Int(slot)].entry = nil
        slots[Int(slot)].generation &+= 1
        free.append(slot)
    }

    private mutating func place(_ entry: Entry, at index: Int) {
        entries[index] = entry
        slots[Int(entry.slot)].entry = index
    }

    private mutating func siftUp(_ start: Int) {
        let entry = entries[start]
        var child = start
        while child > 0 {
            let parent = (child - 1) / 2
            guard entry.isBefore(entries[parent]) else { break }
            place(entries[parent], at: child)
            child = parent
        }
        if child != start { place(entry, at: child) }
    }

    private mutating func siftDown(_ start: Int) {
        let entry = entries[start]
        var parent = start
        while true {
            let left = 2 * parent + 1
            guard left < entries.count else { break }
            let right = left + 1
            let hasEarlierRight = right < entries.count && entries[right].isBefore(entries[left])
            let child = hasEarlierRight ? right : left
            guard entries[child].isBefore(entry) else { break }
            place(entries[child], at: parent)
            parent = child
        }
        if parent != start { place(entry, at: parent) }
    }
}
