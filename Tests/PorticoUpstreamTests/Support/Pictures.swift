import PorticoUpstream

/// Small whole pictures of every format, made byte by byte.
enum Pictures {
    static let png = PNGStructure.plain(width: 3, height: 2, shade: 9)

    /// SOI, APP0, SOF0, SOS, entropy-coded bytes with a stuffed ff and a restart, EOI. It is not decodable, but whole.
    static let jpeg: [UInt8] =
        [0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xc0, 0, 5, 8, 0, 1, 0xff, 0xda, 0, 3, 1]
        + [0x12, 0xff, 0x00, 0x34, 0xff, 0xd0, 0x56, 0xff, 0xd9]

    /// One pixel, two colours, one comment block.
    static let gif: [UInt8] =
        Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255, 0x21, 0xfe, 2, 1, 2, 0]
        + [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3b]

    /// A VP8L chunk of five bytes, padded to six.
    static let webp: [UInt8] =
        Array("RIFF".utf8) + [18, 0, 0, 0] + Array("WEBPVP8L".utf8) + [5, 0, 0, 0, 0x2f, 0, 0, 0, 0, 0]

    static let all: [(ImageFormat, [UInt8])] = [(.png, png), (.jpeg, jpeg), (.gif, gif), (.webp, webp)]
}
