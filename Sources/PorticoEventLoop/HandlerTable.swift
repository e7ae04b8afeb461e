/// Names one registered descriptor. It may cross threads: a stale one names nothing, even after its place was used
/// again, so a late answer for a closed connection finds nobody instead of somebody else.
package struct Registration: Hashable, Sendable {
    let slot: UInt32
    let generation: UInt32

    /// What the kernel hands back with each event.
    var key: UInt64 { UInt64(generation) << 32 | UInt64(slot) }

    init(slot: UInt32, generation: UInt32) {
        self.slot = slot
        self.generation = generation
    }

    init(key: UInt64) {
        slot = UInt32(truncatingIfNeeded: key)
        generation = UInt32(truncatingIfNeeded: key >> 32)
    }
}

/// The handlers of one loop. An event that arrives for a handler removed earlier in the same batch finds nothing.
struct HandlerTable: ~Copyable {
    struct Entry {
        var descriptor: Int32
        var interest: Interest
        var handler: any ReadinessHandler
    }

    private struct Slot {
        /// Starts at 1: key 0 never names a handler.
        var generation: UInt32 = 1
        var entry: Entry?
    }

    private var slots: [Slot] = []
    private var free: [UInt32] = []

    var count: Int { slots.count - free.count }

    mutating func insert(_ entry: Entry) -> Registration {
        let slot: UInt32
        if let reused = free.popLast() {
            slot = reused
        } else {
            slot = UInt32(slots.count)
            slots.append(Slot())
        }
        slots[Int(slot)].entry = entry
        return Registration(slot: slot, generation: slots[Int(slot)].generation)
    }

    subscript(registration: Registration) -> Entry? {
        let slot = Int(registration.slot)
        guard slot < slots.count, slots[slot].generation == registration.generation else { return nil }
        return slots[slot].entry
    }

    /// - Returns: the descriptor whose interest is another now; nil when it is the same or the registration is stale.
    mutating func setInterest(_ interest: Interest, of registration: Registration) -> Int32? {
        let slot = Int(registration.slot)
        guard slot < slots.count, slots[slot].generation == registration.generation,
            let descriptor = slots[slot].entry?.descriptor, slots[slot].entry?.interest != interest
        else { return nil }
        slots[slot].entry?.interest = interest
        return descriptor
    }

    @discardableResult
    mutating func remove(_ registration: Registration) -> Entry? {
        guard let entry = self[registration] else { return nil }
        slots[Int(registration.slot)].entry = nil
        slots[Int(registration.slot)].generation = max(1, slots[Int(registration.slot)].generation &+ 1)
        free.append(registration.slot)
        return entry
    }

    /// Takes every handler out, for the end of the loop.
    mutating func removeAll() -> [Entry] {
        let entries = slots.compactMap(\.entry)
        slots = []
        free = []
        return entries
    }
}
