/// AVIF and HEIC (ISO/IEC 14496-12 and 23008-12): boxes of `size:u32 type:4 data`, big-endian; a size of 1 is followed by
/// `size:u64`, one of 0 reaches to the end. The first, `ftyp`, is `major:4 version:u32 compatible:4…`.
///
/// Read are: `meta/iprp/ipco/ispe` (`flags:u32 width:u32 height:u32`, one per picture or tile; the largest counts), and
/// `meta/iloc`, where each picture's bytes lie: all must be inside the file. A picture that `meta/iinf` calls a grid or an
/// overlay of others says its size in its own bytes too (``HEIFItems``), which counts as well. Of sequences `moov/trak/tkhd`
/// (its last eight bytes are width and height, 16.16 fixed) and `moov/trak/mdia/minf/stbl/stsz` (`flags:u32 size:u32
/// samples:u32`).
package enum HEIFStructure {
    /// Compatible brands that are looked at.
    private static let brandLimit = 32

    /// By the brands in `ftyp`; nil: another kind of file, or none of boxes.
    static func format(_ bytes: Span<UInt8>) -> ImageFormat? {
        guard bytes.count >= 16, bytes.has("ftyp", at: 4) else { return nil }
        var cursor = ImageCursor(.avif, 0..<bytes.count)
        let size = (try? cursor.bigEndian(4, in: bytes)) ?? 0
        let end = min(size, bytes.count, 16 + 4 * brandLimit)
        for brand in [8] + Array(stride(from: 16, to: end - 3, by: 4)) {
            if bytes.has("avif", at: brand) || bytes.has("avis", at: brand) { return .avif }
            if bytes.has("heic", at: brand) || bytes.has("heix", at: brand) || bytes.has("hevc", at: brand)
                || bytes.has("hevx", at: brand) || bytes.has("heim", at: brand)
                || bytes.has("heis", at: brand)
            {
                return .heic
            }
        }
        return nil
    }

    static func facts(_ bytes: Span<UInt8>, _ format: ImageFormat) throws(ImageFault) -> ImageFacts {
        var walk = HEIFWalk(format: format)
        try walk.boxes(0..<bytes.count, depth: 0, bytes)
        guard walk.hasData else { throw .cutShort(format, atByte: bytes.count) }
        return ImageFacts(
            format: format, width: walk.width, height: walk.height, frames: max(1, walk.samples))
    }
}

/// What one walk over a file's boxes has found.
struct HEIFWalk {
    let format: ImageFormat
    private(set) var width = 0
    private(set) var height = 0
    /// Pictures of the longest sequence.
    private(set) var samples = 0
    /// `mdat` or `idat`.
    private(set) var hasData = false
    /// Of the `meta` that is being walked.
    private var items = HEIFItems()

    /// Deeper than any picture needs, and few enough to recurse.
    private static let depthLimit = 8

    init(format: ImageFormat) { self.format = format }

    mutating func boxes(_ range: Range<Int>, depth: Int, _ bytes: Span<UInt8>) throws(ImageFault) {
        var cursor = ImageCursor(format, range)
        guard depth < Self.depthLimit else { throw cursor.broken(.nesting) }
        while cursor.left > 0 {
            let (name, data) = try cursor.box(in: bytes)
            try box(name, data, depth, bytes)
        }
    }

    private mutating func meta(_ range: Range<Int>, depth: Int, _ bytes: Span<UInt8>) throws(ImageFault) {
        let outer = exchange(&items, with: HEIFItems())
        try boxes(range, depth: depth, bytes)
        let canvas = try items.canvas(format, bytes)
        grow(canvas.width, canvas.height)
        items = outer
    }

    private mutating func box(
        _ name: Int, _ data: Range<Int>, _ depth: Int, _ bytes: Span<UInt8>
    ) throws(ImageFault) {
        var cursor = ImageCursor(format, data)
        if isContainer(name, bytes) {
            try boxes(data, depth: depth + 1, bytes)
        } else if bytes.has("meta", at: name) {
            try cursor.part(4)
            try meta(cursor.offset..<cursor.end, depth: depth + 1, bytes)
        } else if bytes.has("ispe", at: name) {
            try cursor.part(4)
            grow(try cursor.bigEndian(4, in: bytes), try cursor.bigEndian(4, in: bytes))
        } else if bytes.has("tkhd", at: name) {
            try cursor.part(max(0, cursor.left - 8))
            grow(try cursor.bigEndian(4, in: bytes) >> 16, try cursor.bigEndian(4, in: bytes) >> 16)
        } else if bytes.has("stsz", at: name) {
            try cursor.part(8)
            samples = max(samples, try cursor.bigEndian(4, in: bytes))
        } else if bytes.has("iloc", at: name) {
            try items.found(.locations, data, format)
            try HEIFLocations.check(data, format, bytes)
        } else if bytes.has("iinf", at: name) {
            try items.found(.kinds, data, format)
        } else if bytes.has("idat", at: name) {
            try items.found(.data, data, format)
            hasData = hasData || !data.isEmpty
        } else if bytes.has("mdat", at: name) {
            hasData = hasData || !data.isEmpty
        }
    }

    /// A box that holds nothing but boxes.
    private func isContainer(_ name: Int, _ bytes: Span<UInt8>) -> Bool {
        for container in ["moov", "trak", "mdia", "minf", "stbl", "iprp", "ipco"]
        where bytes.has(container, at: name) {
            return true
        }
        return false
    }

    /// The largest of each, because tiles and previews have sizes of their own.
    private mutating func grow(_ width: Int, _ height: Int) {
        self.width = max(self.width, width)
        self.height = max(self.height, height)
    }
}

extension ImageCursor {
    /// The next box: where its name begins, and its data.
    mutating func box(in bytes: Span<UInt8>) throws(ImageFault) -> (name: Int, data: Range<Int>) {
        let start = offset
        var size = try bigEndian(4, in: bytes)
        let name = try part(4).lowerBound
        if size == 1 { size = try bigEndian(8, in: bytes) }
        if size == 0 { size = end - start }
        guard size >= offset - start else { throw broken(.length) }
        return (name, try part(size - (offset - start)))
    }
}
