/// Sorts positions by words of eight bytes: all by the first word of the first key, then every run of equal
/// words by what comes next.
///
/// By `name` and then `mass`, of `Luminara` 56, `Luminara U` 1 and `Luminara` 20:
/// ```
/// word of name, 8 bytes       Luminara  Luminara  Luminara      one run of three
/// how far the text goes on    0 bytes   2 bytes   0 bytes       those that end come first
/// word of mass in that run    56        –         20            20, 56; then Luminara U
/// ```
/// All runs of one step are filled before the first is sorted: the loop over them waits for many texts at once
/// where a run of its own would wait for each.
struct RowSorter {
    private let keys: [RowOrder.Key]
    private var words: WordSorter
    /// Runs that are equal so far: those of this step, and those that it leaves for the next.
    private var runs: [Run] = []
    private var later: [Run] = []

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
        leave(0..<count, key: 0, depth: 0)
    }

    /// The positions in order.
    mutating func sorted(bytes: Span<UInt8>) -> [UInt32] {
        while !later.isEmpty {
            (runs, later) = (later, [])
            for index in runs.indices { separateMissing(index) }
            for run in runs {
                words.fill(run.range, from: keys[Int(run.key)], depth: Int(run.depth), bytes: bytes)
            }
            for run in runs {
                words.sort(run.range)
                splitTies(run)
            }
        }
        return words.entries.map { $0.position }
    }

    /// Leaves a run for the next step, if there is anything to order it by.
    private mutating func leave(_ range: Range<Int>, key: Int, depth: Int) {
        guard range.count > 1, key < keys.count else { return }
        later.append(Run(range, key: key, depth: depth))
    }

    /// Puts missing values last, for the next key to order, and keeps the run of the others.
    private mutating func separateMissing(_ index: Int) {
        let (range, key) = (runs[index].range, Int(runs[index].key))
        let isMissing = keys[key].isMissing
        guard runs[index].depth == 0, !isMissing.isEmpty else { return }
        let middle = words.partition(range) { !isMissing[Int($0.position)] }
        leave(middle..<range.upperBound, key: key + 1, depth: 0)
        runs[index] = Run(range.lowerBound..<middle, key: key, depth: 0)
    }

    /// Finds the runs of equal words and leaves what orders them further.
    private mutating func splitTies(_ run: Run) {
        var start = Int(run.lower)
        while start < run.upper {
            let tie = words.tie(from: start, before: Int(run.upper))
            if tie.range.count > 1 {
                if tie.isMixed {
                    splitMixed(tie.range, run)
                } else {
                    leave(tie.range, rest: tie.rest, of: run)
                }
            }
            start = tie.range.upperBound
        }
    }

    /// Equal words of texts that go on unequally far: those that end are in order but for the next key, by how
    /// many of the word's bytes are theirs (zero bytes at the end look like none).
    private mutating func splitMixed(_ range: Range<Int>, _ run: Run) {
        words.sortByRest(range, isDescending: keys[Int(run.key)].isDescending)
        var start = range.lowerBound
        while start < range.upperBound {
            let rest = words.entries[start].rest
            var end = start + 1
            while end < range.upperBound, words.entries[end].rest == rest { end += 1 }
            leave(start..<end, rest: rest, of: run)
            start = end
        }
    }

    private mutating func leave(_ range: Range<Int>, rest: UInt32, of run: Run) {
        if rest == SortEntry.longRest {
            leave(range, key: Int(run.key), depth: Int(run.depth) + 1)
        } else {
            leave(range, key: Int(run.key) + 1, depth: 0)
        }
    }
}

extension WordSorter {
    /// Entries side by side with the same word.
    struct Tie {
        let range: Range<Int>
        /// Of the first of them.
        let rest: UInt32
        /// Not all of them have that rest.
        let isMixed: Bool
    }

    /// The tie that begins at `start`; one entry at least.
    func tie(from start: Int, before limit: Int) -> Tie {
        let entries = entries.span
        let (word, rest) = (entries[start].word, entries[start].rest)
        var (end, isMixed) = (start + 1, false)
        while end < limit, entries[end].word == word {
            if entries[end].rest != rest { isMixed = true }
            end += 1
        }
        return Tie(range: start..<end, rest: rest, isMixed: isMixed)
    }
}
