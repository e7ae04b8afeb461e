internal import Synchronization

/// Random numbers without a lock: SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators",
/// OOPSLA 2014), whose state is a counter that any thread may advance.
final class RollSequence: Sendable {
    private let state: Atomic<UInt64>

    init(seed: UInt64 = .random(in: .min ... .max)) { state = Atomic(seed) }

    /// At least 0, below 1.
    func next() -> Double {
        var bits = state.wrappingAdd(0x9e37_79b9_7f4a_7c15, ordering: .relaxed).newValue
        bits = (bits ^ bits >> 30) &* 0xbf58_476d_1ce4_e5b9
        bits = (bits ^ bits >> 27) &* 0x94d0_49bb_1331_11eb
        bits ^= bits >> 31
        // The 53 bits of a Double's significand.
        return Double(bits >> 11) * 0x1p-53
    }
}
