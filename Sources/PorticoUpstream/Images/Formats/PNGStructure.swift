/// PNG (W3C, third edition, section 5): the signature, then chunks of `length:u32 type:u32 data crc:u32`, big-endian.
///
/// `IHDR`, the first chunk, is `width:u32 height:u32 bits:u8 colour:u8 compression:u8 filter:u8 interlace:u8`; `acTL` begins
/// with the number of frames; `IEND`, the last chunk, is always `00000000 49454e44 ae426082`.
package enum PNGStructure {
    package static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

    static func isSignature(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count >= signature.count else { return false }
        for (index, byte) in signature.enumerated() where bytes[index] != byte { return false }
        return true
    }

    /// One chunk whose checksum is right.
    struct Chunk: Equatable {
        let type: UInt32
        let data: Range<Int>

        /// With bit 5 of its first letter clear it must be understood by whoever shows the picture.
        var isCritical: Bool { type & 0x2000_0000 == 0 }
    }

    /// Four letters as a big-endian number.
    package enum Name {
        package static let header: UInt32 = 0x4948_4452  // IHDR
        static let palette: UInt32 = 0x504c_5445  // PLTE
        package static let data: UInt32 = 0x4944_4154  // IDAT
        package static let end: UInt32 = 0x4945_4e44  // IEND
        static let animation: UInt32 = 0x6163_544c  // acTL
    }

    static func facts(_ bytes: Span<UInt8>) throws(ImageFault) -> ImageFacts {
        var cursor = ImageCursor(.png, signature.count..<bytes.count)
        var order = PNGOrder()
        var facts: ImageFacts?
        while true {
            let chunk = try chunk(&cursor, bytes)
            guard order.accepts(chunk) else { throw cursor.broken(.order) }
            switch chunk.type {
            case Name.header: facts = try header(chunk, bytes)
            case Name.animation:
                var data = ImageCursor(.png, chunk.data)
                // There should be one; who shows the picture may take the first or the last.
                let frames = max(facts?.frames ?? 1, try data.bigEndian(4, in: bytes))
                facts?.frames = frames
            case Name.end:
                guard let facts, order.isComplete else { throw cursor.broken(.order) }
                return facts
            default: continue
            }
        }
    }

    static func chunk(_ cursor: inout ImageCursor, _ bytes: Span<UInt8>) throws(ImageFault) -> Chunk {
        let length = try cursor.bigEndian(4, in: bytes)
        guard length <= Int32.max else { throw cursor.broken(.length) }
        let typeAndData = try cursor.part(4 + length)
        guard try cursor.bigEndian(4, in: bytes) == Int(Deflate.checksum(bytes.extracting(typeAndData)))
        else {
            throw cursor.broken(.checksum)
        }
        var type: UInt32 = 0
        for index in typeAndData.prefix(4) { type = type << 8 | UInt32(bytes[index]) }
        return Chunk(type: type, data: typeAndData.dropFirst(4))
    }

    private static func header(_ chunk: Chunk, _ bytes: Span<UInt8>) throws(ImageFault) -> ImageFacts {
        var data = ImageCursor(.png, chunk.data)
        let (width, height) = (try data.bigEndian(4, in: bytes), try data.bigEndian(4, in: bytes))
        let (bits, colour) = (try data.byte(in: bytes), try data.byte(in: bytes))
        let methods = try data.bigEndian(2, in: bytes)
        let interlace = try data.byte(in: bytes)
        guard depths(colour).contains(bits), methods == 0, interlace <= 1, data.left == 0 else {
            throw data.broken(.header)
        }
        return ImageFacts(format: .png, width: width, height: height)
    }

    /// Bits of a sample that a colour type allows (table 11.1); none: there is no such type.
    private static func depths(_ colour: UInt8) -> [UInt8] {
        switch colour {
        case 0: [1, 2, 4, 8, 16]
        case 3: [1, 2, 4, 8]
        case 2, 4, 6: [8, 16]
        default: []
        }
    }
}

/// The order of chunks (section 5.6), as far as a decoder relies on it.
struct PNGOrder {
    private enum Stage {
        case start
        case header
        case data
        case behindData
    }
    private var stage = Stage.start
    var isComplete: Bool { stage == .behindData }

    /// False: that chunk cannot stand here, or is one that must be understood and is not known.
    mutating func accepts(_ chunk: PNGStructure.Chunk) -> Bool {
        switch (stage, chunk.type) {
        case (.start, PNGStructure.Name.header):
            stage = .header
            return true
        case (.start, _), (_, PNGStructure.Name.header): return false
        case (.header, PNGStructure.Name.data), (.data, PNGStructure.Name.data):
            stage = .data
            return true
        case (.behindData, PNGStructure.Name.data), (.header, PNGStructure.Name.end): return false
        case (.header, PNGStructure.Name.palette): return true
        case (.header, _): return !chunk.isCritical
        case (.data, _), (.behindData, _):
            stage = .behindData
            return chunk.type == PNGStructure.Name.end || !chunk.isCritical
        }
    }
}
