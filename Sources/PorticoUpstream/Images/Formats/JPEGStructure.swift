/// JPEG (ITU T.81, annex B): markers `ff xx`, most with a `length:u16` that counts itself; after a scan's header come
/// entropy-coded bytes up to the next real marker (`ff 00` is data, `ff d0`–`ff d7` are restarts); `ff d9` ends the image.
/// A frame's header is `length:u16 precision:u8 height:u16 width:u16 components:u8`, then three bytes a component.
package enum JPEGStructure {
    static func facts(_ bytes: Span<UInt8>) throws(ImageFault) -> ImageFacts {
        var cursor = ImageCursor(.jpeg, 2..<bytes.count)
        var facts: ImageFacts?
        var hasScan = false
        while true {
            let marker = try nextMarker(&cursor, bytes)
            switch marker {
            case 0xd9:
                guard let facts, hasScan else { throw cursor.broken(.order) }
                return facts
            case 0x01, 0xd0...0xd7: continue  // stand alone
            case 0x00, 0xd8: throw cursor.broken(.marker)
            case _ where isFrame(marker):
                guard facts == nil else { throw cursor.broken(.order) }
                facts = try frame(segment(&cursor, bytes), bytes)
            case 0xda:
                guard facts != nil else { throw cursor.broken(.order) }
                _ = try segment(&cursor, bytes)
                hasScan = true
                try skipEntropyCodedBytes(&cursor, bytes)
            default: _ = try segment(&cursor, bytes)
            }
        }
    }

    /// SOF0–SOF15, without DHT (c4), JPG (c8) and DAC (cc).
    private static func isFrame(_ marker: UInt8) -> Bool {
        (0xc0...0xcf).contains(marker) && ![0xc4, 0xc8, 0xcc].contains(marker)
    }

    private static func segment(
        _ cursor: inout ImageCursor, _ bytes: Span<UInt8>
    ) throws(ImageFault) -> Range<Int> {
        let length = try cursor.bigEndian(2, in: bytes)
        guard length >= 2 else { throw cursor.broken(.length) }
        return try cursor.part(length - 2)
    }

    /// A height of 0 would be told after the first scan, which no phone's decoder understands.
    private static func frame(
        _ segment: Range<Int>, _ bytes: Span<UInt8>
    ) throws(ImageFault) -> ImageFacts {
        var header = ImageCursor(.jpeg, segment)
        try header.part(1)
        let height = try header.bigEndian(2, in: bytes)
        let width = try header.bigEndian(2, in: bytes)
        let components = Int(try header.byte(in: bytes))
        guard (1...4).contains(components), header.left == 3 * components else {
            throw header.broken(.length)
        }
        return ImageFacts(format: .jpeg, width: width, height: height)
    }

    /// Any number of `ff` may stand before a marker's second byte.
    private static func nextMarker(
        _ cursor: inout ImageCursor, _ bytes: Span<UInt8>
    ) throws(ImageFault) -> UInt8 {
        guard try cursor.byte(in: bytes) == 0xff else { throw cursor.broken(.marker) }
        while true {
            let byte = try cursor.byte(in: bytes)
            if byte != 0xff { return byte }
        }
    }

    private static func skipEntropyCodedBytes(
        _ cursor: inout ImageCursor, _ bytes: Span<UInt8>
    ) throws(ImageFault) {
        var offset = cursor.offset
        while offset + 1 < bytes.count {
            let next = bytes[offset + 1]
            if bytes[offset] == 0xff, next != 0, !(0xd0...0xd7).contains(next) { break }
            offset += 1
        }
        guard offset + 1 < bytes.count else { throw cursor.cutShort }
        try cursor.part(offset - cursor.offset)
    }
}
