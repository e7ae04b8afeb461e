import Testing

@testable import PorticoUpstream

@Suite struct RollSequenceTests {
    @Test func rollsLieEvenlyBetweenZeroAndOne() {
        let sequence = RollSequence(seed: 7)
        var tenths = [Int](repeating: 0, count: 10)
        for _ in 0..<100_000 {
            let roll = sequence.next()
            #expect(roll >= 0 && roll < 1)
            tenths[Int(roll * 10)] += 1
        }
        #expect(tenths.allSatisfy { (9_500...10_500).contains($0) })
    }

    /// Computed by the published definition: state 0, the first three outputs.
    @Test func itIsSplitMix64() {
        let sequence = RollSequence(seed: 0)
        let expected: [UInt64] = [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4, 0x06c4_5d18_8009_454f]
        #expect(expected.map { Double($0 >> 11) * 0x1p-53 } == (0..<3).map { _ in sequence.next() })
    }
}
