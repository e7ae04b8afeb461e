import TestSupport
import Testing

@testable import PorticoUpstream

@Suite struct ChecksumTests {
    /// The same each time, and nowhere the same twice.
    private func bytes(_ count: Int) -> [UInt8] {
        var dice = SeededGenerator(seed: 5)
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &dice) }
    }

    /// Around the ends of stripes.
    @Test(arguments: [0, 1, 7, 8, 63, 64, 65, 127, 128, 200]) func everyChangedBitChangesIt(count: Int) {
        let plain = bytes(count)
        let sum = Checksum.of(plain.span)
        for index in plain.indices {
            for bit in 0..<8 {
                var changed = plain
                changed[index] ^= 1 << UInt8(bit)
                #expect(Checksum.of(changed.span) != sum, "byte \(index), bit \(bit)")
            }
        }
    }

    @Test func everyLengthOfTheSameByteHasOneOfItsOwn() {
        for byte in [UInt8(0), 0xff] {
            let sums = (0...300).map { Checksum.of([UInt8](repeating: byte, count: $0).span) }
            #expect(Set(sums).count == 301)
        }
    }

    /// Two words, two stripes, two pages.
    @Test(arguments: [8, 64, 4096]) func piecesThatHaveChangedPlacesAreSeen(size: Int) {
        let plain = bytes(4 * size)
        for (first, second) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)] {
            var changed = plain
            for offset in 0..<size { changed.swapAt(first * size + offset, second * size + offset) }
            #expect(Checksum.of(changed.span) != Checksum.of(plain.span))
        }
    }

    @Test func aTornWriteIsSeen() {
        let (old, new) = (bytes(10_000), bytes(20_000).suffix(10_000))
        for cut in stride(from: 512, to: 10_000, by: 512) {
            let torn = Array(new.prefix(cut)) + old.dropFirst(cut)
            #expect(Checksum.of(torn.span) != Checksum.of(Array(new).span))
        }
    }
}
