import PorticoSchema
import Testing

@testable import PorticoTranscode

struct NumberKindTests {
    private static let integers: [Int64] = [
        .min, -(1 << 53) - 1, -256, -2, -1, 0, 1, 2, 255, (1 << 53) + 1, .max,
    ]
    private static let reals: [Double] = [
        -.infinity, -.greatestFiniteMagnitude, -2, -1, -0.5, -.leastNonzeroMagnitude, 0,
        .leastNonzeroMagnitude, 0.5, 1,
        2, .greatestFiniteMagnitude, .infinity, .nan,
    ]

    @Test func signedRanksOrderAsTheNumbersAndComeBack() {
        let ranks = Self.integers.map { NumberKind.rank(signed: $0) }
        #expect(ranks == ranks.sorted())
        #expect(ranks.map { NumberKind.signed($0) } == Self.integers)
    }

    @Test func realRanksOrderAsTheNumbersWithNaNLastAndComeBack() {
        let ranks = Self.reals.map { NumberKind.rank(real: $0) }
        #expect(ranks == ranks.sorted())
        #expect(Set(ranks).count == ranks.count)
        #expect(ranks.map { NumberKind.real($0).bitPattern } == Self.reals.map { $0.bitPattern })
    }

    @Test func equalNumbersHaveEqualRanks() {
        #expect(NumberKind.rank(real: -0.0) == NumberKind.rank(real: 0))
        #expect(NumberKind.rank(real: -.nan) == NumberKind.rank(real: .nan))
        #expect(NumberKind.rank(real: .signalingNaN) == NumberKind.rank(real: .nan))
    }

    @Test func zeroHasTheZeroRankOfItsKind() {
        #expect(NumberKind.signed.zeroRank == NumberKind.rank(signed: 0))
        #expect(NumberKind.real.zeroRank == NumberKind.rank(real: 0))
        #expect(NumberKind.unsigned.zeroRank == 0)
    }

    @Test(arguments: [
        (Number.real(2.5), NumberPosition.after(NumberKind.rank(signed: 2))),
        (.real(-2.5), .after(NumberKind.rank(signed: -3))),
        (.real(-0.5), .after(NumberKind.rank(signed: -1))),
        (.real(7), .at(NumberKind.rank(signed: 7))), (.real(1e19), .above), (.real(-1e19), .below),
        (.real(0x1p63), .above), (.real(-0x1p63), .at(NumberKind.rank(signed: .min))),
        (.real(.nan), .nowhere),
        (.real(.infinity), .above), (.unsigned(.max), .above),
        (.unsigned(3), .at(NumberKind.rank(signed: 3))),
    ])
    func numbersFindTheirPlaceAmongSignedOnes(number: Number, position: NumberPosition) {
        #expect(NumberPosition(number, among: .signed) == position)
    }

    @Test(arguments: [
        (Number.real(2.5), NumberPosition.after(2)), (.real(-0.5), .below), (.real(-0.0), .at(0)),
        (.real(0x1p64), .above), (.real(0x1p63), .at(1 << 63)), (.signed(-1), .below),
        (.signed(.max), .at(1 << 63 - 1)),
    ])
    func numbersFindTheirPlaceAmongUnsignedOnes(number: Number, position: NumberPosition) {
        #expect(NumberPosition(number, among: .unsigned) == position)
    }

    @Test(arguments: [
        (Number.signed((1 << 53) + 1), NumberPosition.after(NumberKind.rank(real: 0x1p53))),
        (.signed(.max), .after(NumberKind.rank(real: (0x1p63).nextDown))),
        (.unsigned(.max), .after(NumberKind.rank(real: (0x1p64).nextDown))),
        (.signed(-(1 << 53) - 1), .after(NumberKind.rank(real: (-0x1p53).nextDown))),
        (.signed(-3), .at(NumberKind.rank(real: -3))), (.real(0.1), .at(NumberKind.rank(real: 0.1))),
    ])
    func numbersFindTheirPlaceAmongRealOnes(number: Number, position: NumberPosition) {
        #expect(NumberPosition(number, among: .real) == position)
    }
}
