package import PorticoSchema
import PorticoWire

// One form for equal messages, so that their bytes can be compared and hashed. Worked example, a request with
// `int32 page = 1; string name = 2` as some client sent it:
//
//     12 01 61  08 00  08 82 00  1a 00       name "a", page 0, page 2 in a padded varint, an unknown field 3
//     08 02  12 01 61                        page 2 (the last), name "a"

/// The canonical form of a message: fields by number, defaults and unknown fields left out, the last value of a singular
/// field, parts of a message merged, numbers of a list packed if their field is, map entries by key with key and value.
/// - Throws: ``TranscodeError/malformedProtobuf(_:offset:)``, for strings that are not UTF-8 too.
package func canonical(
    _ message: Span<UInt8>, as type: MessageID, in schema: Schema
) throws(TranscodeError) -> [UInt8] {
    try MessageLayout(schema: schema, message: type).canonical(message)
}

extension MessageLayout {
    /// As the function of that name, for a type compiled once.
    /// - Parameter maximumDepth: of nested messages, the root included.
    package func canonical(_ message: Span<UInt8>, maximumDepth: Int = 100) throws(TranscodeError) -> [UInt8]
    {
        isPlainlyCanonical(message)
            ? Array(copying: message) : try rewritten(message, maximumDepth: maximumDepth)
    }

    /// In canonical form, whatever form it is in.
    func rewritten(_ message: Span<UInt8>, maximumDepth: Int) throws(TranscodeError) -> [UInt8] {
        var writer = CanonicalWriter(tables: tables, maximumDepth: maximumDepth)
        try writer.write(0, [0..<message.count], depth: 1, in: message)
        return writer.out.bytes
    }
}

private struct CanonicalWriter {
    let tables: MessageLayout.Tables
    let maximumDepth: Int
    var out = ProtobufWriter()

    /// A value in the input: the place behind its tag, and for a length-delimited one its content.
    struct Occurrence {
        let field: Int
        let isDelimited: Bool
        let range: Range<Int>
    }

    /// - Parameter parts: the message's encoded pieces; a singular message that comes twice has two.
    mutating func write(
        _ message: Int, _ parts: [Range<Int>], depth: Int, in bytes: Span<UInt8>
    ) throws(TranscodeError) {
        guard depth <= maximumDepth else {
            throw .malformedProtobuf(.tooDeep(limit: maximumDepth), offset: parts.first?.lowerBound ?? 0)
        }
        let fields = tables.messages[message]
        var found: [Occurrence] = []
        for part in parts {
            do throws(ProtobufError) {
                try Self.collect(part, of: fields, into: &found, in: bytes)
            } catch { throw TranscodeError(error) }
        }
        dropReplacedOneofMembers(&found, of: fields)
        // Stable by construction: equal fields keep their order.
        var byField: [Int: [Occurrence]] = [:]
        for occurrence in found { byField[occurrence.field, default: []].append(occurrence) }
        for (index, field) in fields.enumerated() {
            guard let values = byField[index] else { continue }
            try write(field, values, depth: depth, in: bytes)
        }
    }

    private static func collect(
        _ part: Range<Int>, of fields: MessageLayout.Fields, into found: inout [Occurrence],
        in bytes: Span<UInt8>
    ) throws(ProtobufError) {
        var cursor = ProtobufCursor(part)
        var hint = 0
        while let tag = try cursor.nextTag(in: bytes) {
            guard let index = fields.index(ofNumber: tag.field, hint: hint),
                fields[index].accepts(tag.wireType)
            else {
                try cursor.skip(tag.wireType, in: bytes)
                continue
            }
            hint = index + 1
            let range = try cursor.content(of: tag.wireType, in: bytes)
            found.append(
                Occurrence(field: index, isDelimited: tag.wireType == .lengthDelimited, range: range))
        }
    }

    /// Of a oneof the member that came last stays, with all its parts since another one was set.
    private func dropReplacedOneofMembers(_ found: inout [Occurrence], of fields: MessageLayout.Fields) {
        guard fields.contains(where: { $0.oneof >= 0 }) else { return }
        var current: [Int: Int] = [:]
        var kept: [Occurrence] = []
        for occurrence in found.reversed() {
            let oneof = fields[occurrence.field].oneof
            if oneof >= 0 {
                // From the end backwards: the last member, until a different one is met.
                let last = current[oneof, default: occurrence.field]
                current[oneof] = last == occurrence.field ? last : -1
                guard last == occurrence.field else { continue }
            }
            kept.append(occurrence)
        }
        found = kept.reversed()
    }

    private mutating func write(
        _ field: FieldLayout, _ values: [Occurrence], depth: Int, in bytes: Span<UInt8>
    ) throws(TranscodeError) {
        switch (field.shape, field.kind) {
        case (.map, _): try writeMap(field, values, depth: depth, in: bytes)
        case (.repeated, .message):
            for value in values { try writeMessage(field, [value.range], depth: depth, in: bytes) }
        case (_, .message): try writeMessage(field, values.map(\.range), depth: depth, in: bytes)
        case (.repeated, .string), (.repeated, .bytes):
            for value in values { try writeBytes(field, value.range, in: bytes) }
        case (_, .string), (_, .bytes):
            guard let last = values.last else { return }
            // Every string is checked, the replaced ones too.
            if field.kind == .string { for value in values { try bytes.checkUTF8(value.range) } }
            if !last.range.isEmpty || field.shape == .explicit {
                try writeBytes(field, last.range, in: bytes)
            }
        default: try writeNumbers(field, values, in: bytes)
        }
    }

    private mutating func writeBytes(
        _ field: FieldLayout, _ range: Range<Int>, in bytes: Span<UInt8>
    ) throws(TranscodeError) {
        if field.kind == .string { try bytes.checkUTF8(range) }
        out.bytesField(field.number, bytes.extracting(range))
    }

    private mutating func writeMessage(
        _ field: FieldLayout, _ parts: [Range<Int>], depth: Int, in bytes: Span<UInt8>
    ) throws(TranscodeError) {
        var nested = CanonicalWriter(tables: tables, maximumDepth: maximumDepth)
        try nested.write(field.child, parts, depth: depth + 1, in: bytes)
        out.bytesField(field.number, nested.out.bytes)
    }

    private mutating func writeNumbers(
        _ field: FieldLayout, _ values: [Occurrence], in bytes: Span<UInt8>
    ) throws(TranscodeError) {
        var numbers: [UInt64] = []
        for value in values {
            var cursor = ProtobufCursor(value.range)
            repeat {
                if value.range.isEmpty { break }
                numbers.append(try StoredNumber.read(field.kind, &cursor, in: bytes))
            } while value.isDelimited && cursor.offset < cursor.end
        }
        guard let last = numbers.last else { return }
        switch field.shape {
        case .implicit, .explicit:
            if last != 0 || field.shape == .explicit { writeNumber(field, last) }
        case .repeated, .map: for number in numbers { writeNumber(field, number) }
        case .packed:
            var packed = ProtobufWriter()
            for number in numbers { StoredNumber.write(number, as: field.kind, to: &packed) }
            out.bytesField(field.number, packed.bytes)
        }
    }

    private mutating func writeNumber(_ field: FieldLayout, _ bits: UInt64) {
        out.tag(field.number, field.kind.wireType)
        StoredNumber.write(bits, as: field.kind, to: &out)
    }
}

/// Maps: entries by key, of equal keys the last.
extension CanonicalWriter {
    private mutating func writeMap(
        _ field: FieldLayout, _ values: [Occurrence], depth: Int, in bytes: Span<UInt8>
    ) throws(TranscodeError) {
        let key = tables.messages[field.child][0]
        var entries: [(key: [UInt8], content: [UInt8])] = []
        for value in values {
            var entry = CanonicalWriter(tables: tables, maximumDepth: maximumDepth)
            try entry.write(field.child, [value.range], depth: depth + 1, in: bytes)
            try entry.addMissing(of: field.child)
            entries.append((Self.keyBytes(of: entry.out.bytes, key), entry.out.bytes))
        }
        var last: [[UInt8]: Int] = [:]
        for (index, entry) in entries.enumerated() { last[entry.key] = index }
        let kept = last.values.sorted { Self.precedes(entries[$0].key, entries[$1].key, as: key.kind) }
        for index in kept { out.bytesField(field.number, entries[index].content) }
    }

    /// An entry always has both its fields: the absent one is its default.
    private mutating func addMissing(of entry: Int) throws(TranscodeError) {
        let fields = tables.messages[entry]
        var cursor = ProtobufCursor(0..<out.bytes.count)
        var present: Set<Int> = []
        do throws(ProtobufError) {
            while let tag = try cursor.nextTag(in: out.bytes.span) {
                present.insert(tag.field)
                try cursor.skip(tag.wireType, in: out.bytes.span)
            }
        } catch { throw TranscodeError(error) }
        var missing = ProtobufWriter()
        for field in fields where !present.contains(field.number) {
            missing.tag(field.number, field.kind.wireType)
            StoredNumber.write(0, as: field.kind, to: &missing)
            if field.number == 1 {
                out.bytes = missing.bytes + out.bytes
            } else {
                out.bytes += missing.bytes
            }
            missing = ProtobufWriter()
        }
    }

    /// The key's tag and value, with which a canonical entry begins.
    private static func keyBytes(of entry: [UInt8], _ key: FieldLayout) -> [UInt8] {
        var cursor = ProtobufCursor(0..<entry.count)
        guard let tag = try? cursor.nextTag(in: entry.span),
            (try? cursor.skip(tag.wireType, in: entry.span)) != nil
        else { preconditionFailure("a canonical entry begins with its key: a bug in the writer") }
        return Array(entry[..<cursor.offset])
    }

    private static func precedes(_ left: [UInt8], _ right: [UInt8], as kind: ValueKind) -> Bool {
        if kind == .string {
            return text(left).lexicographicallyPrecedes(text(right))
        }
        return StoredNumber.precedes(number(left, kind), number(right, kind), as: kind)
    }

    private static func text(_ key: [UInt8]) -> ArraySlice<UInt8> {
        var cursor = ProtobufCursor(1..<key.count)
        let range = (try? cursor.lengthDelimited(in: key.span)) ?? 1..<key.count
        return key[range]
    }

    private static func number(_ key: [UInt8], _ kind: ValueKind) -> UInt64 {
        var cursor = ProtobufCursor(1..<key.count)
        return (try? StoredNumber.read(kind, &cursor, in: key.span)) ?? 0
    }
}
