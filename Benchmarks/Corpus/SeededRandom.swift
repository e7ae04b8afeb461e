/// SplitMix64 (Steele, Lea, Flood 2014): the same numbers on every machine, so that corpora are the same,
/// too.
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var word = state
        word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
        word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
        return word ^ (word >> 31)
    }

    mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }

    mutating func pick<Element>(_ choices: [Element]) -> Element { choices[below(choices.count)] }
}

/// Draws indices with given weights.
struct WeightedChoice {
    private let sums: [Int]

    /// - Parameter weights: at least one, all positive.
    init(_ weights: [Int]) {
        var sum = 0
        sums = weights.map { weight in
            sum += weight
            return sum
        }
    }

    func index(_ random: inout SeededRandom) -> Int {
        let drawn = random.below(sums[sums.count - 1])
        var (low, high) = (0, sums.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if sums[middle] > drawn { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
