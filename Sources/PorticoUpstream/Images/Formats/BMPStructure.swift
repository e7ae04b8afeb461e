/// BMP: `BM size:u32 reserved:u32 pixels:u32`, then a header of 12 bytes (`12:u32 width:u16 height:u16 planes:u16 bits:u16`)
/// or more (`bytes:u32 width:i32 height:i32 planes:u16 bits:u16 compression:u32 …`), masks, a palette, and the pixels at the
/// offset `pixels`. Little-endian; a height below zero means that the upper row comes first.
///
/// Pixels are rows of whole words, or runs (compression 1: a byte for a pixel, 2: four bits) up to the end mark `00 01`. A
/// JPEG or PNG in a BMP's clothes (compression 4 and 5) is for printers and is not passed on.
package enum BMPStructure {
    private static let fileHeaderBytes = 14
    private static let headerSizes: Set<Int> = [12, 40, 52, 56, 64, 108, 124]
    private static let oldHeaderBytes = 12

    private enum Compression: Int {
        case none = 0
        case bytes = 1
        case halfBytes = 2
        case masks = 3
        case masksWithAlpha = 6

        /// Runs cannot begin with the upper row.
        var hasRuns: Bool { self == .bytes || self == .halfBytes }

        /// Bits of a pixel that go with it.
        var depths: Set<Int> {
            switch self {
            case .none: [1, 4, 8, 16, 24, 32]
            case .bytes: [8]
            case .halfBytes: [4]
            case .masks, .masksWithAlpha: [16, 32]
            }
        }
    }

    private struct Header {
        var width = 0
        var height = 0
        var bits = 0
        var compression = Compression.none
    }

    static func isSignature(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.has("BM", at: 0), bytes.count >= fileHeaderBytes + 4 else { return false }
        var cursor = ImageCursor(.bmp, fileHeaderBytes..<bytes.count)
        return (try? cursor.littleEndian(4, in: bytes)).map(headerSizes.contains) ?? false
    }

    static func facts(_ bytes: Span<UInt8>) throws(ImageFault) -> ImageFacts {
        var cursor = ImageCursor(.bmp, 2..<bytes.count)
        let declared = try cursor.littleEndian(4, in: bytes)
        // Some writers leave it 0; what they do say must have come.
        guard declared <= bytes.count else { throw cursor.cutShort }
        try cursor.part(4)
        let pixels = try cursor.littleEndian(4, in: bytes)
        let header = try header(&cursor, bytes)
        guard pixels >= cursor.offset else { throw cursor.broken(.header) }
        try cursor.part(pixels - cursor.offset)
        switch header.compression {
        case .none, .masks, .masksWithAlpha: try rows(header, &cursor)
        case .bytes, .halfBytes: try runs(header.compression, &cursor, bytes)
        }
        return ImageFacts(format: .bmp, width: header.width, height: header.height)
    }

    private static func header(
        _ cursor: inout ImageCursor, _ bytes: Span<UInt8>
    ) throws(ImageFault) -> Header {
        let size = try cursor.littleEndian(4, in: bytes)
        guard headerSizes.contains(size) else { throw cursor.broken(.header) }
        var header = Header()
        let isOld = size == oldHeaderBytes
        header.width = try cursor.littleEndian(isOld ? 2 : 4, in: bytes)
        header.height = try cursor.littleEndian(isOld ? 2 : 4, in: bytes)
        let planes = try cursor.littleEndian(2, in: bytes)
        header.bits = try cursor.littleEndian(2, in: bytes)
        if !isOld {
            let signed = Int(Int32(truncatingIfNeeded: header.height))
            guard let compression = Compression(rawValue: try cursor.littleEndian(4, in: bytes)),
                header.width <= Int32.max, signed >= 0 || !compression.hasRuns
            else { throw cursor.broken(.header) }
            header.height = abs(signed)
            header.compression = compression
            try cursor.part(size - 20)
        }
        guard planes == 1, header.compression.depths.contains(header.bits) else {
            throw cursor.broken(.header)
        }
        return header
    }

    /// All of them are there.
    private static func rows(_ header: Header, _ cursor: inout ImageCursor) throws(ImageFault) {
        let rowBytes = (header.width * header.bits + 31) / 32 * 4
        let (bytes, isHuge) = rowBytes.multipliedReportingOverflow(by: header.height)
        guard !isHuge else { throw cursor.broken(.size) }
        try cursor.part(bytes)
    }

    /// `count colour` repeats; `0 0` ends a row, `0 1` the picture, `0 2 x y` moves on, `0 n` is followed by n pixels in
    /// whole words of two bytes.
    private static func runs(
        _ compression: Compression, _ cursor: inout ImageCursor, _ bytes: Span<UInt8>
    ) throws(ImageFault) {
        while true {
            let count = try cursor.byte(in: bytes)
            let second = Int(try cursor.byte(in: bytes))
            guard count == 0 else { continue }
            switch second {
            case 0: continue
            case 1: return
            case 2: try cursor.part(2)
            default:
                let packed = compression == .bytes ? second : (second + 1) / 2
                try cursor.part((packed + 1) / 2 * 2)
            }
        }
    }
}
