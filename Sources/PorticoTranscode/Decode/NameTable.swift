// Which of a fixed set of names a piece of text is, in one probe. The hash takes in the text a word at a time; when
// the table is built, seeds are tried until no two names share a slot, so a look-up compares one name at most.
// Worked example, the names `name` and `mass` in a table of four slots:
//
//     seed 0   name → slot 2, mass → slot 2     shared: try the next seed
//     seed 1   name → slot 0, mass → slot 3     kept
//     "mass"   → slot 3, same length and bytes  → its value
//     "mess"   → slot 1, empty                  → none
struct NameTable: Sendable {
    private struct Slot: Sendable {
        var start: Int32 = 0
        var length: Int32 = -1
        var value: Int32 = -1
    }

    private var slots: [Slot] = [Slot()]
    private var text: [UInt8] = []
    private var seed: UInt64 = 0
    private var shift: UInt64 = 63

    /// - Parameter names: the first of equal names wins.
    init(_ names: [(name: String, value: Int)]) {
        var distinct: [(name: [UInt8], value: Int)] = []
        var known: Set<String> = []
        for (name, value) in names where known.insert(name).inserted {
            distinct.append((Array(name.utf8), value))
        }
        var bits = 1
        while 1 << bits < distinct.count * 2 { bits += 1 }
        while true {
            for candidate in 0..<UInt64(64) where fill(distinct, seed: candidate, bits: bits) { return }
            bits += 1
        }
    }

    /// - Returns: false when two names share a slot.
    private mutating func fill(_ names: [(name: [UInt8], value: Int)], seed: UInt64, bits: Int) -> Bool {
        self.seed = seed
        shift = UInt64(64 - bits)
        slots = Array(repeating: Slot(), count: 1 << bits)
        text = []
        for (name, value) in names {
            let index = slot(of: 0..<name.count, in: name.span)
            guard slots[index].value < 0 else { return false }
            slots[index] = Slot(
                start: Int32(text.count), length: Int32(name.count), value: Int32(value))
            text += name
        }
        return true
    }

    /// Nil: no such name.
    func value(of range: Range<Int>, in bytes: Span<UInt8>) -> Int? {
        let slot = slots[slot(of: range, in: bytes)]
        guard slot.length == range.count else { return nil }
        for index in 0..<range.count where text[Int(slot.start) + index] != bytes[range.lowerBound + index] {
            return nil
        }
        return Int(slot.value)
    }

    private func slot(of range: Range<Int>, in bytes: Span<UInt8>) -> Int {
        // The odd factor is 2⁶⁴ divided by the golden ratio (Knuth, TAOCP 6.4); the top bits are the best mixed.
        let factor: UInt64 = 0x9e37_79b9_7f4a_7c15
        var hash = (seed ^ UInt64(range.count)) &* factor
        var offset = range.lowerBound
        while offset < range.upperBound {
            let left = range.upperBound - offset
            let word = bytes.word(at: offset) & (left < 8 ? 1 << UInt64(8 * left) - 1 : .max)
            hash = ((hash ^ word) &* factor)
            hash ^= hash &>> 32
            offset += 8
        }
        return Int(truncatingIfNeeded: (hash &* factor) &>> shift)
    }
}
