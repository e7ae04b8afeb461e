import PorticoWire

extension Records {
    /// The records in the pages of an answer, in order.
    /// - Parameters:
    ///   - pages: encoded messages of one type. A single one is taken as it is, several are copied behind
    /// each other.
    ///   - items: number of the repeated message field that holds the records.
    /// - Throws: a page that is no protobuf; the offset counts through all pages.
    package init(pages: [RecordPage], items: Int) throws(TranscodeError) {
        let total = pages.reduce(0) { $0 + $1.bytes.count }
        guard total < Int(UInt32.max) else {
            throw .unsuitableView("the pages together have \(total) bytes, more than a view takes")
        }
        var (ranges, known) = ([ByteRange](), [KnownRows]())
        ranges.reserveCapacity(pages.reduce(0) { $0 + ($1.places?.count ?? 0) })
        known.reserveCapacity(pages.count)
        let bytes = pages.count == 1 ? pages[0].bytes : Records.joined(pages, count: total)
        do {
            var start = 0
            for page in pages {
                let place = start..<start + page.bytes.count
                if let places = page.places, places.tapped.list == items {
                    known.append(KnownRows(firstRow: ranges.count, page: place, places: places))
                    places.addRanges(of: place, to: &ranges)
                } else {
                    try Records.scan(place, of: bytes.span, items: items, into: &ranges)
                }
                start = place.upperBound
            }
        } catch {
            throw TranscodeError(error)
        }
        self.init(bytes: bytes, ranges: ranges, known: known)
    }

    /// Page by page: `Array(pages.joined())` goes byte by byte and took half of a whole view's time.
    private static func joined(_ pages: [RecordPage], count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        for page in pages { bytes.append(contentsOf: page.bytes) }
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

extension RecordPlaces {
    /// - Parameter page: where it lies in the buffer.
    fileprivate func addRanges(of page: Range<Int>, to ranges: inout [ByteRange]) {
        let (words, start, step) = (words.span, UInt32(page.lowerBound), step)
        var index = 0
        while index < words.count {
            ranges.append(ByteRange(offset: start + words[index], count: words[index + 1]))
            index += step
        }
    }
}
