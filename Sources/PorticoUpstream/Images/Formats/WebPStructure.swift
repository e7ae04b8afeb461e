/// WebP (RFC 9649): `"RIFF" size:u32 "WEBP"`, then chunks `type:u32 size:u32 data`, little-endian, padded to even sizes.
///
/// The size stands in the first chunk: in `VP8X` behind four bytes of flags as `width-1:u24 height-1:u24`; in `VP8L` behind
/// `2f` as 14 bits each, less one; in `VP8 ` (RFC 6386, section 9.1) behind a tag and `9d 01 2a` as `u16` each, 14 bits of it.
package enum WebPStructure {
    static func facts(_ bytes: Span<UInt8>) throws(ImageFault) -> ImageFacts {
        var file = ImageCursor(.webp, 4..<bytes.count)
        let size = try file.littleEndian(4, in: bytes)
        var cursor = ImageCursor(.webp, 12..<12 + max(0, size - 4))
        guard size >= 4, cursor.end <= bytes.count else { throw file.cutShort }
        var facts: ImageFacts?
        var (stills, frames) = (0, 0)
        while cursor.left > 0 {
            let name = try cursor.part(4).lowerBound
            let length = try cursor.littleEndian(4, in: bytes)
            let data = try cursor.part(length)
            if length % 2 == 1 { try cursor.part(min(1, cursor.left)) }
            let isStill = bytes.has("VP8 ", at: name) || bytes.has("VP8L", at: name)
            // A canvas must not promise less than the picture in it holds.
            if facts == nil || isStill && length > 0 {
                let found = try dimensions(name, data, bytes)
                facts = facts?.enlarged(to: found) ?? found
            }
            if isStill, length > 0 { stills += 1 }
            if bytes.has("ANMF", at: name), length > 0 { frames += 1 }
        }
        guard var facts, stills + frames > 0 else { throw cursor.broken(.order) }
        facts.frames = max(1, frames)
        return facts
    }

    private static func dimensions(
        _ name: Int, _ range: Range<Int>, _ bytes: Span<UInt8>
    ) throws(ImageFault) -> ImageFacts {
        var data = ImageCursor(.webp, range)
        if bytes.has("VP8X", at: name) {
            try data.part(4)
            return ImageFacts(
                format: .webp, width: 1 + (try data.littleEndian(3, in: bytes)),
                height: 1 + (try data.littleEndian(3, in: bytes)))
        }
        if bytes.has("VP8L", at: name) {
            guard try data.byte(in: bytes) == 0x2f else { throw data.broken(.header) }
            let bits = try data.littleEndian(4, in: bytes)
            return ImageFacts(format: .webp, width: 1 + bits & 0x3fff, height: 1 + bits >> 14 & 0x3fff)
        }
        guard bytes.has("VP8 ", at: name) else { throw data.broken(.order) }
        try data.part(3)
        guard try data.bigEndian(3, in: bytes) == 0x9d012a else { throw data.broken(.header) }
        return ImageFacts(
            format: .webp, width: try data.littleEndian(2, in: bytes) & 0x3fff,
            height: try data.littleEndian(2, in: bytes) & 0x3fff)
    }
}
