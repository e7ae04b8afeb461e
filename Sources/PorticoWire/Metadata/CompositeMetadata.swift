/// Walks composite metadata (RSocket extension "Composite Metadata", version 0): items of a MIME type and content.
///
/// `fe 000006 05 612e422f43`: 0xfe is 0x80 | routing's id 0x7e; six bytes follow, a tag of 5 bytes, "a.B/C". An item
/// whose first byte is below 0x80 spells its type out: that byte is the text's length less one.
package struct CompositeMetadata: Sendable {
    package struct Item: Equatable, Sendable {
        /// Nil: a type that is not used here; the item is to be passed over.
        package let type: MetadataMIME?
        package let content: Range<Int>
    }

    package private(set) var offset: Int
    private let end: Int

    /// - Parameter range: where the metadata lies in the span that ``next(in:)`` is given.
    package init(_ range: Range<Int>) {
        offset = range.lowerBound
        end = range.upperBound
    }

    /// Nil: no item is left.
    package mutating func next(in bytes: Span<UInt8>) throws(WireError) -> Item? {
        guard offset < end else { return nil }
        let start = offset
        let first = bytes[start]
        let nameCount = first < 0x80 ? Int(first) + 1 : 0
        let lengthAt = start + 1 + nameCount
        guard end - lengthAt >= 3 else { throw .metadataTruncated(offset: start) }
        let length = Int(bytes.bigEndian(at: lengthAt, width: 3))
        guard end - lengthAt - 3 >= length else { throw .metadataTruncated(offset: start) }
        offset = lengthAt + 3 + length
        let type =
            nameCount == 0
            ? MetadataMIME(rawValue: first & 0x7f)
            : MetadataMIME(name: bytes.extracting(start + 1..<lengthAt))
        return Item(type: type, content: lengthAt + 3..<offset)
    }
}
