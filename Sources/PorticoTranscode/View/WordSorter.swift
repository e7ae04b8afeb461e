/// A position with the part of its key that is being compared.
struct SortEntry {
    /// Orders as the key does; turned over when the key runs downwards.
    var word: UInt64 = 0
    var position: UInt32
    /// Bytes of the text from the word's first one on, at most ``longRest``.
    var rest: UInt32 = 0

    /// The text goes on behind the word.
    static let longRest: UInt32 = 9
    /// The word is the whole value.
    static let wholeRest: UInt32 = 8
}

/// Sorts ranges of entries by their words, equal ones left in their order, which is that of their positions.
struct WordSorter {
    var entries: [SortEntry]
    private var spare: [SortEntry]

    /// Up to here moving entries one by one is fastest.
    private static let insertionLimit = 48
    /// From here on counting pays: a pass has 256 counters to clear and add up.
    private static let radixLimit = 1024

    init(count: Int) {
        entries = (0..<UInt32(count)).map { SortEntry(position: $0) }
        spare = count < Self.radixLimit ? [] : entries
    }

    /// Gives the entries of a range their next word of a key.
    mutating func fill(_ range: Range<Int>, from key: RowOrder.Key, depth: Int, bytes: Span<UInt8>) {
        var entries = entries.mutableSpan
        key.fill(&entries, range, depth: depth, bytes: bytes)
    }

    mutating func sort(_ range: Range<Int>) {
        if range.count <= Self.insertionLimit {
            insertionSort(range) { $0.word < $1.word }
        } else if range.count < Self.radixLimit {
            entries[range].sort { ($0.word, $0.position) < ($1.word, $1.position) }
        } else {
            radixSort(range)
        }
    }

    /// Orders a run of equal words by how far their texts go on.
    mutating func sortByRest(_ range: Range<Int>, isDescending: Bool) {
        let first = entries[range.lowerBound].rest
        guard range.contains(where: { entries[$0].rest != first }) else { return }
        if range.count <= Self.insertionLimit {
            insertionSort(range) { isDescending ? $0.rest > $1.rest : $0.rest < $1.rest }
            return
        }
        entries[range].sort { left, right in
            if left.rest != right.rest { return (left.rest < right.rest) != isDescending }
            return left.position < right.position
        }
    }

    /// Entries that belong in front, then the others, both in their order.
    /// - Returns: where the others begin.
    mutating func partition(_ range: Range<Int>, isFront: (SortEntry) -> Bool) -> Int {
        var others: [SortEntry] = []
        var next = range.lowerBound
        for index in range {
            let entry = entries[index]
            if isFront(entry) {
                entries[next] = entry
                next += 1
            } else {
                others.append(entry)
            }
        }
        entries.replaceSubrange(next..<range.upperBound, with: others)
        return next
    }

    @inline(__always)
    private mutating func insertionSort(
        _ range: Range<Int>, isBefore: (SortEntry, SortEntry) -> Bool
    ) {
        var entries = entries.mutableSpan
        for index in range.dropFirst() {
            let entry = entries[index]
            var place = index
            while place > range.lowerBound, isBefore(entry, entries[place - 1]) {
                entries[place] = entries[place - 1]
                place -= 1
            }
            entries[place] = entry
        }
    }

    // MARK: Radix

    /// Byte by byte, the last one first; a byte that is the same in all words costs no pass.
    private mutating func radixSort(_ range: Range<Int>) {
        let counts = byteCounts(range)
        var isInSpare = false
        for byte in 0..<8 {
            let counted = counts[byte * 256..<byte * 256 + 256]
            if counted.contains(where: { Int($0) == range.count }) { continue }
            var places: [Int] = []
            places.reserveCapacity(256)
            var place = range.lowerBound
            for count in counted {
                places.append(place)
                place += Int(count)
            }
            if isInSpare {
                Self.scatter(spare, range, byte: byte, to: &places, of: &entries)
            } else {
                Self.scatter(entries, range, byte: byte, to: &places, of: &spare)
            }
            isInSpare.toggle()
        }
        if isInSpare { entries.replaceSubrange(range, with: spare[range]) }
    }

    /// For each of the eight bytes of the words, lowest first, how often it has each value.
    private func byteCounts(_ range: Range<Int>) -> [UInt32] {
        var counts = [UInt32](repeating: 0, count: 8 * 256)
        var counted = counts.mutableSpan
        let entries = entries.span
        for index in range {
            var word = entries[index].word
            for byte in 0..<8 {
                counted[byte &* 256 &+ Int(word & 0xff)] &+= 1
                word &>>= 8
            }
        }
        return counts
    }

    private static func scatter(
        _ source: [SortEntry], _ range: Range<Int>, byte: Int, to places: inout [Int],
        of target: inout [SortEntry]
    ) {
        let source = source.span
        var target = target.mutableSpan
        var places = places.mutableSpan
        let shift = UInt64(byte * 8)
        for index in range {
            let entry = source[index]
            let digit = Int((entry.word &>> shift) & 0xff)
            target[places[digit]] = entry
            places[digit] &+= 1
        }
    }
}
