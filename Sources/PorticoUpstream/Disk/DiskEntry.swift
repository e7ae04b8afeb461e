/// One kept file of bytes, with all that is needed to know whether it is still what was written.
///
/// `data type key trailer`; the trailer, big-endian: `flags:u8 typeLength:u8 keyLength:u16 fetchedAt:i64 length:u32 packed:u32
/// checksum:u64 magic:"PTC2"`. `flags` bit 0: `data` is deflated, `length` bytes when inflated, `packed` as kept. The
/// ``Checksum`` covers everything in front of it. What is large comes first: cut off behind it, the file read is the data,
/// and nothing is copied. An entry of key "k", type "t", data "d", fetched at second 1:
/// `64 74 6b 00 01 0001 0000000000000001 00000001 00000001 xxxxxxxxxxxxxxxx 50544332`.
package struct DiskEntry: Equatable, Sendable {
    private static let trailerBytes = 32
    /// Checksum and magic.
    private static let uncoveredBytes = 12
    /// `PTC2`
    private static let magic: UInt64 = 0x5054_4332
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
        var file = packed ?? data
        let keptBytes = file.count
        file.reserveCapacity(keptBytes + type.count + key.count + Self.trailerBytes)
        file += type
        file += key
        file += [packed == nil ? 0 : Self.isDeflated, UInt8(type.count)]
        file.append(bigEndian: UInt64(key.count), bytes: 2)
        file.append(bigEndian: UInt64(bitPattern: fetchedAt), bytes: 8)
        file.append(bigEndian: UInt64(data.count), bytes: 4)
        file.append(bigEndian: UInt64(keptBytes), bytes: 4)
        file.append(bigEndian: Checksum.of(file.span), bytes: 8)
        file.append(bigEndian: Self.magic, bytes: 4)
        return file
    }

    /// Nil: not such a file, or not as it was written.
    ///
    /// - Parameter limitBytes: of the inflated data; checked before anything is allocated for it.
    package init?(_ file: consuming [UInt8], limitBytes: Int) {
        let (covered, trailer) = (file.count - Self.uncoveredBytes, file.count - Self.trailerBytes)
        guard trailer >= 0, file.bigEndian(at: file.count - 4, bytes: 4) == Self.magic,
            file.bigEndian(at: covered, bytes: 8) == Checksum.of(file.span.extracting(first: covered))
        else { return nil }
        let (flags, typeLength) = (file[trailer], Int(file[trailer + 1]))
        let keyLength = Int(file.bigEndian(at: trailer + 2, bytes: 2))
        let fetchedAt = Int64(bitPattern: file.bigEndian(at: trailer + 4, bytes: 8))
        let length = Int(file.bigEndian(at: trailer + 12, bytes: 4))
        let packed = Int(file.bigEndian(at: trailer + 16, bytes: 4))
        let keyStart = packed + typeLength
        guard keyStart + keyLength == trailer, length <= limitBytes, flags <= Self.isDeflated,
            let type = String(validating: file[packed..<keyStart], as: UTF8.self),
            let key = String(validating: file[keyStart..<trailer], as: UTF8.self)
        else { return nil }
        file.removeLast(file.count - packed)
        if flags == Self.isDeflated {
            guard let plain = Deflate.decompress(file, length: length) else { return nil }
            file = plain
        }
        guard file.count == length else { return nil }
        self.init(key: key, contentType: type, fetchedAt: fetchedAt, data: file)
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
