/// Sorts positions by words of eight bytes: all by the first word of the first key, then every run of equal
/// words by what comes next.
///
/// By `name` and then `mass`, of `Luminara` 56, `Luminara U` 1 and `Luminara` 20:
/// ```
/// word of name, 8 bytes       Luminara  Luminara  Luminara      one run of three
/// how far the text goes on    0 bytes   2 bytes   0 bytes       those that end come first
/// word of mass in that run    56        –         20            20, 56; then Luminara U
/// ```
struct RowSorter {
    private let keys: [RowOrder.Key]
    private var words: WordSorter
    /// Runs that are equal so far and still to be ordered.
    private var pending: [Run]

    private struct Run {
        let lower: UInt32
        let upper: UInt32
        let key: UInt32
        /// Words of the key that are done.
        let depth: UInt32

        init(_ range: Range<Int>, key: Int, depth: Int) {
            (lower, upper) = (UInt32(range.lowerBound), UInt32(range.upperBound))
            (self.key, self.depth) = (UInt32(key), UInt32(depth))
        }

        var range: Range<Int> { Int(lower)..<Int(upper) }
    }

    init(_ keys: [RowOrder.Key], count: Int) {
        self.keys = keys
        words = WordSorter(count: count)
        pending = []
        push(0..<count, key: 0, depth: 0)
    }

    /// The positions in order.
    mutating func sorted(bytes: Span<UInt8>) -> [UInt32] {
        while let run = pending.popLast() {
            let (key, depth) = (Int(run.key), Int(run.depth))
            let present = depth == 0 ? partitionMissing(run.range, key: key) : run.range
            words.fill(present, from: keys[key], depth: depth, bytes: bytes)
            words.sort(present)
            splitTies(present, key: key, depth: depth)
        }
        return words.entries.map { $0.position }
    }

    private mutating func push(_ range: Range<Int>, key: Int, depth: Int) {
        guard range.count > 1, key < keys.count else { return }
        pending.append(Run(range, key: key, depth: depth))
    }

    /// Puts missing values last, for the next key to order; gives the others.
    private mutating func partitionMissing(_ range: Range<Int>, key: Int) -> Range<Int> {
        let isMissing = keys[key].isMissing
        guard !isMissing.isEmpty else { return range }
        let middle = words.partition(range) { !isMissing[Int($0.position)] }
        push(middle..<range.upperBound, key: key + 1, depth: 0)
        return range.lowerBound..<middle
    }

    /// Finds the runs of equal words and hands on what orders them further.
    private mutating func splitTies(_ range: Range<Int>, key: Int, depth: Int) {
        var start = range.lowerBound
        while start < range.upperBound {
            let word = words.entries[start].word
            var end = start + 1
            while end < range.upperBound, words.entries[end].word == word { end += 1 }
            if end - start > 1 { splitTie(start..<end, key: key, depth: depth) }
            start = end
        }
    }

    /// One run of equal words: texts that end here are in order but for the next key, by how many of the
    /// word's bytes are theirs (zero bytes at the end look like none); the others go on with their next word.
    private mutating func splitTie(_ range: Range<Int>, key: Int, depth: Int) {
        words.sortByRest(range, isDescending: keys[key].isDescending)
        var start = range.lowerBound
        while start < range.upperBound {
            let rest = words.entries[start].rest
            var end = start + 1
            while end < range.upperBound, words.entries[end].rest == rest { end += 1 }
            if rest == SortEntry.longRest {
                push(start..<end, key: key, depth: depth + 1)
            } else {
                push(start..<end, key: key + 1, depth: 0)
            }
            start = end
        }
    }
}
