/// The pictures of one `meta` box that are made of others, and how large they are: that stands in their own bytes, whatever
/// `ispe` says of them (ISO/IEC 23008-12, 6.6.2).
///
/// `iinf` is `version:u8 flags:u24 count` (u16, or u32 from version 1 on) and boxes `infe` of `version:u8 flags:u24 id
/// protection:u16 kind:4 …` (`id` is u16 in version 2, u32 in version 3; older ones have no kind). A `grid` is `version:u8
/// flags:u8 rows:u8 columns:u8 width height`, an `iovl` (overlay) `version:u8 flags:u8 colour:4×u16 width height …`; both
/// sizes are u16, with the flag 1 u32. A grid of 4 × 5 pixels, one tile high and two wide: `00 00 00 01 0004 0005`.
struct HEIFItems {
    /// The boxes that say what there is. Of each there may be one; of two, a client might believe the other.
    enum Box: Hashable {
        case kinds, locations, data
    }

    private enum Kind: String, CaseIterable {
        case grid, overlay = "iovl"

        /// Before the width.
        var headBytes: Int {
            switch self {
            case .grid: 4
            case .overlay: 10
            }
        }
    }

    /// The longest head, and two sizes.
    private static let payloadBytes = 18

    private var boxes: [Box: Range<Int>] = [:]

    mutating func found(_ box: Box, _ data: Range<Int>, _ format: ImageFormat) throws(ImageFault) {
        guard boxes.updateValue(data, forKey: box) == nil else {
            throw .broken(format, .order, atByte: data.lowerBound)
        }
    }

    /// The largest width and the largest height; 0: there is no such picture.
    ///
    /// - Throws: also when one of them has no bytes, or bytes that cannot be found.
    func canvas(
        _ format: ImageFormat, _ bytes: Span<UInt8>
    ) throws(ImageFault) -> (width: Int, height: Int) {
        guard let infos = boxes[.kinds] else { return (0, 0) }
        let kinds = try kinds(infos, format, bytes)
        guard !kinds.isEmpty else { return (0, 0) }
        guard let locations = boxes[.locations] else {
            throw .broken(format, .order, atByte: infos.lowerBound)
        }
        var (largest, located) = ((width: 0, height: 0), Set<Int>())
        var items = try HEIFLocations(locations, format, bytes)
        while let item = try items.next(in: bytes) {
            // One that has two places is looked at in both.
            guard let kind = kinds[item.id] else { continue }
            located.insert(item.id)
            let size = try size(kind, try payload(of: item, format, bytes), format)
            largest = (max(largest.width, size.width), max(largest.height, size.height))
        }
        guard located.count == kinds.count else {
            throw .broken(format, .order, atByte: infos.lowerBound)
        }
        return largest
    }

    private func kinds(
        _ infos: Range<Int>, _ format: ImageFormat, _ bytes: Span<UInt8>
    ) throws(ImageFault) -> [Int: Kind] {
        var (cursor, kinds) = (ImageCursor(format, infos), [Int: Kind]())
        let version = try cursor.byte(in: bytes)
        try cursor.part(3 + (version == 0 ? 2 : 4))
        while cursor.left > 0 {
            let (name, data) = try cursor.box(in: bytes)
            guard bytes.has("infe", at: name) else { continue }
            var info = ImageCursor(format, data)
            let version = try info.byte(in: bytes)
            guard version >= 2 else { continue }
            try info.part(3)
            let id = try info.bigEndian(version == 2 ? 2 : 4, in: bytes)
            try info.part(2)
            let kindAt = try info.part(4).lowerBound
            guard let kind = Kind.allCases.first(where: { bytes.has($0.rawValue, at: kindAt) }) else {
                continue
            }
            guard kinds.updateValue(kind, forKey: id) == nil else { throw info.broken(.order) }
        }
        return kinds
    }

    /// Its first bytes, as many as are looked at.
    private func payload(
        of item: HEIFLocations.Item, _ format: ImageFormat, _ bytes: Span<UInt8>
    ) throws(ImageFault) -> [UInt8] {
        let locations = boxes[.locations]?.lowerBound ?? 0
        let source: Range<Int>
        switch item.source {
        case .file: source = 0..<bytes.count
        case .data: source = boxes[.data] ?? 0..<0
        case .other: throw .broken(format, .header, atByte: locations)
        }
        // Alone it is all of the source; beside others, some clients take it for nothing.
        guard item.extents.count == 1 || !item.extents.contains(where: \.isEmpty) else {
            throw .broken(format, .order, atByte: locations)
        }
        var payload: [UInt8] = []
        for extent in item.extents {
            let end = extent.isEmpty ? source.count : extent.upperBound
            guard extent.lowerBound <= end, end <= source.count else {
                throw .cutShort(format, atByte: source.upperBound)
            }
            let part = source.lowerBound + extent.lowerBound..<source.lowerBound + end
            for index in part.prefix(Self.payloadBytes - payload.count) { payload.append(bytes[index]) }
        }
        return payload
    }

    private func size(
        _ kind: Kind, _ payload: [UInt8], _ format: ImageFormat
    ) throws(ImageFault) -> (width: Int, height: Int) {
        let bytes = payload.span
        var cursor = ImageCursor(format, 0..<bytes.count)
        guard try cursor.byte(in: bytes) == 0 else { throw cursor.broken(.header) }
        let sizeBytes = try cursor.byte(in: bytes) & 1 == 0 ? 2 : 4
        try cursor.part(kind.headBytes - 2)
        return (try cursor.bigEndian(sizeBytes, in: bytes), try cursor.bigEndian(sizeBytes, in: bytes))
    }
}
