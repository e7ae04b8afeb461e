import PorticoWire

// One value of a field. Numbers become the bits that protobuf stores, whatever their type: as `sint32`, -3 is varint 5;
// as `int32` it is the ten-byte varint of 2⁶⁴-3; as `float` it is the four bytes of c0400000. Zero bits are the default
// value of every type.

extension RecordReader {
    /// Room for a tag, a length and any one scalar; strings make their own.
    mutating func reserveForValue() { out.reserve(FastLane.margin) }

    mutating func writeTag(_ field: FieldPlan) {
        out.append(field.tag, length: field.tagLength)
    }

    /// Reads the value here and writes it with its tag, unless it is the default.
    mutating func readImplicit(
        _ field: FieldPlan, _ index: Int, in json: Span<UInt8>
    ) throws(ReadingFault) {
        switch field.kind {
        case .string, .bytes:
            let start = out.count
            try readElement(field, index, in: json)
            if out.count == start + field.tagLength + 1 { out.truncate(to: start) }
        default:
            let bits = try readBits(field, in: json)
            guard bits != 0 else { return }
            reserveForValue()
            writeTag(field)
            write(bits, as: field.kind)
        }
    }

    /// Reads the value here and writes it with its tag, default or not.
    mutating func readElement(
        _ field: FieldPlan, _ index: Int, in json: Span<UInt8>
    ) throws(ReadingFault) {
        reserveForValue()
        switch field.kind {
        case .string, .bytes, .message:
            let length = beginLength(field, index)
            switch field.kind {
            case .string: try readText(in: json)
            case .bytes: try readBytes(in: json)
            default: try readMessage(field.child, in: json)
            }
            endLength(length, index)
        default:
            let bits = try readBits(field, in: json)
            writeTag(field)
            write(bits, as: field.kind)
        }
    }

    /// Bytes set aside for a length.
    struct LengthPlace {
        let start: Int
        let width: Int
    }

    /// Writes the tag and sets bytes aside for the length.
    mutating func beginLength(_ field: FieldPlan, _ index: Int) -> LengthPlace {
        writeTag(field)
        let place = LengthPlace(start: out.count, width: Int(lengthWidths[index]))
        out.advance(to: place.start &+ place.width)
        return place
    }

    /// Writes the length of everything behind its place.
    mutating func endLength(_ place: LengthPlace, _ index: Int) {
        let needed = out.finishLength(at: place.start, width: place.width)
        if needed != place.width { lengthWidths[index] = UInt8(truncatingIfNeeded: needed) }
    }

    mutating func write(_ bits: UInt64, as kind: ValueKind) {
        switch kind.wireType {
        case .fixed64: out.append(bits, length: 8)
        case .fixed32: out.append(bits, length: 4)
        case .varint, .lengthDelimited: out.appendVarint(bits)
        }
    }

    /// Reads the number, bool or enum here.
    mutating func readBits(_ field: FieldPlan, in json: Span<UInt8>) throws(ReadingFault) -> UInt64 {
        switch (field.kind, cursor.peek(in: json)) {
        case (.bool, UInt8(ascii: "t")):
            try cursor.literal(.true, in: json)
            return 1
        case (.bool, UInt8(ascii: "f")):
            try cursor.literal(.false, in: json)
            return 0
        case (.bool, _): throw try misfit(.bool, in: json)
        case (_, UInt8(ascii: "-")), (_, UInt8(ascii: "0")...UInt8(ascii: "9")):
            let at = cursor.offset
            return try NumberBits.of(cursor.number(in: json), in: json, as: field.kind, at: at)
        case (.enumeration, UInt8(ascii: "\"")): return try readEnumName(field.child, in: json)
        case (_, UInt8(ascii: "\"")): return try readNumberText(field.kind, in: json)
        default: throw try misfit(NumberBits.expected(field.kind), in: json)
        }
    }

    /// A number that came as a string: `"66"`, `"1e3"`, `"NaN"`.
    private mutating func readNumberText(
        _ kind: ValueKind, in json: Span<UInt8>
    ) throws(ReadingFault) -> UInt64 {
        let at = cursor.offset
        let hasEscapes = try cursor.skipString(in: json)
        let inside = at + 1..<cursor.offset - 1
        guard hasEscapes else { return try NumberBits.ofText(inside, in: json, as: kind, at: at) }
        let text = try JSONText.unescaped(inside, in: json)
        return try NumberBits.ofText(text.indices, in: text.span, as: kind, at: at)
    }

    private mutating func readEnumName(_ names: Int, in json: Span<UInt8>) throws(ReadingFault) -> UInt64 {
        let at = cursor.offset
        let hasEscapes = try cursor.skipString(in: json)
        let inside = at + 1..<cursor.offset - 1
        guard hasEscapes else { return enumBits(plan.enums[names], inside, in: json) }
        let text = try JSONText.unescaped(inside, in: json)
        return enumBits(plan.enums[names], text.indices, in: text.span)
    }

    /// The number of a name, or of a number written as text; unknown text is zero and counted.
    private mutating func enumBits(_ names: NameTable, _ range: Range<Int>, in text: Span<UInt8>) -> UInt64 {
        if let number = names.value(of: range, in: text) { return UInt64(bitPattern: Int64(number)) }
        do throws(ReadingFault) {
            return try NumberBits.ofText(range, in: text, as: .enumeration, at: 0)
        } catch {
            unknownEnumValues += 1
            return 0
        }
    }
}
