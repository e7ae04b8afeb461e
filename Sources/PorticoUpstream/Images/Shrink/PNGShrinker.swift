/// Makes a PNG smaller without changing a pixel: filters chosen anew, deflated as hard as zlib can.
///
/// Everything but `IDAT` stays as it was, in its order. Interlaced and animated pictures are left alone: their rows lie
/// otherwise, and there are few of them.
package enum PNGShrinker {
    /// Of the rows in memory; larger pictures are left alone.
    private static let limitBytes = 64 << 20

    /// Nil: it cannot be made smaller.
    package static func shrink(_ picture: [UInt8]) -> [UInt8]? {
        guard let source = Source(picture), let rows = source.rows() else { return nil }
        var best: [UInt8]?
        for filtered in [rows.filteredByDifferences()] + PNGFilter.allCases.map(rows.filtered(by:)) {
            for strategy in HardDeflate.Strategy.allCases {
                guard let packed = HardDeflate.compress(filtered, strategy) else { continue }
                if packed.count < best?.count ?? source.data.count { best = packed }
            }
        }
        guard let best else { return nil }
        let result = source.head + PNGStructure.chunk(PNGStructure.Name.data, best) + source.tail
        // Not a byte of a pixel may differ, whatever was done above.
        guard result.count < picture.count, let again = Source(result), again.rows() == rows else {
            return nil
        }
        return result
    }

    /// A whole PNG, taken apart.
    private struct Source {
        /// Signature and chunks before the data.
        private(set) var head: [UInt8]
        /// Of all `IDAT` together: a zlib stream.
        private(set) var data: [UInt8] = []
        private(set) var tail: [UInt8] = []
        private let rowBytes: Int
        private let pixelBytes: Int
        private let height: Int

        /// Nil: not one that can be shrunk.
        init?(_ picture: [UInt8]) {
            let bytes = picture.span
            guard PNGStructure.isSignature(bytes), let facts = try? PNGStructure.facts(bytes),
                facts.frames == 1
            else { return nil }
            var cursor = ImageCursor(.png, PNGStructure.signature.count..<bytes.count)
            head = PNGStructure.signature
            var header: Range<Int>?
            while cursor.left > 0 {
                let start = cursor.offset
                guard let chunk = try? PNGStructure.chunk(&cursor, bytes) else { return nil }
                let whole = picture[start..<cursor.offset]
                switch chunk.type {
                case PNGStructure.Name.animation: return nil
                case PNGStructure.Name.data: data += picture[chunk.data]
                case _ where data.isEmpty: head += whole
                default: tail += whole
                }
                if chunk.type == PNGStructure.Name.header { header = chunk.data }
                if chunk.type == PNGStructure.Name.end { break }
            }
            guard let header, let samples = Self.samples(colour: picture[header.lowerBound + 9]),
                picture[header.lowerBound + 12] == 0
            else { return nil }
            let bits = samples * Int(picture[header.lowerBound + 8])
            rowBytes = (facts.width * bits + 7) / 8
            pixelBytes = max(1, bits / 8)
            height = facts.height
            guard height <= PNGShrinker.limitBytes / (rowBytes + 1) else { return nil }
        }

        /// Nil: the stream is broken, or not as long as the picture.
        func rows() -> PNGRows? {
            Deflate.decompress(data, length: (rowBytes + 1) * height).flatMap {
                PNGRows(filtered: $0, rowBytes: rowBytes, pixelBytes: pixelBytes)
            }
        }

        /// Of a pixel (table 11.1).
        private static func samples(colour: UInt8) -> Int? {
            switch colour {
            case 0, 3: 1
            case 2: 3
            case 4: 2
            case 6: 4
            default: nil
            }
        }
    }
}
