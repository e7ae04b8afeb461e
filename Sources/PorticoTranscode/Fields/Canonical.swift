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
        try writer.write(0, whole: 0..<message.count, depth: 1, in: message)
        return writer.out.bytes
    }
}

/// Keeps its scratch from message to message: with arrays of their own for each, writing the hostile corpus as JSON took
/// 21 allocations a record.
private struct CanonicalWriter {
    let tables: MessageLayout.Tables
    let maximumDepth: Int
    var out = ProtobufWriter()
    /// Values of the messages being written, the innermost message's last.
    private var found: [Occurrence] = []
    private var numbers: [UInt64] = []
    /// Of each oneof the member met last, reading backwards; -1: more than one.
    private var members: [Int: Int] = [:]

    init(tables: MessageLayout.Tables, maximumDepth: Int) {
        self.tables = tables
        self.maximumDepth = maximumDepth
    }

    /// A value in the input: the place behind its tag, and for a length-delimited one its content.
    private struct Occurrence {
        let field: Int
        let isDelimited: Bool
        let range: Range<Int>

        /// By field; equal fields keep their order.
        func precedes(_ other: Occurrence) -> Bool {
            (field, range.lowerBound) < (other.field, other.range.lowerBound)
        }
    }

    /// Writes a message that is in one piece.
    mutating func write(
        _ message: Int, whole: Range<Int>, depth: Int, in bytes: Span<UInt8>
    ) throws(TranscodeError) {
        found.append(Occurrence(field: -1, isDelimited: true, range: whole))
        try write(message, found.count - 1..<found.count, depth: depth, in: bytes)
        found.removeLast()
    }

    /// - Parameter parts: of ``found``, the message's encoded pieces; a singular message that comes twice has two.
    private mutating func write(
        _ message: Int, _ parts: Range<Int>, depth: Int, in bytes: Span<UInt8>
    ) throws(TranscodeError) {
        guard depth <= maximumDepth else {
            throw .malformedProtobuf(
                .tooDeep(limit: maximumDepth), offset: found[parts.lowerBound].range.lowerBound)
        }
        let fields = tables.messages[message]
        let first = found.count
        for part in parts {
            do throws(ProtobufError) { try collect(found[part].range, of: fields, in: bytes) } catch {
                throw TranscodeError(error)
            }
        }
        dropReplacedOneofMembers(from: first, of: fields)
        sort(from: first)
        var start = first
        while start < found.count {
            let field = found[start].field
            var end = start + 1
            while end < found.count, found[end].field == field { end += 1 }
            try write(fields[field], start..<end, depth: depth, in: bytes)
            start = end
        }
        found.removeLast(found.count - first)
    }

    private mutating func collect(
        _ part: Range<Int>, of fields: MessageLayout.Fields, in bytes: Span<UInt8>
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
    private mutating func dropReplacedOneofMembers(from first: Int, of fields: MessageLayout.Fields) {
        guard fields.contains(where: { $0.oneof >= 0 }) else { return }
        members.removeAll(keepingCapacity: true)
        var kept = found.count
        for index in (first..<found.count).reversed() {
            let (field, oneof) = (found[index].field, fields[found[index].field].oneof)
            if oneof >= 0 {
                // From the end backwards: the last member, until a different one is met.
                let last = members[oneof, default: field]
                members[oneof] = last == field ? last : -1
                guard last == field else { continue }
            }
            kept -= 1
            found[kept] = found[index]
        }
        found.removeSubrange(first..<kept)
    }

    /// Sorts the values of the message being written. Few are sorted where they are.
    private mutating func sort(from first: Int) {
        guard found.count - first <= 64 else {
            found.replaceSubrange(first..., with: found[first...].sorted { $0.precedes($1) })
            return
        }
        for index in first..<found.count {
            let value = found[index]
            var place = index
            while place > first, value.precedes(found[place - 1]) {
                found[place] = found[place - 1]
                place -= 1
            }
            found[place] = value
        }
    }

    /// - Parameter values: of ``found``.
    private mutating func write(
        _ field: FieldLayout, _ values: Range<Int>, depth: Int, in bytes: Span<UInt8>
    ) throws(TranscodeError) {
        switch (field.shape, field.kind) {
        case (.map, _): try writeMap(field, found[values].map(\.range), depth: depth, in: bytes)
        case (.repeated, .message):
            for value in values { try writeMessage(field, value..<value + 1, depth: depth, in: bytes) }
        case (_, .message): try writeMessage(field, values, depth: depth, in: bytes)
        case (.repeated, .string), (.repeated, .bytes):
            for value in values { try writeBytes(field, found[value].range, in: bytes) }
        case (_, .string), (_, .bytes):
            // Every string is checked, the replaced ones too.
            if field.kind == .string { for value in values { try bytes.checkUTF8(found[value].range) } }
            let last = found[values.upperBound - 1].range
            if !last.isEmpty || field.shape == .explicit { try writeBytes(field, last, in: bytes) }
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
        _ field: FieldLayout, _ parts: Range<Int>, depth: Int, in bytes: Span<UInt8>
    ) throws(TranscodeError) {
        let start = beginLength(field)
        try write(field.child, parts, depth: depth + 1, in: bytes)
        endLength(start)
    }

    private mutating func writeNumbers(
        _ field: FieldLayout, _ values: Range<Int>, in bytes: Span<UInt8>
    ) throws(TranscodeError) {
        numbers.removeAll(keepingCapacity: true)
        for value in values {
            let (range, isDelimited) = (found[value].range, found[value].isDelimited)
            var cursor = ProtobufCursor(range)
            repeat {
                if range.isEmpty { break }
                numbers.append(try StoredNumber.read(field.kind, &cursor, in: bytes))
            } while isDelimited && cursor.offset < cursor.end
        }
        guard let last = numbers.last else { return }
        switch field.shape {
        case .implicit, .explicit:
            if last != 0 || field.shape == .explicit { writeNumber(field, last) }
        case .repeated, .map: for number in numbers { writeNumber(field, number) }
        case .packed:
            let start = beginLength(field)
            for number in numbers { StoredNumber.write(number, as: field.kind, to: &out) }
            endLength(start)
        }
    }

    private mutating func writeNumber(_ field: FieldLayout, _ bits: UInt64) {
        out.tag(field.number, field.kind.wireType)
        StoredNumber.write(bits, as: field.kind, to: &out)
    }

    /// Writes the tag, and sets a byte aside for the length.
    /// - Returns: its place.
    private mutating func beginLength(_ field: FieldLayout) -> Int {
        out.tag(field.number, .lengthDelimited)
        out.bytes.append(0)
        return out.bytes.count - 1
    }

    /// Writes the length of everything behind its place, moving it when one byte is too few.
    private mutating func endLength(_ start: Int) {
        var rest = out.bytes.count - start - 1
        var place = start
        while rest >= 0x80 {
            out.bytes[place] = UInt8(truncatingIfNeeded: rest) | 0x80
            place += 1
            out.bytes.insert(0, at: place)
            rest >>= 7
        }
        out.bytes[place] = UInt8(rest)
    }
}

/// Maps: entries by key, of equal keys the last.
extension CanonicalWriter {
    private mutating func writeMap(
        _ field: FieldLayout, _ values: [Range<Int>], depth: Int, in bytes: Span<UInt8>
    ) throws(TranscodeError) {
        let key = tables.messages[field.child][0]
        var entries: [(key: [UInt8], content: [UInt8])] = []
        for value in values {
            var entry = CanonicalWriter(tables: tables, maximumDepth: maximumDepth)
            try entry.write(field.child, whole: value, depth: depth + 1, in: bytes)
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
