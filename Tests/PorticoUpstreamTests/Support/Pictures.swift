import PorticoUpstream

/// Small whole pictures of every format, made byte by byte.
enum Pictures {
    static let png = PNGStructure.plain(width: 3, height: 2, shade: 9)

    /// SOI, APP0, SOF0 of 2 × 3 pixels and one component, SOS, entropy-coded bytes with a stuffed ff and a restart, EOI. It
    /// is not decodable, but whole.
    static let jpeg: [UInt8] =
        [0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xc0, 0, 11, 8, 0, 3, 0, 2, 1, 1, 0x11, 0]
        + [0xff, 0xda, 0, 3, 1, 0x12, 0xff, 0x00, 0x34, 0xff, 0xd0, 0x56, 0xff, 0xd9]

    /// One pixel, two colours, one comment block.
    static let gif: [UInt8] =
        Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255, 0x21, 0xfe, 2, 1, 2, 0]
        + [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3b]

    /// A VP8L chunk of five bytes, padded to six.
    static let webp: [UInt8] =
        Array("RIFF".utf8) + [18, 0, 0, 0] + Array("WEBPVP8L".utf8) + [5, 0, 0, 0, 0x2f, 0, 0, 0, 0, 0]

    /// Two by two pixels of 24 bits: rows of six bytes, padded to eight.
    static let bmp = bmp(
        compression: 0, bits: 24, width: 2, height: 2, pixels: [UInt8](repeating: 7, count: 16))

    static func bmp(compression: UInt8, bits: UInt8, width: UInt8, height: Int8, pixels: [UInt8]) -> [UInt8] {
        let sign: UInt8 = height < 0 ? 0xff : 0
        let header: [UInt8] =
            [40, 0, 0, 0, width, 0, 0, 0, UInt8(bitPattern: height), sign, sign, sign, 1, 0, bits, 0]
            + [compression, 0, 0, 0] + [UInt8](repeating: 0, count: 20)
        let size = UInt8(14 + header.count + pixels.count)
        return Array("BM".utf8) + [size, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0] + header + pixels
    }

    /// `ftyp`, `meta` with one item of five bytes and its size of 4 × 5, `mdat`.
    static let avif: [UInt8] = heif(brand: "avif")
    static let heic: [UInt8] = heif(brand: "heic")

    static let svg = Array(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!-- a circle -->
        <svg xmlns="http://www.w3.org/2000/svg" width="20" height="10px" viewBox="0 0 20 10">
          <defs><linearGradient id="g"/></defs><style>circle { fill: url(#g) }</style>
          <circle cx='10' cy='5' r='4' fill="url('#g')"/><use href="#g"/>
        </svg>

        """.utf8)

    static func heif(brand: String) -> [UInt8] {
        let head = box("ftyp", Array(brand.utf8) + [0, 0, 0, 0] + Array("mif1".utf8) + Array(brand.utf8))
        let size = box("ispe", [0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 5])
        func meta(offset: UInt8) -> [UInt8] {
            let location: [UInt8] = [0, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0, offset, 0, 0, 0, 5]
            return box(
                "meta",
                [0, 0, 0, 0] + box("iloc", [0, 0, 0, 0, 0x44, 0] + location) + box("iprp", box("ipco", size)))
        }
        let offset = UInt8(head.count + meta(offset: 0).count + 8)
        return head + meta(offset: offset) + box("mdat", [1, 2, 3, 4, 5])
    }

    static func box(_ type: String, _ data: [UInt8]) -> [UInt8] {
        [0, 0, UInt8((data.count + 8) >> 8), UInt8((data.count + 8) & 255)] + Array(type.utf8) + data
    }

    /// Each with what its bytes say about it.
    static let all: [(ImageFacts, [UInt8])] = [
        (ImageFacts(format: .png, width: 3, height: 2), png),
        (ImageFacts(format: .jpeg, width: 2, height: 3), jpeg),
        (ImageFacts(format: .gif, width: 1, height: 1), gif),
        (ImageFacts(format: .webp, width: 1, height: 1), webp),
        (ImageFacts(format: .avif, width: 4, height: 5), avif),
        (ImageFacts(format: .heic, width: 4, height: 5), heic),
        (ImageFacts(format: .bmp, width: 2, height: 2), bmp),
        (ImageFacts(format: .svg, width: 20, height: 10), svg),
    ]
}
