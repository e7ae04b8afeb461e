/// GIF (87a, 89a): header, screen descriptor, colour table, then extensions (`21`) and images (`2c`), whose data are blocks of
/// `length:u8 data` up to a length of 0; `3b` ends the file.
package enum GIFStructure {
    package static func isWhole(_ bytes: [UInt8]) -> Bool {
        guard bytes.count > 13 else { return false }
        var offset = 13 + colourTableBytes(bytes[10])
        var hasImage = false
        while offset < bytes.count {
            switch bytes[offset] {
            case 0x3b: return hasImage
            case 0x21: offset += 2
            case 0x2c:
                guard bytes.count - offset > 10 else { return false }
                offset += 10 + colourTableBytes(bytes[offset + 9]) + 1  // and the LZW code size
                hasImage = true
            default: return false
            }
            guard skipBlocks(bytes, &offset) else { return false }
        }
        return false
    }

    /// Bit 7 says whether there is one, bits 0–2 its size: 2^(n+1) colours of three bytes.
    private static func colourTableBytes(_ flags: UInt8) -> Int {
        flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1)
    }

    /// False: cut short.
    private static func skipBlocks(_ bytes: [UInt8], _ offset: inout Int) -> Bool {
        while offset < bytes.count {
            let length = Int(bytes[offset])
            offset += 1 + length
            if length == 0 { return true }
        }
        return false
    }
}
