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
    package func text(_ name: String) -> String? {
        guard let field = message.field(named: name) else { return nil }
        guard case .enumeration(let id) = field.type else { return fields.text(name) }
        let number = fields.integer(name) ?? 0
        let value = schema[id].values.first { Int64($0.number) == number }
        if let spelling = value?.json { return spelling }
        return fields.isSet(name) ? value?.name ?? "\(number)" : nil
    }
}
