/// SHA-256 (FIPS 180-4): names that cannot be made to collide, and content hashes.
package enum SHA256 {
    /// The first 32 bits of the fractional parts of the `root`-th roots of the first primes (sections 4.2.2, 5.3.3).
    ///
    /// floor(p^(1/n) · 2^32) is the integer n-th root of p · 2^(32·n), its low 32 bits are the fraction.
    private static func fractions(count: Int, root: Int) -> [UInt32] {
        primes(count).map { prime in
            let scaled = UInt128(prime) << (32 * root)
            var (low, high) = (UInt128(0), UInt128(1) << 41)  // p < 2^9, so that every root is below 2^(32+9)
            while high - low > 1 {
                let middle = (low + high) / 2
                let power = (1..<root).reduce(middle) { product, _ in product * middle }
                if power <= scaled { low = middle } else { high = middle }
            }
            return UInt32(truncatingIfNeeded: low)
        }
    }

    private static func primes(_ count: Int) -> [Int] {
        var found: [Int] = []
        var candidate = 2
        while found.count < count {
            if !found.contains(where: { candidate.isMultiple(of: $0) }) { found.append(candidate) }
            candidate += 1
        }
        return found
    }

    private static let roundConstants = fractions(count: 64, root: 3)
    private static let initialState = fractions(count: 8, root: 2)

    /// 32 bytes.
    package static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var state = initialState
        let whole = bytes.count / 64 * 64
        var block = 0
        while block < whole {
            compress(&state, bytes, at: block)
            block += 64
        }
        var tail = Array(bytes[whole...]) + [0x80]
        tail += [UInt8](repeating: 0, count: (120 - tail.count) % 64)
        let bits = UInt64(bytes.count) * 8
        tail += (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * $0)) }
        for start in stride(from: 0, to: tail.count, by: 64) { compress(&state, tail, at: start) }
        return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) } }
    }

    /// The first 128 bits as 32 hex digits.
    package static func name(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        let text = hash(bytes).prefix(16).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return String(decoding: text, as: UTF8.self)
    }

    private static func compress(_ state: inout [UInt32], _ bytes: [UInt8], at start: Int) {
        var words = [UInt32](repeating: 0, count: 64)
        for index in 0..<16 {
            words[index] = (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(bytes[start + 4 * index + $1]) }
        }
        for index in 16..<64 {
            let (older, newer) = (words[index - 15], words[index - 2])
            let small0 = rotated(older, 7) ^ rotated(older, 18) ^ older >> 3
            let small1 = rotated(newer, 17) ^ rotated(newer, 19) ^ newer >> 10
            words[index] = words[index - 16] &+ small0 &+ words[index - 7] &+ small1
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        let constants = roundConstants
        for index in 0..<64 {
            let big1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
            let first = h &+ big1 &+ ((e & f) ^ (~e & g)) &+ constants[index] &+ words[index]
            let big0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
            let second = big0 &+ ((a & b) ^ (a & c) ^ (b & c))
            (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
        }
        for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
    }

    private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
        word >> count | word << (32 - count)
    }
}
