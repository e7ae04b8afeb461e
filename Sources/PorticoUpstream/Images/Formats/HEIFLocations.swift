/// `iloc`: `version:u8 flags:u24`, four sizes of fields in half bytes, the number of items (u16, or u32 in version 2), then the
/// items: `id:u16` (u32 in version 2), in which bytes its extents count (u16, from version 1 on), `reference:u16 base
/// extents:u16`, and for each extent `index offset length`.
struct HEIFLocations {
    /// One item and where its bytes lie.
    struct Item {
        let id: Int
        let source: Source
        /// One behind the other. An empty one may mean all of the source.
        let extents: [Range<Int>]
    }

    /// What extents count in.
    enum Source: Equatable {
        case file
        /// The `idat` of the same `meta`.
        case data
        /// Another item, or none that is known.
        case other
    }

    private var cursor: ImageCursor
    private let version: UInt8
    private let offsetSize: Int
    private let lengthSize: Int
    private let baseSize: Int
    private let indexSize: Int
    private var itemsLeft: Int

    init(_ range: Range<Int>, _ format: ImageFormat, _ bytes: Span<UInt8>) throws(ImageFault) {
        cursor = ImageCursor(format, range)
        version = try cursor.byte(in: bytes)
        guard version <= 2 else { throw cursor.broken(.header) }
        try cursor.part(3)
        let sizes = try cursor.bigEndian(2, in: bytes)
        (offsetSize, lengthSize) = (sizes >> 12, sizes >> 8 & 15)
        (baseSize, indexSize) = (sizes >> 4 & 15, version == 0 ? 0 : sizes & 15)
        guard [offsetSize, lengthSize, baseSize, indexSize].allSatisfy([0, 4, 8].contains) else {
            throw cursor.broken(.header)
        }
        itemsLeft = try cursor.bigEndian(version < 2 ? 2 : 4, in: bytes)
    }

    /// Every extent that counts from the file's start must lie inside it.
    static func check(
        _ range: Range<Int>, _ format: ImageFormat, _ bytes: Span<UInt8>
    ) throws(ImageFault) {
        var locations = try HEIFLocations(range, format, bytes)
        while let item = try locations.next(in: bytes) {
            guard item.source == .file else { continue }
            for extent in item.extents where extent.upperBound > bytes.count {
                throw .cutShort(format, atByte: bytes.count)
            }
        }
    }

    mutating func next(in bytes: Span<UInt8>) throws(ImageFault) -> Item? {
        guard itemsLeft > 0 else { return nil }
        itemsLeft -= 1
        let id = try cursor.bigEndian(version < 2 ? 2 : 4, in: bytes)
        let method = version == 0 ? 0 : try cursor.bigEndian(2, in: bytes) & 15
        try cursor.part(2)
        let base = try cursor.bigEndian(baseSize, in: bytes)
        let count = try cursor.bigEndian(2, in: bytes)
        var extents: [Range<Int>] = []
        // Extents without bytes say all the same, and could be counted for ever.
        for _ in 0..<(indexSize + offsetSize + lengthSize > 0 ? count : min(1, count)) {
            try cursor.part(indexSize)
            let start = try cursor.bigEndian(offsetSize, in: bytes).addingReportingOverflow(base)
            let end = try cursor.bigEndian(lengthSize, in: bytes).addingReportingOverflow(start.partialValue)
            guard !start.overflow, !end.overflow else { throw .cutShort(cursor.format, atByte: bytes.count) }
            extents.append(start.partialValue..<end.partialValue)
        }
        let source: Source =
            switch method {
            case 0: .file
            case 1: .data
            default: .other
            }
        return Item(id: id, source: source, extents: extents)
    }
}
