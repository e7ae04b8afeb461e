import TestSupport
import Testing

@testable import PorticoTranscode

@Suite struct BlocksTests {
    @Test func onlyQuotesBackslashesAndControlCharactersEndAText() {
        for byte in 0...255 as ClosedRange<UInt8> {
            let isEnd = byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
            for place in 0..<16 {
                #expect(
                    block(byte, at: place).stringEnds.first == (isEnd ? place : 16), "\(byte) at \(place)")
            }
        }
    }

    @Test func onlyFourBytesAreWhiteSpace() {
        for byte in 0...255 as ClosedRange<UInt8> {
            let isSpace = [0x20, 0x0a, 0x0d, 0x09].contains(byte)
            for place in 0..<16 {
                let first = block(byte, at: place, among: UInt8(ascii: " ")).nonSpaces.first
                #expect(first == (isSpace ? 16 : place), "\(byte) at \(place)")
            }
        }
    }

    @Test func theFirstOfSeveralMarksCounts() {
        for first in 0..<16 {
            for second in first..<16 {
                var bytes = block(UInt8(ascii: "\""), at: first)
                bytes[second] = UInt8(ascii: "\\")
                #expect(bytes.stringEnds.first == first)
            }
        }
    }

    @Test func marksAreTheSameWithoutAnInstructionForThem() {
        var random = SeededGenerator(seed: 16)
        for _ in 0..<1000 {
            let bits = UInt32.random(in: 0...0xffff, using: &random)
            var bytes = SIMD16<Int8>()
            for place in 0..<16 where bits >> UInt32(place) & 1 == 1 { bytes[place] = 1 }
            let mask = bytes .== SIMD16<Int8>(repeating: 1)
            #expect(BlockMarks(mask).bits == bits)
            #expect(BlockMarks.gathered(unsafe unsafeBitCast(mask, to: SIMD16<UInt8>.self)) == bits)
        }
    }

    @Test func aByteBeyondASCIIIsSeenWhereverItStands() {
        #expect(!block(0x7f, at: 0).hasNonASCII)
        for place in 0..<16 { #expect(block(0x80, at: place).hasNonASCII) }
    }

    private func block(
        _ byte: UInt8, at place: Int, among others: UInt8 = UInt8(ascii: "a")
    ) -> SIMD16<UInt8> {
        var bytes = SIMD16<UInt8>(repeating: others)
        bytes[place] = byte
        return bytes
    }
}
