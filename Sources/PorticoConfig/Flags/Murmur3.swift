/// MurmurHash3_x86_32 (Austin Appleby, public domain; smhasher, MurmurHash3.cpp): what flagd puts clients into buckets
/// with. The bytes are taken four at a time, little endian, each block mixed into the hash; then the rest of one to
/// three bytes, the length, and a final avalanche.
enum Murmur3 {
    static func hash32(_ bytes: Span<UInt8>, seed: UInt32 = 0) -> UInt32 {
        var hash = seed
        var offset = 0
        while offset + 4 <= bytes.count {
            hash ^= scrambled(word(bytes, at: offset, count: 4))
            hash = (hash << 13 | hash >> 19) &* 5 &+ 0xe654_6b64
            offset += 4
        }
        if offset < bytes.count {
            hash ^= scrambled(word(bytes, at: offset, count: bytes.count - offset))
        }
        return avalanche(hash ^ UInt32(truncatingIfNeeded: bytes.count))
    }

    private static func word(_ bytes: Span<UInt8>, at offset: Int, count: Int) -> UInt32 {
        (0..<count).reduce(0) { $0 | UInt32(bytes[offset + $1]) << UInt32(8 * $1) }
    }

    private static func scrambled(_ block: UInt32) -> UInt32 {
        let mixed = block &* 0xcc9e_2d51
        return (mixed << 15 | mixed >> 17) &* 0x1b87_3593
    }

    private static func avalanche(_ value: UInt32) -> UInt32 {
        var hash = value
        hash = (hash ^ hash >> 16) &* 0x85eb_ca6b
        hash = (hash ^ hash >> 13) &* 0xc2b2_ae35
        return hash ^ hash >> 16
    }
}
