/// One kept file of bytes, with all that is needed to know whether it is still what was written.
///
/// Big-endian: `magic:"PTC1" checksum:u32 flags:u8 typeLength:u8 keyLength:u16 fetchedAt:i64 length:u32 packed:u32 type key data`.
/// The checksum (CRC-32) covers everything behind it; `flags` bit 0: `data` is deflated, `length` bytes when inflated, `packed` as
/// kept. An entry of key "k", type "t", data "d", fetched at second 1:
/// `50544331 xxxxxxxx 00 01 0001 0000000000000001 00000001 00000001 74 6b 64`.
package struct DiskEntry: Equatable, Sendable {
    package static let headerBytes = 28
    private static let magic = Array("PTC1".utf8)
    private static let isDeflated: UInt8 = 1

    /// How data is kept.
    package enum Packing: Sendable {
        /// Deflated where that saves enough.
        case whereItSaves
        /// Whoever made it has seen to that.
        case asItIs
    }

    package var key: String
    package var contentType: String
    package var fetchedAt: Int64
    package var data: [UInt8]

    package init(key: String, contentType: String, fetchedAt: Int64, data: [UInt8]) {
        self.key = key
        self.contentType = contentType
        self.fetchedAt = fetchedAt
        self.data = data
    }

    /// Nil: key, type or data are longer than the format can say.
    package func encoded(_ packing: Packing = .whereItSaves) -> [UInt8]? {
        let (key, type) = (Array(key.utf8), Array(contentType.utf8))
        guard key.count <= UInt16.max, type.count <= UInt8.max, data.count <= UInt32.max else { return nil }
        let packed =
            switch packing {
            case .whereItSaves: Deflate.worthwhile(data)
            case .asItIs: [UInt8]?.none
            }
        var covered: [UInt8] = [packed == nil ? 0 : Self.isDeflated, UInt8(type.count)]
        covered.append(bigEndian: UInt64(key.count), bytes: 2)
        covered.append(bigEndian: UInt64(bitPattern: fetchedAt), bytes: 8)
        covered.append(bigEndian: UInt64(data.count), bytes: 4)
        covered.append(bigEndian: UInt64((packed ?? data).count), bytes: 4)
        covered += type + key + (packed ?? data)
        var file = Self.magic
        file.append(bigEndian: UInt64(Deflate.checksum(covered[...])), bytes: 4)
        return file + covered
    }

    /// Nil: not such a file, or not as it was written.
    ///
    /// - Parameter limitBytes: of the inflated data; checked before anything is allocated for it.
    package init?(_ file: consuming [UInt8], limitBytes: Int) {
        guard file.count >= Self.headerBytes, file.starts(with: Self.magic),
            file.bigEndian(at: 4, bytes: 4) == UInt64(Deflate.checksum(file[8...]))
        else { return nil }
        let (flags, typeLength) = (file[8], Int(file[9]))
        let keyLength = Int(file.bigEndian(at: 10, bytes: 2))
        let (length, packed) = (Int(file.bigEndian(at: 20, bytes: 4)), Int(file.bigEndian(at: 24, bytes: 4)))
        let keyStart = Self.headerBytes + typeLength
        let dataStart = keyStart + keyLength
        guard dataStart + packed == file.count, length <= limitBytes, flags <= Self.isDeflated,
            let type = String(validating: file[Self.headerBytes..<keyStart], as: UTF8.self),
            let key = String(validating: file[keyStart..<dataStart], as: UTF8.self)
        else { return nil }
        let fetchedAt = Int64(bitPattern: file.bigEndian(at: 12, bytes: 8))
        // In place: files are large, and their storage is nobody else's.
        file.removeFirst(dataStart)
        guard let data = flags == Self.isDeflated ? Deflate.decompress(file, length: length) : file,
            data.count == length
        else { return nil }
        self.init(key: key, contentType: type, fetchedAt: fetchedAt, data: data)
    }
}

extension [UInt8] {
    package mutating func append(bigEndian value: UInt64, bytes: Int) {
        for shift in stride(from: 8 * (bytes - 1), through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
        }
    }

    /// The caller has checked that they are there.
    package func bigEndian(at offset: Int, bytes: Int) -> UInt64 {
        self[offset..<offset + bytes].reduce(0) { $0 << 8 | UInt64($1) }
    }
}
