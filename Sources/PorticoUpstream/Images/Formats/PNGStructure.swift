/// PNG (W3C, third edition, section 5): the signature, then chunks of `length:u32 type:u32 data crc:u32`, big-endian.
///
/// `IEND`, the last chunk, is always `00000000 49454e44 ae426082`.
package enum PNGStructure {
    package static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

    package static func isWhole(_ bytes: [UInt8]) -> Bool {
        guard bytes.starts(with: signature) else { return false }
        var offset = signature.count
        var hasData = false
        while bytes.count - offset >= 12 {
            let length = Int(bytes.bigEndian(at: offset, bytes: 4))
            guard length <= bytes.count - offset - 12 else { return false }
            let typeAndData = bytes[offset + 4..<offset + 8 + length]
            let checksum = bytes.bigEndian(at: offset + 8 + length, bytes: 4)
            guard UInt64(Deflate.checksum(typeAndData)) == checksum else { return false }
            let type = String(decoding: typeAndData.prefix(4), as: UTF8.self)
            let isFirst = offset == signature.count
            guard isFirst == (type == "IHDR"), !isFirst || length == 13 else { return false }
            if type == "IDAT" { hasData = true }
            if type == "IEND" { return hasData }
            offset += 12 + length
        }
        return false
    }

    /// An 8-bit grey picture of one shade: what the placeholder is made of.
    package static func plain(width: Int, height: Int, shade: UInt8) -> [UInt8] {
        var header: [UInt8] = []
        header.append(bigEndian: UInt64(width), bytes: 4)
        header.append(bigEndian: UInt64(height), bytes: 4)
        header += [8, 0, 0, 0, 0]  // bits, grey, deflate, the one filter method, no interlace
        let row = [0] + [UInt8](repeating: shade, count: width)  // filter 0: none
        let rows = [[UInt8]](repeating: row, count: height).flatMap { $0 }
        let packed = Deflate.compress(rows, limitBytes: rows.count + 64)
        return signature + chunk("IHDR", header) + chunk("IDAT", packed ?? []) + chunk("IEND", [])
    }

    private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: UInt64(data.count), bytes: 4)
        let covered = Array(type.utf8) + data
        bytes += covered
        bytes.append(bigEndian: UInt64(Deflate.checksum(covered[...])), bytes: 4)
        return bytes
    }
}
