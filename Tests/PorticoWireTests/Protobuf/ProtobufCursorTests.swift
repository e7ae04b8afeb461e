import Testing

import PorticoWire

/// All fields of a message as (number, value text), by way of every reader.
private func fields(of bytes: [UInt8]) throws(ProtobufError) -> [String] {
    var cursor = ProtobufCursor(0..<bytes.count)
    var found: [String] = []
    while let tag = try cursor.nextTag(in: bytes.span) {
        switch tag.wireType {
        case .varint: found.append("\(tag.field):\(try cursor.varint(in: bytes.span))")
        case .fixed32: found.append("\(tag.field):\(try cursor.fixed32(in: bytes.span))")
        case .fixed64: found.append("\(tag.field):\(try cursor.fixed64(in: bytes.span))")
        case .lengthDelimited: found.append("\(tag.field):\(try cursor.lengthDelimited(in: bytes.span))")
        }
    }
    return found
}

private let sample: [UInt8] = {
    var writer = ProtobufWriter()
    writer.varintField(1, 150)
    writer.fixed32Field(2, 0xdead_beef)
    writer.fixed64Field(3, .max)
    writer.stringField(4, "grün")
    writer.messageField(5) { $0.boolField(ProtobufTag.maximumField, true) }
    return writer.bytes
}()

@Test func theExampleOfTheEncodingPageIsRead() throws {
    #expect(try fields(of: [0x08, 0x96, 0x01]) == ["1:150"])
}

@Test func whatTheWriterWritesTheCursorReads() throws {
    #expect(
        try fields(of: sample) == [
            "1:150", "2:3735928559", "3:18446744073709551615", "4:19..<24", "5:26..<32",
        ])
}

@Test(arguments: 1..<sample.count) func aMessageCutShortIsAnErrorOrFewerFields(count: Int) {
    let whole = (try? fields(of: sample)) ?? []
    let cut = Array(sample[0..<count])
    do throws(ProtobufError) {
        let found = try fields(of: cut)
        #expect(found == Array(whole.prefix(found.count)) && found.count < whole.count)
    } catch {
        #expect(error.offset <= count)
    }
}

@Test(
    arguments: [
        ([0x00], ProtobufError.badFieldNumber(offset: 0)),
        ([0x80, 0x80, 0x80, 0x80, 0x10], .badFieldNumber(offset: 0)),
        ([0x0b], .badWireType(3, offset: 0)),
        ([0x0f], .badWireType(7, offset: 0)),
        ([0x08], .truncated(offset: 1)),
        ([0x08, 0x80], .truncated(offset: 1)),
        ([0x0d, 1, 2, 3], .truncated(offset: 1)),
        ([0x09, 1, 2, 3, 4, 5, 6, 7], .truncated(offset: 1)),
        ([0x0a, 5, 1], .badLength(declared: 5, left: 1, offset: 1)),
        (
            [0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
            .badLength(declared: .max, left: 0, offset: 1)
        ),
        ([0x08] + [UInt8](repeating: 0x80, count: 9) + [0x02], .varintTooLong(offset: 1)),
        ([0x08] + [UInt8](repeating: 0xff, count: 12), .varintTooLong(offset: 1)),
    ] as [([UInt8], ProtobufError)]) func badBytesAreNamed(bytes: [UInt8], expected: ProtobufError)
{
    #expect(throws: expected) { try fields(of: bytes) }
}

@Test(arguments: [0, 1, 127, 128, 300, 1 << 21, 1 << 63, UInt64.max])
func everyVarintComesBack(value: UInt64) throws {
    var writer = ProtobufWriter()
    writer.varint(value)
    var cursor = ProtobufCursor(0..<writer.bytes.count)
    #expect(try cursor.varint(in: writer.bytes.span) == value)
    #expect(cursor.offset == cursor.end)
}

@Test(arguments: [0, 127, 128, 16_383, 16_384, 70_000])
func aNestedMessageOfAnyLengthHasItsLengthBeforeIt(count: Int) throws {
    var writer = ProtobufWriter()
    writer.messageField(1) { $0.bytes.append(contentsOf: repeatElement(7, count: count)) }
    var cursor = ProtobufCursor(0..<writer.bytes.count)
    _ = try cursor.nextTag(in: writer.bytes.span)
    let range = try cursor.lengthDelimited(in: writer.bytes.span)
    #expect(range.count == count && range.upperBound == writer.bytes.count)
    #expect(writer.bytes[range].allSatisfy { $0 == 7 })
}

@Test(arguments: [(Int64(0), UInt64(0)), (-1, 1), (1, 2), (-2, 3), (.max, .max - 1), (.min, .max)])
func zigZagIsTheTableOfTheEncodingPage(value: Int64, encoded: UInt64) {
    #expect(ZigZag.encode(value) == encoded)
    #expect(ZigZag.decode(encoded) == value)
}

@Test func aKnownFieldOfAnotherWireTypeIsAnError() throws {
    let bytes: [UInt8] = [0x08, 0x01]
    var cursor = ProtobufCursor(0..<2)
    let tag = try #require(try cursor.nextTag(in: bytes.span))
    #expect(throws: ProtobufError.unexpectedWireType(field: 1, offset: 1)) {
        try cursor.string(tag, in: bytes.span)
    }
}

@Test func textThatIsNotUTF8IsAnError() throws {
    let bytes: [UInt8] = [0x0a, 0x02, 0xc3, 0x28]
    var cursor = ProtobufCursor(0..<4)
    let tag = try #require(try cursor.nextTag(in: bytes.span))
    #expect(throws: ProtobufError.badText(field: 1, offset: 2)) { try cursor.string(tag, in: bytes.span) }
}
