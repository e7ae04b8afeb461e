/// WebP (RFC 9649): `"RIFF" size:u32 "WEBP"`, then chunks `type:u32 size:u32 data`, little-endian, padded to even sizes.
package enum WebPStructure {
    package static func isWhole(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 20 else { return false }
        let end = 8 + littleEndian(bytes, at: 4)
        guard end <= bytes.count else { return false }
        var offset = 12
        var hasPicture = false
        while offset < end {
            guard end - offset >= 8 else { return false }
            let type = String(decoding: bytes[offset..<offset + 4], as: UTF8.self)
            let size = littleEndian(bytes, at: offset + 4)
            guard size <= end - offset - 8 else { return false }
            if offset == 12, !["VP8 ", "VP8L", "VP8X"].contains(type) { return false }
            if ["VP8 ", "VP8L", "ANMF"].contains(type), size > 0 { hasPicture = true }
            offset += 8 + size + size % 2
        }
        return hasPicture
    }

    /// The caller has checked that four bytes are there.
    private static func littleEndian(_ bytes: [UInt8], at offset: Int) -> Int {
        bytes[offset..<offset + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
