package import PorticoSchema
import PorticoWire

/// Puts something of other records into each record of an encoded answer. Worked example, `key: "home" match: "p/{id}"
/// take: "name" into: "home_name"`, for `message Person { string home = 1; string home_name = 2; }`:
///
///     record                      0a 08 "http/p/7"                     the key is "http/p/7"
///     request for the other one   08 07                                id = 7
///     what that one answers       0a 04 "Naboo"[…]                     its name
///     record, joined              0a 08 "http/p/7"  12 05 "Naboo"
///
/// Records are walked over twice, once for the keys and once to copy them; nothing is decoded.
package struct JoinPlan: Sendable {
    /// A key as text, as it stands in the record.
    package typealias Key = [UInt8]

    private let list: Int?
    private let key: Place
    private let into: Place
    private let take: Place?
    private let reference: KeyReference

    /// A field on the wire.
    private struct Place {
        let number: Int
        let kind: ValueKind

        init(_ name: String, of message: MessageDescriptor) {
            guard let field = message.field(named: name) else {
                preconditionFailure("a join names fields that the schema has: the binder checks it")
            }
            number = field.number
            kind = ValueKind(field.type)
        }
    }

    /// - Parameter source: what the records come in.
    package init(_ join: JoinBinding, source: MessageID, in schema: Schema) {
        let answer = schema[source]
        list = join.list.map { Place($0, of: answer).number }
        var record = answer
        if let list = join.list, case .message(let id)? = answer.field(named: list)?.type {
            record = schema[id]
        }
        key = Place(join.key, of: record)
        into = Place(join.into, of: record)
        let other = schema[join.from]
        take = join.take.map { Place($0, of: schema[other.output]) }
        reference = KeyReference(join.match, request: other.input, in: schema)
    }

    /// The requests that the keys in an answer stand for, by key; nil: it is none that could be followed.
    package func requests(in answer: [UInt8]) throws(TranscodeError) -> [Key: [UInt8]?] {
        var requests: [Key: [UInt8]?] = [:]
        try forEachRecord(of: answer.span) { record throws(TranscodeError) in
            guard let key = try key(of: record, in: answer.span), requests[key] == nil else { return }
            requests[key] = .some(reference.request(for: key))
        }
        return requests
    }

    /// The field that is put into the records, from what another one answered.
    package func field(from other: [UInt8]) throws(TranscodeError) -> [UInt8] {
        var writer = ProtobufWriter()
        guard let take else {
            writer.bytesField(into.number, other)
            return writer.bytes
        }
        let bytes = other.span
        try forEachField(of: 0..<bytes.count, in: bytes) { tag, _, value in
            guard tag.field == take.number, tag.wireType == take.kind.wireType else { return }
            // The last one counts.
            writer.bytes.removeAll(keepingCapacity: true)
            writer.tag(into.number, tag.wireType)
            writer.bytes.append(copying: bytes.extracting(value))
        }
        return writer.bytes
    }

    /// The answer with these fields in its records; what a record had there before is left out.
    ///
    /// - Returns: how many records have a key that no field is known for, beside the answer.
    package func joined(
        _ answer: [UInt8], _ fields: [Key: [UInt8]]
    ) throws(TranscodeError) -> (answer: [UInt8], missing: Int) {
        let bytes = answer.span
        var (writer, missing) = (ProtobufWriter(), 0)
        writer.bytes.reserveCapacity(answer.count + answer.count / 4)
        guard let list else {
            try write(0..<answer.count, of: bytes, fields, counting: &missing, to: &writer)
            return (writer.bytes, missing)
        }
        var record = ProtobufWriter()
        try forEachField(of: 0..<bytes.count, in: bytes) { tag, field, value throws(TranscodeError) in
            guard tag.field == list, tag.wireType == .lengthDelimited else {
                return writer.bytes.append(copying: bytes.extracting(field))
            }
            record.bytes.removeAll(keepingCapacity: true)
            try write(Self.content(of: value, in: bytes), of: bytes, fields, counting: &missing, to: &record)
            writer.bytesField(list, record.bytes)
        }
        return (writer.bytes, missing)
    }

    private func write(
        _ record: Range<Int>, of bytes: Span<UInt8>, _ fields: [Key: [UInt8]], counting missing: inout Int,
        to writer: inout ProtobufWriter
    ) throws(TranscodeError) {
        try forEachField(of: record, in: bytes) { tag, field, _ in
            if tag.field != into.number { writer.bytes.append(copying: bytes.extracting(field)) }
        }
        guard let key = try key(of: record, in: bytes) else { return }
        if let field = fields[key] { writer.bytes.append(copying: field.span) } else { missing += 1 }
    }

    // MARK: Walking

    /// Nil: it names nothing.
    private func key(of record: Range<Int>, in bytes: Span<UInt8>) throws(TranscodeError) -> Key? {
        var found: Key?
        try forEachField(of: record, in: bytes) { tag, _, value throws(TranscodeError) in
            guard tag.field == key.number, tag.wireType == key.kind.wireType else { return }
            guard key.kind != .string else {
                found = [UInt8](copying: bytes.extracting(Self.content(of: value, in: bytes)))
                return
            }
            var cursor = ProtobufCursor(value)
            let bits = try StoredNumber.read(key.kind, &cursor, in: bytes)
            found = Array(JSONOutput.text(of: bits, as: key.kind, names: nil).utf8)
        }
        return found?.isEmpty == true ? nil : found
    }

    private func forEachRecord(
        of bytes: Span<UInt8>, _ body: (Range<Int>) throws(TranscodeError) -> Void
    ) throws(TranscodeError) {
        guard let list else { return try body(0..<bytes.count) }
        try forEachField(of: 0..<bytes.count, in: bytes) { tag, _, value throws(TranscodeError) in
            guard tag.field == list, tag.wireType == .lengthDelimited else { return }
            try body(Self.content(of: value, in: bytes))
        }
    }

    /// - Parameter body: is told the whole field, and its value, a length in front of it included.
    private func forEachField(
        of message: Range<Int>, in bytes: Span<UInt8>,
        _ body: (_ tag: ProtobufTag, _ field: Range<Int>, _ value: Range<Int>) throws(TranscodeError) -> Void
    ) throws(TranscodeError) {
        var cursor = ProtobufCursor(message)
        while true {
            let (start, tag, value): (Int, ProtobufTag, Int)
            do throws(ProtobufError) {
                start = cursor.offset
                guard let next = try cursor.nextTag(in: bytes) else { return }
                (tag, value) = (next, cursor.offset)
                try cursor.skip(next.wireType, in: bytes)
            } catch {
                throw TranscodeError(error)
            }
            try body(tag, start..<cursor.offset, value..<cursor.offset)
        }
    }

    /// Behind its length, which was read before.
    private static func content(of value: Range<Int>, in bytes: Span<UInt8>) -> Range<Int> {
        var cursor = ProtobufCursor(value)
        return (try? cursor.lengthDelimited(in: bytes)) ?? value.upperBound..<value.upperBound
    }
}
