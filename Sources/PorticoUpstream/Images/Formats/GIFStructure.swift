/// GIF (87a, 89a): header, screen descriptor `width:u16 height:u16 flags:u8 background:u8 aspect:u8`, little-endian, colour
/// table, then extensions (`21 label`) and images (`2c left:u16 top:u16 width:u16 height:u16 flags:u8`, colour table, code
/// size), whose data are blocks of `length:u8 data` up to a length of 0; `3b` ends the file.
package enum GIFStructure {
    static func facts(_ bytes: Span<UInt8>) throws(ImageFault) -> ImageFacts {
        var cursor = ImageCursor(.gif, 6..<bytes.count)
        var facts = ImageFacts(
            format: .gif, width: try cursor.littleEndian(2, in: bytes),
            height: try cursor.littleEndian(2, in: bytes), frames: 0)
        let flags = try cursor.byte(in: bytes)
        try cursor.part(2 + colourTableBytes(flags))
        while true {
            switch try cursor.byte(in: bytes) {
            case 0x3b:
                guard facts.frames > 0 else { throw cursor.broken(.order) }
                return facts
            case 0x21: try cursor.part(1)
            case 0x2c: try image(&cursor, &facts, bytes)
            default: throw cursor.broken(.marker)
            }
            try skipBlocks(&cursor, bytes)
        }
    }

    private static func image(
        _ cursor: inout ImageCursor, _ facts: inout ImageFacts, _ bytes: Span<UInt8>
    ) throws(ImageFault) {
        let left = try cursor.littleEndian(2, in: bytes)
        let top = try cursor.littleEndian(2, in: bytes)
        // Decoders enlarge the canvas for an image that reaches over its edge.
        facts.width = max(facts.width, left + (try cursor.littleEndian(2, in: bytes)))
        facts.height = max(facts.height, top + (try cursor.littleEndian(2, in: bytes)))
        let flags = try cursor.byte(in: bytes)
        try cursor.part(colourTableBytes(flags))
        guard (1...11).contains(try cursor.byte(in: bytes)) else { throw cursor.broken(.header) }
        facts.frames += 1
    }

    /// Bit 7 says whether there is one, bits 0–2 its size: 2^(n+1) colours of three bytes.
    private static func colourTableBytes(_ flags: UInt8) -> Int {
        flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1)
    }

    private static func skipBlocks(_ cursor: inout ImageCursor, _ bytes: Span<UInt8>) throws(ImageFault) {
        while true {
            let length = Int(try cursor.byte(in: bytes))
            if length == 0 { return }
            try cursor.part(length)
        }
    }
}
