/// Writes PNG chunks (see ``PNGStructure``).
extension PNGStructure {
    /// An 8-bit grey picture of one shade: what the placeholder is made of.
    package static func plain(width: Int, height: Int, shade: UInt8) -> [UInt8] {
        let row = [0] + [UInt8](repeating: shade, count: width)  // filter 0: none
        let rows = [[UInt8]](repeating: row, count: height).flatMap { $0 }
        let packed = Deflate.compress(rows, limitBytes: rows.count + 64)
        return signature + header(width: width, height: height) + chunk(Name.data, packed ?? [])
            + chunk(Name.end, [])
    }

    /// `IHDR` of an 8-bit grey picture.
    package static func header(width: Int, height: Int) -> [UInt8] {
        var data: [UInt8] = []
        data.append(bigEndian: UInt64(width), bytes: 4)
        data.append(bigEndian: UInt64(height), bytes: 4)
        // Bits, grey, deflate, the one filter method, no interlace.
        return chunk(Name.header, data + [8, 0, 0, 0, 0])
    }

    package static func chunk(_ type: UInt32, _ data: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(data.count + 12)
        bytes.append(bigEndian: UInt64(data.count), bytes: 4)
        bytes.append(bigEndian: UInt64(type), bytes: 4)
        bytes += data
        bytes.append(bigEndian: UInt64(Deflate.checksum(bytes[4...])), bytes: 4)
        return bytes
    }
}
