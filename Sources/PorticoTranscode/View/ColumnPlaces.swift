import PorticoSchema
import PorticoWire

// Columns from known places: nothing is looked for in the records. Worked example, the page of ``RecordPlaces``, of which
// row 0 has its `eye_color = 6` at 2 and row 1 has none:
//
//     offset 2      32 03 72 65 64      the tag is the field's: a text of three bytes, "red"
//     absent                            empty, or missing if the field can be missing

extension ColumnBuilder {
    /// The values of a page's records.
    /// - Parameter tap: the field's number among the tapped ones.
    mutating func append(
        _ tap: Int, of known: Records.KnownRows, _ field: FieldDescriptor, in bytes: Span<UInt8>
    ) throws(ProtobufError) {
        let (words, step, page) = (known.places.words.span, known.places.step, known.page)
        let (number, type, shortTag) = (field.number, field.type, field.shortTextTag)
        var index = RecordPlaces.recordWords + tap
        while index < words.count {
            let place = words[index]
            index += step
            guard place != RecordPlaces.absent else {
                beginRecord()
                continue
            }
            let start = page.lowerBound + Int(place)
            if bytes[start] == shortTag, bytes[start + 1] < 0x80 {
                append(text: ByteRange(offset: UInt32(start + 2), count: UInt32(bytes[start + 1])), in: bytes)
                continue
            }
            beginRecord()
            var cursor = ProtobufCursor(start..<page.upperBound)
            guard try cursor.nextTag(in: bytes)?.field == number else { continue }
            try cursor.read(type, in: bytes, into: &self)
        }
    }
}

extension FieldDescriptor {
    /// The tag of a text, if it has one byte; else what is no tag.
    fileprivate var shortTextTag: UInt8 {
        type.wireType == .lengthDelimited && number < 16 ? UInt8(number << 3) | 2 : 0
    }
}
