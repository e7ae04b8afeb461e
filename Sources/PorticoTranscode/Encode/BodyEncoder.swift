package import PorticoSchema
import PorticoWire

// A message as the JSON body that its upstream takes: what a decoder of the same type reads back. Worked example,
//
//     message Show { string name = 1; string small = 2 [(path) = "images.small"]; string big = 3 [(path) = "images.big"]; }
//
//     0a 04 Dark  12 01 s  1a 01 b   →   {"name":"Dark","images":{"small":"s","big":"b"}}
//
// The keys of each message are a tree, compiled once; writing walks it and leaves out what is unset.

/// Writes bodies for upstreams, of messages of one type. Compiled once, used by any thread.
package struct BodyEncoder: Sendable {
    private let layout: MessageLayout
    /// Of each message of the layout, in order of declaration of its first field.
    private let keys: [[BodyKey]]

    /// - Parameter message: no two of its fields take the same place; the schema's binder has seen to it.
    package init(schema: Schema, message: MessageID) {
        layout = MessageLayout(schema: schema, message: message)
        let paths = layout.tables.bodyPaths
        keys = layout.tables.messages.map { fields in
            BodyKey.tree(fields.enumerated().map { (paths[$1.names][...], $0) })
        }
    }

    /// Appends the message: fields under the upstream's names and enums in its spelling, unset fields left out, all numbers
    /// as numbers, bytes as base64.
    /// - Throws: ``TranscodeError/malformedProtobuf(_:offset:)``; nothing has then been appended.
    package func encode(_ message: Span<UInt8>, into json: inout [UInt8]) throws(TranscodeError) {
        let canonical = try layout.canonical(message)
        var writer = BodyWriter(tables: layout.tables, keys: keys, bytes: canonical)
        try writer.write(0, 0..<canonical.count)
        json += writer.json
    }
}

/// A key of a JSON object: a field's, or that of an object with fields further in.
private enum BodyKey: Sendable {
    /// - name: with quotes and colon.
    case field(name: [UInt8], index: Int)
    indirect case object(name: [UInt8], [BodyKey])

    /// - Parameter paths: what is left of each field's path, and the field's index.
    static func tree(_ paths: [(path: ArraySlice<String>, index: Int)]) -> [BodyKey] {
        var names: [String] = []
        for (path, _) in paths { if let name = path.first, !names.contains(name) { names.append(name) } }
        return names.map { name in
            var key: [UInt8] = []
            JSONOutput.append(string: Array(name.utf8).span, to: &key)
            key.append(UInt8(ascii: ":"))
            let below = paths.filter { $0.path.first == name }
            guard below[0].path.count > 1 else { return .field(name: key, index: below[0].index) }
            return .object(name: key, tree(below.map { ($0.path.dropFirst(), $0.index) }))
        }
    }
}

private struct BodyWriter {
    let tables: MessageLayout.Tables
    let keys: [[BodyKey]]
    /// Canonical: fields in order, each singular one once, defaults left out, lists packed where they can be.
    let bytes: [UInt8]
    var json: [UInt8] = []

    /// Of each field, its values: a packed list is one of them.
    private typealias Values = [[Range<Int>]]

    mutating func write(_ message: Int, _ range: Range<Int>) throws(TranscodeError) {
        let values = try values(of: message, range)
        try write(keys[message], of: tables.messages[message], values)
    }

    private func values(of message: Int, _ range: Range<Int>) throws(TranscodeError) -> Values {
        let fields = tables.messages[message]
        var values = Values(repeating: [], count: fields.count)
        var cursor = ProtobufCursor(range)
        do throws(ProtobufError) {
            while let tag = try cursor.nextTag(in: bytes.span) {
                let value = try cursor.content(of: tag.wireType, in: bytes.span)
                if let index = fields.index(ofNumber: tag.field, hint: 0) { values[index].append(value) }
            }
        } catch { throw TranscodeError(error) }
        return values
    }

    private mutating func write(
        _ keys: [BodyKey], of fields: MessageLayout.Fields, _ values: Values
    ) throws(TranscodeError) {
        json.append(UInt8(ascii: "{"))
        var isFirst = true
        for key in keys where key.isSet(values) {
            if !isFirst { json.append(UInt8(ascii: ",")) }
            isFirst = false
            switch key {
            case .field(let name, let index):
                json += name
                try write(fields[index], values[index])
            case .object(let name, let inner):
                json += name
                try write(inner, of: fields, values)
            }
        }
        json.append(UInt8(ascii: "}"))
    }

    private mutating func write(_ field: FieldLayout, _ values: [Range<Int>]) throws(TranscodeError) {
        switch field.shape {
        case .implicit, .explicit: try write(field, values[0])
        case .map: try writeMap(field, values)
        case .repeated, .packed: try writeList(field, values)
        }
    }

    private mutating func write(_ field: FieldLayout, _ value: Range<Int>) throws(TranscodeError) {
        let bytes = bytes
        switch field.kind {
        case .message: try write(field.child, value)
        case .string: JSONOutput.append(string: bytes.span.extracting(value), to: &json)
        case .bytes:
            json.append(UInt8(ascii: "\""))
            Base64.encode(value, of: bytes.span, into: &json)
            json.append(UInt8(ascii: "\""))
        case .double, .float, .int32, .int64, .uint32, .uint64, .sint32, .sint64, .fixed32, .fixed64,
            .sfixed32, .sfixed64, .bool, .enumeration:
            var cursor = ProtobufCursor(value)
            try writeNumber(field, &cursor)
        }
    }

    private mutating func writeNumber(
        _ field: FieldLayout, _ cursor: inout ProtobufCursor
    ) throws(TranscodeError) {
        let bits = try StoredNumber.read(field.kind, &cursor, in: bytes.span)
        if field.kind == .enumeration,
            let name = tables.spellings[field.child][Int32(truncatingIfNeeded: bits)]
        {
            return JSONOutput.append(string: name.span, to: &json)
        }
        let text = JSONOutput.text(of: bits, as: field.kind, names: nil)
        // JSON has no numbers for these; the decoder reads them as texts.
        let isNumber = text != "NaN" && !text.hasSuffix("Infinity")
        json += Array((isNumber ? text : "\"\(text)\"").utf8)
    }

    private mutating func writeList(_ field: FieldLayout, _ values: [Range<Int>]) throws(TranscodeError) {
        json.append(UInt8(ascii: "["))
        var isFirst = true
        for value in values {
            var cursor = ProtobufCursor(value)
            repeat {
                if !isFirst { json.append(UInt8(ascii: ",")) }
                isFirst = false
                if field.kind.wireType == .lengthDelimited {
                    try write(field, value)
                    break
                }
                try writeNumber(field, &cursor)
            } while cursor.offset < cursor.end
        }
        json.append(UInt8(ascii: "]"))
    }

    private mutating func writeMap(_ field: FieldLayout, _ entries: [Range<Int>]) throws(TranscodeError) {
        let parts = tables.messages[field.child]
        json.append(UInt8(ascii: "{"))
        for (index, entry) in entries.enumerated() {
            if index > 0 { json.append(UInt8(ascii: ",")) }
            let values = try values(of: field.child, entry)
            if parts[0].kind == .string {
                try write(parts[0], values[0][0])
            } else {
                var cursor = ProtobufCursor(values[0][0])
                let bits = try StoredNumber.read(parts[0].kind, &cursor, in: bytes.span)
                json += Array("\"\(JSONOutput.text(of: bits, as: parts[0].kind, names: nil))\"".utf8)
            }
            json.append(UInt8(ascii: ":"))
            try write(parts[1], values[1][0])
        }
        json.append(UInt8(ascii: "}"))
    }
}

extension BodyKey {
    fileprivate func isSet(_ values: [[Range<Int>]]) -> Bool {
        switch self {
        case .field(_, let index): !values[index].isEmpty
        case .object(_, let keys): keys.contains { $0.isSet(values) }
        }
    }
}
