import PorticoUpstream

/// Pictures as large as phones load them, from a fixed seed: whole JPEGs by their structure, noise by their content, so
/// that nothing can be saved by deflating them.
struct PictureSet {
    let pictures: [[UInt8]]
    let names: [String]

    var bytes: Int { pictures.reduce(0) { $0 + $1.count } }

    /// Small enough for both servers' memory.
    static let count = 256

    init() {
        var random = SeededRandom(seed: 7)
        pictures = (0..<Self.count).map { _ in
            Self.picture(bytes: 32_768 + Int(random.next() % 131_072), &random)
        }
        names = pictures.indices.map { "\($0).jpg" }
    }

    private static func picture(bytes: Int, _ random: inout SeededRandom) -> [UInt8] {
        let frame: [UInt8] = [0xff, 0xc0, 0, 11, 8, 4, 0, 4, 0, 1, 1, 0x11, 0]
        var picture: [UInt8] = [0xff, 0xd8] + frame + [0xff, 0xda, 0, 8, 1, 1, 0, 0, 0x3f, 0]
        picture.reserveCapacity(bytes + 2)
        while picture.count < bytes {
            let byte = UInt8(truncatingIfNeeded: random.next() >> 32)
            picture.append(byte == 0xff ? 0xfe : byte)
        }
        return picture + [0xff, 0xd9]
    }
}
