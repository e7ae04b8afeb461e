/// JPEG (ITU T.81, annex B): markers `ff xx`, most with a `length:u16` that counts itself; after a scan's header come
/// entropy-coded bytes up to the next real marker (`ff 00` is data, `ff d0`–`ff d7` are restarts); `ff d9` ends the image.
package enum JPEGStructure {
    package static func isWhole(_ bytes: [UInt8]) -> Bool {
        guard bytes.starts(with: [0xff, 0xd8]) else { return false }
        var offset = 2
        var (hasFrame, hasScan) = (false, false)
        while let marker = nextMarker(bytes, &offset) {
            switch marker {
            case 0xd9: return hasFrame && hasScan
            case 0x01, 0xd0...0xd7: continue  // stand alone
            case 0xd8, 0x00: return false
            default:
                guard bytes.count - offset >= 2 else { return false }
                let length = Int(bytes.bigEndian(at: offset, bytes: 2))
                guard length >= 2, length <= bytes.count - offset else { return false }
                offset += length
            }
            if isFrame(marker) { hasFrame = true }
            if marker == 0xda {
                hasScan = true
                skipEntropyCodedBytes(bytes, &offset)
            }
        }
        return false
    }

    /// SOF0–SOF15, without DHT (c4), JPG (c8) and DAC (cc).
    private static func isFrame(_ marker: UInt8) -> Bool {
        (0xc0...0xcf).contains(marker) && ![0xc4, 0xc8, 0xcc].contains(marker)
    }

    /// Any number of `ff` may stand before a marker's second byte. Nil: no marker here.
    private static func nextMarker(_ bytes: [UInt8], _ offset: inout Int) -> UInt8? {
        guard offset < bytes.count, bytes[offset] == 0xff else { return nil }
        while offset < bytes.count, bytes[offset] == 0xff { offset += 1 }
        guard offset < bytes.count else { return nil }
        defer { offset += 1 }
        return bytes[offset]
    }

    private static func skipEntropyCodedBytes(_ bytes: [UInt8], _ offset: inout Int) {
        while offset + 1 < bytes.count {
            let next = bytes[offset + 1]
            if bytes[offset] == 0xff, next != 0, !(0xd0...0xd7).contains(next) { return }
            offset += 1
        }
    }
}
