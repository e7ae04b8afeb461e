/// flagd's `fractional`: a text's hash decides among weighted variants, so that one client always gets the same one and
/// all clients together divide by the weights.
enum Fractional {
    /// Of all weights together (flagd, high-precision fractional bucketing).
    static let maximumTotal = Int(Int32.max)

    /// The index of the text's bucket: `hash × total / 2^32`, counted along the weights. Nil: no weight, or too much.
    ///
    /// Weights 25 and 75 and a hash of 0x4000_0000, a quarter of 2^32: 25, the first of the second bucket.
    /// - Parameter weights: negative ones count as zero.
    static func bucket(of text: String, weights: [Int]) -> Int? {
        bucket(ofHash: Murmur3.hash32(Array(text.utf8).span), weights: weights)
    }

    static func bucket(ofHash hash: UInt32, weights: [Int]) -> Int? {
        var total = 0
        for weight in weights {
            total += min(max(0, weight), maximumTotal)
            guard total <= maximumTotal else { return nil }
        }
        guard total > 0 else { return nil }
        let position = Int((UInt64(hash) * UInt64(total)) >> 32)
        var end = 0
        return weights.firstIndex { weight in
            end += max(0, weight)
            return position < end
        }
    }
}
