package import PorticoSchema
package import PorticoTranscode

/// The fields of a request as they are written into a URL.
package struct RequestText: Sendable {
    private let schema: Schema
    private let message: MessageDescriptor
    private let fields: MessageFields

    /// - Parameter layout: of `message`.
    package init(
        _ request: [UInt8], as message: MessageID, _ layout: MessageLayout, in schema: Schema
    ) throws(TranscodeError) {
        self.schema = schema
        self.message = schema[message]
        fields = try MessageFields(layout: layout, bytes: request)
    }

    /// Nil: unset. Enum values are spelled as the upstream spells them.
    /// - Parameter path: a field, or one inside single messages: `employee.uuid`.
    package func text(_ path: String) -> String? {
        guard path.utf8.contains(UInt8(ascii: ".")) else { return text(path, message, fields) }
        let names = path.split(separator: ".").map(String.init)
        var (message, fields) = (message, fields)
        for name in names.dropLast() {
            guard case .message(let inner) = message.field(named: name)?.type,
                let found = fields.message(name)
            else { return nil }
            (message, fields) = (schema[inner], found)
        }
        return names.last.flatMap { text($0, message, fields) }
    }

    /// A single message of the request, encoded; nil: unset.
    package func message(_ name: String) -> [UInt8]? { fields.message(name)?.bytes }

    private func text(_ name: String, _ message: MessageDescriptor, _ fields: MessageFields) -> String? {
        guard let field = message.field(named: name) else { return nil }
        guard case .enumeration(let id) = field.type else { return fields.text(name) }
        let number = fields.integer(name) ?? 0
        let value = schema[id].values.first { Int64($0.number) == number }
        if let spelling = value?.json { return spelling }
        return fields.isSet(name) ? value?.name ?? "\(number)" : nil
    }
}
