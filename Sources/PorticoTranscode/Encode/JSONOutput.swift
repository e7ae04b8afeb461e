import PorticoWire

// Values as compact JSON text. A double prints as the shortest text that reads back to the same bits: `0.1`, `1e+16`,
// `66` for 66.0; what JSON has no number for is a string: `"NaN"`, `"-Infinity"`.
enum JSONOutput {
    /// Appends a string with its quotes; the bytes must be UTF-8. Runs without `"`, `\` and control characters are
    /// appended whole.
    static func append(string text: Span<UInt8>, to json: inout [UInt8]) {
        json.append(UInt8(ascii: "\""))
        var start = 0
        var offset = 0
        while offset < text.count {
            let specials = text.word(at: offset).stringSpecials
            offset += specials == 0 ? 8 : specials.firstMarkedByte
            guard specials != 0, offset < text.count else { continue }
            let byte = text[offset]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                json.append(copying: text.extracting(start..<offset))
                append(escaped: byte, to: &json)
                start = offset + 1
            }
            offset += 1
        }
        json.append(copying: text.extracting(start..<text.count))
        json.append(UInt8(ascii: "\""))
    }

    private static func append(escaped byte: UInt8, to json: inout [UInt8]) {
        json.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x08: json.append(UInt8(ascii: "b"))
        case 0x09: json.append(UInt8(ascii: "t"))
        case 0x0a: json.append(UInt8(ascii: "n"))
        case 0x0c: json.append(UInt8(ascii: "f"))
        case 0x0d: json.append(UInt8(ascii: "r"))
        case 0..<0x20:
            let digits = Array("0123456789abcdef".utf8)
            json += Array("u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 0xf)]]
        default: json.append(byte)
        }
    }

    /// The text of a number, bool or enum as protobuf stores it, without quotes.
    /// - Parameter names: of the enum, if it is one; a number without a name stands for itself.
    static func text(of bits: UInt64, as kind: ValueKind, names: EnumNames?) -> String {
        switch kind {
        case .double: floatingText(Double(bitPattern: bits), "\(Double(bitPattern: bits))")
        case .float:
            floatingText(
                Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))),
                "\(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))")
        case .bool: bits == 0 ? "false" : "true"
        case .uint32, .uint64, .fixed32, .fixed64: "\(bits)"
        case .enumeration:
            names?[Int32(truncatingIfNeeded: bits)].map { String(decoding: $0, as: UTF8.self) }
                ?? "\(Int32(truncatingIfNeeded: bits))"
        case .int32, .int64, .sint32, .sint64, .sfixed32, .sfixed64: "\(StoredNumber.signed(bits, as: kind))"
        case .string, .bytes, .message: ""
        }
    }

    private static func floatingText(_ value: Double, _ description: String) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Infinity" : "Infinity" }
        // Readers take `-0` for an integer and lose its sign.
        if description == "-0.0" { return description }
        return description.hasSuffix(".0") ? String(description.dropLast(2)) : description
    }

    /// Appends a number, bool or enum as a JSON value: 64-bit integers, names and what is not finite in quotes.
    static func append(
        _ bits: UInt64, as kind: ValueKind, names: EnumNames?, to json: inout [UInt8]
    ) {
        let text = text(of: bits, as: kind, names: names)
        let isQuoted =
            switch kind {
            case .int64, .uint64, .sint64, .fixed64, .sfixed64: true
            case .enumeration: names?[Int32(truncatingIfNeeded: bits)] != nil
            case .double, .float: text.hasSuffix("y") || text == "NaN"
            case .int32, .uint32, .sint32, .fixed32, .sfixed32, .bool, .string, .bytes, .message: false
            }
        if isQuoted { json.append(UInt8(ascii: "\"")) }
        json.append(contentsOf: text.utf8)
        if isQuoted { json.append(UInt8(ascii: "\"")) }
    }
}
