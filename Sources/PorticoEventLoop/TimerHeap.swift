package import PorticoWire

/// Names one timer. A stale one (fired or cancelled) names nothing, even after its place was used again.
package struct TimerID: Hashable, Sendable {
    let slot: UInt32
    let generation: UInt32
}

/// Timers by deadline: a binary heap of places, so that cancelling is O(log n) and leaves nothing behind.
///
/// Places are used again, so a loop that starts as many timers as it ends allocates nothing. Equal deadlines fire in
/// the order they were set.
package struct TimerHeap<Payload>: ~Copyable {
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
        /// Index into ``entries``; meaningless while ``payload`` is nil.
        var entry: Int
        var payload: Payload?
    }

    private var entries: [Entry] = []
    private var slots: [Slot] = []
    private var free: [UInt32] = []
    private var nextOrder: UInt64 = 0

    package init() {}

    package var count: Int { entries.count }
    package var nextDeadline: Instant? { entries.first?.deadline }

    package mutating func insert(_ payload: Payload, at deadline: Instant) -> TimerID {
        let slot = takeSlot()
        slots[Int(slot)].payload = payload
        slots[Int(slot)].entry = entries.count
        entries.append(Entry(deadline: deadline, order: nextOrder, slot: slot))
        nextOrder += 1
        siftUp(entries.count - 1)
        return TimerID(slot: slot, generation: slots[Int(slot)].generation)
    }

    /// - Returns: the payload, or nil when `id` has fired or was cancelled before.
    @discardableResult
    package mutating func remove(_ id: TimerID) -> Payload? {
        let slot = Int(id.slot)
        guard slot < slots.count, slots[slot].generation == id.generation, slots[slot].payload != nil else {
            return nil
        }
        return removeEntry(at: slots[slot].entry)
    }

    /// Separates the timers set so far from those still to come.
    package var mark: UInt64 { nextOrder }

    /// The earliest timer due at `now`, taken out; nil: none is due, or the earliest was set after `mark`.
    package mutating func popDue(at now: Instant, setBefore mark: UInt64) -> (id: TimerID, payload: Payload)?
    {
        guard let first = entries.first, first.deadline <= now, first.order < mark else { return nil }
        let id = TimerID(slot: first.slot, generation: slots[Int(first.slot)].generation)
        return (id, removeEntry(at: 0))
    }

    private mutating func takeSlot() -> UInt32 {
        if let slot = free.popLast() { return slot }
        slots.append(Slot(generation: 0, entry: 0, payload: nil))
        return UInt32(slots.count - 1)
    }

    private mutating func removeEntry(at index: Int) -> Payload {
        let slot = entries[index].slot
        let last = entries.count - 1
        if index != last { swapEntries(index, last) }
        entries.removeLast()
        if index < entries.count {
            siftDown(index)
            siftUp(index)
        }
        guard let payload = slots[Int(slot)].payload.take() else {
            preconditionFailure("a timer in the heap has lost its payload: a bug in TimerHeap")
        }
        slots[Int(slot)].generation &+= 1
        free.append(slot)
        return payload
    }

    private mutating func swapEntries(_ a: Int, _ b: Int) {
        entries.swapAt(a, b)
        slots[Int(entries[a].slot)].entry = a
        slots[Int(entries[b].slot)].entry = b
    }

    private mutating func siftUp(_ start: Int) {
        var child = start
        while child > 0 {
            let parent = (child - 1) / 2
            guard entries[child].isBefore(entries[parent]) else { return }
            swapEntries(child, parent)
            child = parent
        }
    }

    private mutating func siftDown(_ start: Int) {
        var parent = start
        while true {
            let left = 2 * parent + 1
            guard left < entries.count else { return }
            let right = left + 1
            let hasEarlierRight = right < entries.count && entries[right].isBefore(entries[left])
            let child = hasEarlierRight ? right : left
            guard entries[child].isBefore(entries[parent]) else { return }
            swapEntries(child, parent)
            parent = child
        }
    }
}
