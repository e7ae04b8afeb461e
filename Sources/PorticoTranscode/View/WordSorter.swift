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
    private(set) var entries: [SortEntry]
    private var spare: [SortEntry]

    /// Up to here moving entries one by one is fastest.
    private static let insertionLimit = 48
    /// From here on counting pays: each pass has 256 counters to clear and add up.
    private static let radixLimit = 512
    /// Half a megabyte of entries: more are first dealt out by their first byte, into parts that fit a core's
    /// cache. `Benchmarks group` measures it.
    private static let cacheLimit = 32_768

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

    /// A large range is dealt out by the first byte in which its words differ; a small one is sorted byte by
    /// byte, the last one first. Bytes that are alike in all words cost no pass.
    private mutating func radixSort(_ range: Range<Int>) {
        let differing = differences(range)
        guard differing != 0 else { return }
        if range.count > Self.cacheLimit {
            return deal(range, byte: 7 - differing.leadingZeroBitCount / 8)
        }
        var isInSpare = false
        for byte in 0..<8 where (differing >> UInt64(byte * 8)) & 0xff != 0 {
            if isInSpare {
                _ = Self.scatter(spare, range, byte: byte, to: &entries)
            } else {
                _ = Self.scatter(entries, range, byte: byte, to: &spare)
            }
            isInSpare.toggle()
        }
        if isInSpare { entries.replaceSubrange(range, with: spare[range]) }
    }

    /// Sorts each part of equal bytes by itself. No deeper than a word has bytes.
    private mutating func deal(_ range: Range<Int>, byte: Int) {
        let ends = Self.scatter(entries, range, byte: byte, to: &spare)
        entries.replaceSubrange(range, with: spare[range])
        var start = range.lowerBound
        for end in ends where end > start {
            sort(start..<end)
            start = end
        }
    }

    /// The bits in which not all words of a range are alike.
    private func differences(_ range: Range<Int>) -> UInt64 {
        let entries = entries.span
        let first = entries[range.lowerBound].word
        var differing: UInt64 = 0
        for index in range { differing |= entries[index].word ^ first }
        return differing
    }

    /// Copies a range in the order of one byte of its words.
    /// - Returns: for each value of the byte, where its entries end.
    private static func scatter(
        _ source: [SortEntry], _ range: Range<Int>, byte: Int, to target: inout [SortEntry]
    ) -> [Int] {
        let source = source.span
        let shift = UInt64(byte * 8)
        var places = [Int](repeating: 0, count: 256)
        var counted = places.mutableSpan
        for index in range { counted[Int((source[index].word &>> shift) & 0xff)] &+= 1 }
        var place = range.lowerBound
        for digit in counted.indices {
            (counted[digit], place) = (place, place + counted[digit])
        }
        var target = target.mutableSpan
        for index in range {
            let entry = source[index]
            let digit = Int((entry.word &>> shift) & 0xff)
            target[counted[digit]] = entry
            counted[digit] &+= 1
        }
        return places
    }
}
