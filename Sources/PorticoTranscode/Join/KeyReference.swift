package import PorticoSchema
import PorticoWire

/// From a key to the request that it stands for.
///
///     planets/{id}/   https://swapi.dev/api/planets/1/   →   id = 1
///     {id}            42                                 →   id = 42
///
/// The pattern must end where the key ends, and begin where the key does or behind a `/`. What stands for the field has at least one
/// character, at most ``longestValue`` bytes, and no `/`, `?` or `#`. For an integer field it is a decimal number of the field's range.
package struct KeyReference: Sendable {
    /// Bytes. It becomes part of a URL; records come from an upstream, and may hold anything.
    package static let longestValue = 1024

    private let before: [UInt8]
    private let after: [UInt8]
    private let field: FieldDescriptor
    private let layout: MessageLayout

    /// - Parameter request: has the pattern's field, a string or an integer.
    package init(_ pattern: JoinBinding.Pattern, request: MessageID, in schema: Schema) {
        guard let field = schema[request].field(named: pattern.field) else {
            preconditionFailure("a join names fields that the schema has: the binder checks it")
        }
        before = Array(pattern.before.utf8)
        after = Array(pattern.after.utf8)
        self.field = field
        layout = MessageLayout(schema: schema, message: request)
    }

    /// Nil: the key does not look like this.
    package func request(for key: [UInt8]) -> [UInt8]? {
        guard let text = text(in: key) else { return nil }
        guard field.type != .string else {
            var writer = ProtobufWriter()
            writer.stringField(field.number, text)
            return writer.bytes
        }
        guard let integer = Int64(text), range.contains(integer),
            let empty = try? MessageFields(layout: layout, bytes: [])
        else { return nil }
        return empty.setting(field.name, integer: integer)
    }

    private func text(in key: [UInt8]) -> String? {
        guard key.suffix(after.count).elementsEqual(after) else { return nil }
        let rest = key.dropLast(after.count)
        let value = rest.suffix(while: { !"/?#".utf8.contains($0) })
        // The text in front of the field may reach into what was taken for the field's: `id-{id}`.
        for start in value.startIndex...value.endIndex {
            let front = rest[..<start]
            guard start < value.endIndex, front.suffix(before.count).elementsEqual(before) else { continue }
            let outside = front.dropLast(before.count).last
            guard outside == nil || outside == UInt8(ascii: "/") else { continue }
            let text = rest[start...]
            return text.count > Self.longestValue ? nil : String(validating: text, as: UTF8.self)
        }
        return nil
    }

    private var range: ClosedRange<Int64> {
        switch field.type {
        case .int32, .sint32, .sfixed32: Int64(Int32.min)...Int64(Int32.max)
        case .uint32, .fixed32: 0...Int64(UInt32.max)
        case .uint64, .fixed64: 0...Int64.max
        case .int64, .sint64, .sfixed64, .double, .float, .bool, .string, .bytes, .message, .enumeration:
            Int64.min...Int64.max
        }
    }
}

extension Collection where Element == UInt8, Self: BidirectionalCollection {
    /// The longest end of which every byte is accepted.
    fileprivate func suffix(while accepts: (UInt8) -> Bool) -> SubSequence {
        var start = endIndex
        while start > startIndex, accepts(self[index(before: start)]) { start = index(before: start) }
        return self[start...]
    }
}
