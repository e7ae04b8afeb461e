import PorticoUpstream
import Testing

@Suite struct BMPStructureTests {
    private func facts(_ bytes: [UInt8]) throws -> ImageFacts {
        try ImageInspector.inspect(
            bytes.span, within: ImageLimits(pixels: 1000, frames: 1, allowsSVG: false))
    }

    private static let row: [UInt8] = [5, 1, 0, 0]
    private static let literal: [UInt8] = [0, 3, 1, 2, 3, 0]
    private static let move: [UInt8] = [0, 2, 1, 1]

    @Test(arguments: [
        (UInt8(1), UInt8(8), row + literal + move), (2, 4, row + [0, 5, 0x12, 0x34, 0x50, 0]), (1, 8, []),
    ])
    func runsAreWalkedToTheirEndMark(compression: UInt8, bits: UInt8, runs: [UInt8]) throws {
        let whole = Pictures.bmp(
            compression: compression, bits: bits, width: 5, height: 2, pixels: runs + [0, 1])
        #expect(try facts(whole) == ImageFacts(format: .bmp, width: 5, height: 2))
        let open = Pictures.bmp(compression: compression, bits: bits, width: 5, height: 2, pixels: runs)
        #expect(throws: ImageFault.cutShort(.bmp, atByte: open.count)) { try facts(open) }
    }

    @Test func theUpperRowMayComeFirst() throws {
        let bytes = Pictures.bmp(
            compression: 0, bits: 32, width: 1, height: -3, pixels: [UInt8](repeating: 0, count: 12))
        #expect(try facts(bytes) == ImageFacts(format: .bmp, width: 1, height: 3))
    }

    /// Compression 4 and 5 are a JPEG and a PNG inside.
    @Test(arguments: [
        (UInt8(0), UInt8(3), Int8(2)), (0, 8, 0), (1, 24, 2), (1, 8, -2), (2, 8, 2), (4, 24, 2), (5, 24, 2),
        (9, 24, 2),
    ])
    func headersThatNoPictureHasAreRefused(compression: UInt8, bits: UInt8, height: Int8) {
        let bytes = Pictures.bmp(
            compression: compression, bits: bits, width: 2, height: height,
            pixels: [UInt8](repeating: 0, count: 64) + [0, 1])
        #expect(throws: ImageFault.self) { try facts(bytes) }
    }

    @Test func theOldestHeaderIsRead() throws {
        let header: [UInt8] = [12, 0, 0, 0, 3, 0, 1, 0, 1, 0, 1, 0]
        let bytes =
            Array("BM".utf8) + [36, 0, 0, 0, 0, 0, 0, 0, 32, 0, 0, 0] + header
            + [0, 0, 0, 255, 255, 255, 0b1010_0000, 0, 0, 0]
        #expect(try facts(bytes) == ImageFacts(format: .bmp, width: 3, height: 1))
    }
}
