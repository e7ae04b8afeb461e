// Which of a fixed set of names a piece of text is. A table at most half full, in which a name lies in the slot that its
// hash says or, when that is taken, in the next free one; a look-up ends at its name or at an empty slot. Worked
// example, `name` and `mass` in a table of four slots:
//
//     name → slot 2                    mass → slot 2, taken → slot 3
//     "mass"   slot 2 has another hash, slot 3 has its hash, length and bytes → its value
//     "mess"   → slot 0, empty → none
struct NameTable: Sendable {
    private struct Slot: Sendable {
        var hash: UInt32 = 0
        var start: Int32 = 0
        /// -1: the slot is empty.
        var length: Int32 = -1
        var value: Int32 = 0
    }

    private var slots: [Slot]
    private var text: [UInt8] = []

    /// - Parameter names: the first of equal names wins. `value` fits 32 bits.
    init(_ names: [(name: String, value: Int)]) {
        var size = 2
        while size < names.count * 2 { size *= 2 }
        slots = Array(repeating: Slot(), count: size)
        for (name, value) in names { insert(Array(name.utf8), value) }
    }

    private mutating func insert(_ name: [UInt8], _ value: Int) {
        guard self.value(of: name.indices, in: name.span) == nil else { return }
        let hash = Self.hash(of: name.indices, in: name.span)
        var index = Int(hash) & (slots.count - 1)
        while slots[index].length >= 0 { index = (index + 1) & (slots.count - 1) }
        slots[index] = Slot(
            hash: hash, start: Int32(text.count), length: Int32(name.count), value: Int32(value))
        text += name
    }

    /// Nil: no such name.
    func value(of range: Range<Int>, in bytes: Span<UInt8>) -> Int? {
        let hash = Self.hash(of: range, in: bytes)
        var index = Int(hash) & (slots.count - 1)
        while slots[index].length >= 0 {
            if slots[index].hash == hash, isName(slots[index], range, in: bytes) {
                return Int(slots[index].value)
            }
            index = (index + 1) & (slots.count - 1)
        }
        return nil
    }

    private func isName(_ slot: Slot, _ range: Range<Int>, in bytes: Span<UInt8>) -> Bool {
        guard slot.length == range.count else { return false }
        for index in 0..<range.count where text[Int(slot.start) + index] != bytes[range.lowerBound + index] {
            return false
        }
        return true
    }

    /// Eight bytes at a time. The names come from a schema, so nobody can aim at a slot.
    private static func hash(of range: Range<Int>, in bytes: Span<UInt8>) -> UInt32 {
        // The odd factor is 2⁶⁴ divided by the golden ratio (Knuth, TAOCP 6.4); the top bits are the best mixed.
        let factor: UInt64 = 0x9e37_79b9_7f4a_7c15
        var hash = UInt64(range.count) &* factor
        var offset = range.lowerBound
        while offset < range.upperBound {
            let left = range.upperBound - offset
            let word = bytes.word(at: offset) & (left < 8 ? 1 &<< UInt64(8 * left) &- 1 : .max)
            hash = (hash ^ word) &* factor
            hash ^= hash &>> 32
            offset += 8
        }
        return UInt32(truncatingIfNeeded: (hash &* factor) &>> 32)
    }
}
