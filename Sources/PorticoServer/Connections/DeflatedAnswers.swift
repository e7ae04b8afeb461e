import PorticoSchema

/// Deflated forms of one loop's answers, so that the work is done once for each. Bounded; the oldest goes first.
struct DeflatedAnswers {
    struct Key: Hashable, Sendable {
        let method: MethodID
        let request: [UInt8]
    }

    /// An answer and what deflating made of it.
    struct Pair: Sendable {
        let plain: [UInt8]
        /// Nil: it does not shrink.
        let packed: [UInt8]?

        var byteCount: Int { plain.count + (packed?.count ?? 0) }
    }

    private let limitBytes: Int
    private(set) var byteCount = 0
    private var pairs: [Key: Pair] = [:]
    private var oldestFirst: ArraySlice<Key> = []

    init(limitBytes: Int = 8 << 20) { self.limitBytes = limitBytes }

    /// - Returns: nil when nothing is known of this very answer: it is new, or has changed since.
    func pair(for key: Key, plain: [UInt8]) -> Pair? {
        // Arrays that share their storage are equal without a look at the bytes.
        guard let pair = pairs[key], pair.plain == plain else { return nil }
        return pair
    }

    mutating func keep(_ pair: Pair, for key: Key) {
        guard pair.byteCount <= limitBytes else { return }
        if let replaced = pairs.updateValue(pair, forKey: key) {
            byteCount -= replaced.byteCount
        } else {
            oldestFirst.append(key)
        }
        byteCount += pair.byteCount
        while byteCount > limitBytes, let oldest = oldestFirst.popFirst() {
            byteCount -= pairs.removeValue(forKey: oldest)?.byteCount ?? 0
        }
    }
}
