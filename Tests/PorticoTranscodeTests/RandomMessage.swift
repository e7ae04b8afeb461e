import PorticoSchema
import PorticoWire
import TestSupport

/// Encoded messages with every field type, in any order, with repeated singular fields, unknown fields, lists packed and
/// not, and incomplete map entries: all that a reader must accept.
struct RandomMessage {
    let schema: Schema
    var generator: SeededGenerator
    /// Of texts and bytes; among them those around a word of eight bytes and a length of two bytes.
    var lengths = [0, 1, 3, 7, 8, 9, 60, 127, 128, 300]

    init(schema: Schema, seed: UInt64) {
        self.schema = schema
        generator = SeededGenerator(seed: seed)
    }

    mutating func bytes(of message: MessageID, depth: Int = 0) -> [UInt8] {
        var writer = ProtobufWriter()
        let fields = schema[message].fields
        for _ in 0..<Int.random(in: 0...(depth == 0 ? 20 : 5), using: &generator) {
            guard let field = fields.randomElement(using: &generator) else { break }
            append(field, to: &writer, depth: depth)
        }
        if Int.random(in: 0..<8, using: &generator) == 0 { writer.stringField(9999, "unknown") }
        return writer.bytes
    }

    private mutating func append(_ field: FieldDescriptor, to writer: inout ProtobufWriter, depth: Int) {
        if case .repeated = field.cardinality, !isDelimited(field.type), Bool.random(using: &generator) {
            var packed = ProtobufWriter()
            for _ in 0..<Int.random(in: 0...4, using: &generator) {
                appendValue(field.type, to: &packed, depth: depth)
            }
            return writer.bytesField(field.number, packed.bytes)
        }
        switch field.type {
        case .message where depth > 3: return
        case .double, .fixed64, .sfixed64: writer.tag(field.number, .fixed64)
        case .float, .fixed32, .sfixed32: writer.tag(field.number, .fixed32)
        case .string, .bytes, .message: writer.tag(field.number, .lengthDelimited)
        default: writer.tag(field.number, .varint)
        }
        appendValue(field.type, to: &writer, depth: depth)
    }

    private func isDelimited(_ type: FieldType) -> Bool {
        switch type {
        case .string, .bytes, .message: true
        default: false
        }
    }

    private mutating func appendValue(_ type: FieldType, to writer: inout ProtobufWriter, depth: Int) {
        switch type {
        case .double: append(double().bitPattern, width: 8, to: &writer)
        case .float: append(UInt64(Float(double()).bitPattern), width: 4, to: &writer)
        case .fixed64, .sfixed64: append(bits(), width: 8, to: &writer)
        case .fixed32, .sfixed32: append(bits(), width: 4, to: &writer)
        case .string: append(Array(text().utf8), to: &writer)
        case .bytes:
            append((0..<length()).map { _ in UInt8.random(in: 0...255, using: &generator) }, to: &writer)
        case .message(let id): append(bytes(of: id, depth: depth + 1), to: &writer)
        case .bool: writer.varint(UInt64.random(in: 0...2, using: &generator))
        case .enumeration: writer.varint(UInt64(bitPattern: Int64.random(in: -2...4, using: &generator)))
        default: writer.varint(bits())
        }
    }

    private func append(_ bits: UInt64, width: Int, to writer: inout ProtobufWriter) {
        for index in 0..<width { writer.bytes.append(UInt8(truncatingIfNeeded: bits >> UInt64(8 * index))) }
    }

    private func append(_ bytes: [UInt8], to writer: inout ProtobufWriter) {
        writer.varint(UInt64(bytes.count))
        writer.bytes += bytes
    }

    /// Small and large ones alike.
    private mutating func bits() -> UInt64 {
        let bits = generator.next() >> UInt64.random(in: 0...63, using: &generator)
        return Bool.random(using: &generator) ? bits : ~bits
    }

    private mutating func double() -> Double {
        let special = [
            0, -0.0, .nan, .infinity, -.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 0.1, 1e22,
            1e23,
        ]
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: return special.randomElement(using: &generator) ?? 0
        case 1: return Double(Int.random(in: -1_000_000...1_000_000, using: &generator)) / 1000
        default:
            // One pattern for all that are no number, as JSON has one name for them.
            let value = Double(bitPattern: generator.next())
            return value.isNaN ? .nan : value
        }
    }

    private mutating func length() -> Int {
        lengths.randomElement(using: &generator) ?? 0
    }

    private static let pieces = Array("aZ\"\\/\n\u{0}\u{7f}é€😀\u{2028}").map { Array(String($0).utf8) }

    private mutating func text() -> String {
        var text: [UInt8] = []
        for _ in 0..<length() { text += Self.pieces[Int.random(in: Self.pieces.indices, using: &generator)] }
        return String(decoding: text, as: UTF8.self)
    }
}
