/// The hashes of keys that have left, the last so many of them. Two keys of one hash are taken for one: it costs a wrong
/// guess about which answer is wanted again, no wrong answer.
struct GhostQueue: Sendable {
    private struct Ghost: Sendable {
        let hash: Int
        let number: Int
    }

    /// The oldest first, from ``first`` on; those taken since are still in it.
    private var queue: [Ghost] = []
    private var first = 0
    /// The latest number of each hash.
    private var numbers: [Int: Int] = [:]
    private var latest = 0

    var count: Int { numbers.count }

    /// - Parameter limit: how many are remembered, this one included.
    mutating func add(_ hash: Int, limit: Int) {
        latest += 1
        numbers[hash] = latest
        queue.append(Ghost(hash: hash, number: latest))
        while numbers.count > limit || isFirstTaken { forgetFirst() }
    }

    /// Whether it was remembered; it is not any more.
    mutating func take(_ hash: Int) -> Bool { numbers.removeValue(forKey: hash) != nil }

    private var isFirstTaken: Bool {
        first < queue.count && numbers[queue[first].hash] != queue[first].number
    }

    private mutating func forgetFirst() {
        let ghost = queue[first]
        if numbers[ghost.hash] == ghost.number { numbers[ghost.hash] = nil }
        first += 1
        guard first > queue.count / 2 else { return }
        queue.removeFirst(first)
        first = 0
    }
}
