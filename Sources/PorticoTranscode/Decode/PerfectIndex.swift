// Names to numbers without a second try. A name is known by its length, its first eight bytes and its last eight (which
// overlap in a name shorter than sixteen); a factor is searched, once, that sends no two names to one slot. Worked
// example, `name` and `mass`:
//
//     name   length 4, first `name`, last `name`      (less than eight bytes: both are the whole name)
//     (first ^ last rotated ^ length) × factor, its top bits: slot 5
//     mass   slot 2
//     "mess" → slot 5, where `name` is: another first word → none
//
// Names longer than sixteen bytes are told apart by their ends only: the caller compares what lies between.

/// What an index knows a name by.
struct NameEnds: Equatable {
    let first: UInt64
    let last: UInt64
    let length: Int

    /// - Parameters:
    ///   - word: the eight bytes from the name's first on.
    ///   - endWord: the eight bytes that end with the name's last; ignored for names shorter than eight bytes.
    @inline(__always)  // with the lane, of which it is a part
    init(word: UInt64, endWord: UInt64, length: Int) {
        first = length < 8 ? word & (1 &<< UInt64(truncatingIfNeeded: 8 &* length) &- 1) : word
        last = length < 8 ? 0 : endWord
        self.length = length
    }

    init(_ name: [UInt8]) {
        self.init(
            word: name.span.word(at: 0), endWord: name.count < 8 ? 0 : name.span.word(at: name.count - 8),
            length: name.count)
    }
}

/// Where an object's or an enum's names lie in ``LanePlan/slots``.
struct PerfectIndex: Sendable {
    var firstSlot: Int
    /// 64 less the number of bits that choose a slot.
    var shift: UInt64
    var factor: UInt64

    /// Names up to this length are known by their ends; the caller compares what longer ones have between them.
    static let wholeLength = 16

    struct Slot: Sendable {
        var first: UInt64 = 0
        var last: UInt64 = 0
        /// -1: the slot is empty.
        var length: Int32 = -1
        var value: Int32 = 0
    }

    @inline(__always)  // with the lane, of which it is a part
    func slot(of name: NameEnds) -> Int {
        let mixed =
            name.first ^ (name.last &<< 31 | name.last &>> 33) ^ UInt64(truncatingIfNeeded: name.length)
        return firstSlot &+ Int(truncatingIfNeeded: (mixed &* factor) &>> shift)
    }

    /// Appends the slots of a new index. Of names with equal ends only the first gets in, the caller's careful path
    /// finds the others; values must fit 32 bits.
    static func append(_ names: [(name: String, value: Int)], to slots: inout [Slot]) -> PerfectIndex {
        var distinct: [(ends: NameEnds, value: Int)] = []
        for (name, value) in names {
            let ends = NameEnds(Array(name.utf8))
            if !distinct.contains(where: { $0.ends == ends }) { distinct.append((ends, value)) }
        }
        var bits: UInt64 = 1
        while 1 << bits < distinct.count * 2 { bits += 1 }
        while true {
            // Odd multiples of 2⁶⁴ over the golden ratio: well mixed, and every schema gets the same ones.
            for attempt in 0..<64 as Range<UInt64> {
                let factor = 0x9e37_79b9_7f4a_7c15 &* (2 &* attempt &+ 1)
                let index = PerfectIndex(firstSlot: slots.count, shift: 64 - bits, factor: factor)
                guard let table = index.table(distinct) else { continue }
                slots += table
                return index
            }
            bits += 1
        }
    }

    /// Nil: two names meet in a slot.
    private func table(_ names: [(ends: NameEnds, value: Int)]) -> [Slot]? {
        var table = Array(repeating: Slot(), count: 1 << Int(64 - shift))
        for (ends, value) in names {
            let slot = slot(of: ends) - firstSlot
            guard table[slot].length < 0 else { return nil }
            table[slot] = Slot(
                first: ends.first, last: ends.last, length: Int32(ends.length), value: Int32(value))
        }
        return table
    }
}
