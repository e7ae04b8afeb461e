import PorticoUpstream
import TestSupport
import Testing

@Suite struct PNGShrinkerTests {
    /// A picture of `height` rows, unfiltered and hardly deflated, as careless programs write them.
    private func picture(
        bits: UInt8, colour: UInt8, interlace: UInt8 = 0, width: Int, rows: [[UInt8]], extra: [UInt8] = []
    ) -> [UInt8] {
        var header: [UInt8] = []
        header.append(bigEndian: UInt64(width), bytes: 4)
        header.append(bigEndian: UInt64(rows.count), bytes: 4)
        header += [bits, colour, 0, 0, interlace]
        let data = Deflate.compress(rows.flatMap { [0] + $0 }, limitBytes: 1 << 20) ?? []
        let half = data.count / 2
        return PNGStructure.signature + PNGStructure.chunk(PNGStructure.Name.header, header) + extra
            + PNGStructure.chunk(PNGStructure.Name.data, Array(data[..<half]))
            + PNGStructure.chunk(PNGStructure.Name.data, Array(data[half...]))
            + PNGStructure.chunk(0x7445_5874, Array("Comment\0kept".utf8))
            + PNGStructure.chunk(PNGStructure.Name.end, [])
    }

    /// Slow waves with a little noise: what filters are good at.
    private func gradient(_ width: Int, _ height: Int, bytes: Int) -> [[UInt8]] {
        var dice = SeededGenerator(seed: 3)
        return (0..<height).map { y in
            (0..<width * bytes).map { x in
                UInt8(
                    truncatingIfNeeded: 3 * x / bytes + 2 * y + x * y / 64
                        + Int.random(in: 0...1, using: &dice))
            }
        }
    }

    private func inspect(_ bytes: [UInt8]) throws -> ImageFacts {
        try ImageInspector.inspect(
            bytes.span, within: ImageLimits(pixels: 1 << 20, frames: 1, allowsSVG: false))
    }

    @Test(arguments: [(8, 0, 1), (16, 0, 2), (8, 2, 3), (16, 2, 6), (8, 4, 2), (8, 6, 4), (16, 6, 8)])
    func aCarelessPictureBecomesSmallerAndStaysTheSame(bits: UInt8, colour: UInt8, bytes: Int) throws {
        let rows = gradient(40, 30, bytes: bytes)
        let careless = picture(bits: bits, colour: colour, width: 40, rows: rows)
        let small = try #require(PNGShrinker.shrink(careless))
        #expect(small.count < careless.count * 9 / 10)
        #expect(try inspect(small) == (try inspect(careless)))
        #expect(try PNGPixels.rows(of: small) == rows)
        #expect(small.contains(sequence: Array("Comment\0kept".utf8)))
    }

    @Test func whatIsSmallAlreadyIsLeftAlone() throws {
        let once = try #require(
            PNGShrinker.shrink(picture(bits: 8, colour: 0, width: 40, rows: gradient(40, 30, bytes: 1))))
        #expect(PNGShrinker.shrink(once) == nil)
    }

    @Test func bitsOfLessThanAByteAreKept() throws {
        let rows = (0..<32).map { y in (0..<16).map { x in UInt8(truncatingIfNeeded: x * 17 + y * 5) } }
        let careless = picture(bits: 1, colour: 0, width: 125, rows: rows)
        if let small = PNGShrinker.shrink(careless) { #expect(try PNGPixels.rows(of: small) == rows) }
    }

    @Test func interlacedAnimatedAndBrokenPicturesAreLeftAlone() throws {
        let rows = gradient(8, 8, bytes: 1)
        #expect(PNGShrinker.shrink(picture(bits: 8, colour: 0, interlace: 1, width: 8, rows: rows)) == nil)
        let animation = PNGStructure.chunk(0x6163_544c, [0, 0, 0, 1, 0, 0, 0, 0])
        #expect(
            PNGShrinker.shrink(picture(bits: 8, colour: 0, width: 8, rows: rows, extra: animation)) == nil)
        // More rows than the header says, fewer, and a filter that does not exist.
        #expect(PNGShrinker.shrink(picture(bits: 8, colour: 0, width: 9, rows: rows)) == nil)
        #expect(PNGShrinker.shrink(picture(bits: 8, colour: 0, width: 7, rows: rows)) == nil)
        #expect(PNGShrinker.shrink(Pictures.jpeg) == nil)
        #expect(PNGShrinker.shrink([]) == nil)
    }
}

extension [UInt8] {
    fileprivate func contains(sequence: [UInt8]) -> Bool {
        indices.contains { self[$0...].starts(with: sequence) }
    }
}

/// A second, naive reader of unfiltered rows, by the text of the standard.
private enum PNGPixels {
    static func rows(of picture: [UInt8]) throws -> [[UInt8]] {
        var (offset, data, header) = (8, [UInt8](), [UInt8]())
        while offset < picture.count {
            let length = Int(picture.bigEndian(at: offset, bytes: 4))
            let type = String(decoding: picture[offset + 4..<offset + 8], as: UTF8.self)
            let content = Array(picture[offset + 8..<offset + 8 + length])
            if type == "IDAT" { data += content }
            if type == "IHDR" { header = content }
            offset += 12 + length
        }
        let samples = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][Int(header[9])] ?? 1
        let (width, height) = (Int(header.bigEndian(at: 0, bytes: 4)), Int(header.bigEndian(at: 4, bytes: 4)))
        let bits = samples * Int(header[8])
        let rowBytes = (width * bits + 7) / 8
        let step = max(1, bits / 8)
        let plain = try #require(Deflate.decompress(data, length: (rowBytes + 1) * height))
        var rows: [[UInt8]] = []
        for y in 0..<height {
            var row = Array(plain[y * (rowBytes + 1) + 1..<(y + 1) * (rowBytes + 1)])
            for x in row.indices {
                let a = x >= step ? Int(row[x - step]) : 0
                let b = y > 0 ? Int(rows[y - 1][x]) : 0
                let c = x >= step && y > 0 ? Int(rows[y - 1][x - step]) : 0
                let p = a + b - c
                let nearest = [a, b, c].min { (abs(p - $0)) < abs(p - $1) } ?? 0
                let guess = [0, a, b, (a + b) / 2, nearest][Int(plain[y * (rowBytes + 1)])]
                row[x] = row[x] &+ UInt8(guess)
            }
            rows.append(row)
        }
        return rows
    }
}
