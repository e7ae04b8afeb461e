/// Where some bytes lie in the buffer of a ``Records``. Eight bytes, because there is one for every record
/// and text.
package struct ByteRange: Equatable, Sendable {
    package var offset: UInt32
    package var count: UInt32

    package init(offset: UInt32, count: UInt32) {
        self.offset = offset
        self.count = count
    }

    package init(_ range: Range<Int>) {
        offset = UInt32(range.lowerBound)
        count = UInt32(range.count)
    }

    /// No bytes because there is no value, as against an empty value.
    package static let missing = ByteRange(offset: .max, count: 0)

    package var isMissing: Bool { offset == .max }
    /// No bytes for a missing value.
    package var orEmpty: ByteRange { isMissing ? ByteRange(offset: 0, count: 0) : self }
    package var range: Range<Int> { Int(offset)..<Int(offset) + Int(count) }
}

/// Encoded messages of one type, side by side in one buffer: what a view permutes instead of model objects.
///
/// Two people of which only `name = 1` is set, as they lie in the answer `PeoplePage {people = 4}`:
/// ```
/// offset   0  1  2  3  4  5  6  7  8  9 10
/// bytes   22 04 0a 02 52 32 22 03 0a 01 43      ranges  2+4, 8+3
///         people name "R2"  people name "C"
/// ```
package struct Records: Sendable {
    package let bytes: [UInt8]
    /// One for each record, in upstream order; without tag and length prefix.
    package let ranges: [ByteRange]
    /// Rows of which something is known, in order and apart.
    let known: [KnownRows]

    package var count: Int { ranges.count }

    package init(bytes: [UInt8], ranges: [ByteRange]) {
        self.init(bytes: bytes, ranges: ranges, known: [])
    }

    init(bytes: [UInt8], ranges: [ByteRange], known: [KnownRows]) {
        self.bytes = bytes
        self.ranges = ranges
        self.known = known
    }

    /// The rows of a page whose tapped fields have known places.
    struct KnownRows: Sendable {
        let firstRow: Int
        /// Where the page lies in the buffer.
        let page: Range<Int>
        let places: RecordPlaces

        var rows: Range<Int> { firstRow..<firstRow + places.count }
    }
}
