import PorticoWire

extension Records {
    /// The records in the pages of an answer, in order.
    /// - Parameters:
    ///   - pages: encoded messages of one type. A single one is taken as it is, several are copied behind
    /// each other.
    ///   - items: number of the repeated message field that holds the records.
    /// - Throws: a page that is no protobuf; the offset counts through all pages.
    package init(pages: [[UInt8]], items: Int) throws(TranscodeError) {
        let total = pages.reduce(0) { $0 + $1.count }
        guard total < Int(UInt32.max) else {
            throw .unsuitableView("the pages together have \(total) bytes, more than a view takes")
        }
        var ranges: [ByteRange] = []
        let bytes = pages.count == 1 ? pages[0] : Records.joined(pages, count: total)
        do {
            var start = 0
            for page in pages {
                try Records.scan(start..<start + page.count, of: bytes.span, items: items, into: &ranges)
                start += page.count
            }
        } catch {
            throw TranscodeError(error)
        }
        self.init(bytes: bytes, ranges: ranges)
    }

    /// Page by page: `Array(pages.joined())` goes byte by byte and took half of a whole view's time.
    private static func joined(_ pages: [[UInt8]], count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        for page in pages { bytes.append(contentsOf: page) }
        return bytes
    }

    private static func scan(
        _ page: Range<Int>, of bytes: Span<UInt8>, items: Int, into ranges: inout [ByteRange]
    ) throws(ProtobufError) {
        var cursor = ProtobufCursor(page)
        while let tag = try cursor.nextTag(in: bytes) {
            if tag.field == items, tag.wireType == .lengthDelimited {
                ranges.append(ByteRange(try cursor.lengthDelimited(in: bytes)))
            } else {
                try cursor.skip(tag.wireType, in: bytes)
            }
        }
    }
}
