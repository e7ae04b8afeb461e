package import PorticoSchema
package import PorticoWire

/// Fills the request of one method from the request of another, by fields of equal name and type.
package struct RequestBridge: Sendable {
    /// Field numbers of the target by those of the source.
    private let numbers: [Int: Int]

    /// - Parameter without: names of source fields that mean something else there.
    package init(from source: MessageDescriptor, to target: MessageDescriptor, without: Set<String> = []) {
        var numbers: [Int: Int] = [:]
        for field in source.fields where !without.contains(field.name) {
            guard let twin = target.field(named: field.name), twin.type == field.type,
                Self.isList(twin) == Self.isList(field)
            else { continue }
            numbers[field.number] = twin.number
        }
        self.numbers = numbers
    }

    /// - Parameter request: encoded; what has no twin is left out.
    /// - Returns: fields in the order of their numbers, as in canonical requests.
    package func fill(from request: [UInt8]) throws(ProtobufError) -> [UInt8] {
        let bytes = request.span
        var cursor = ProtobufCursor(0..<bytes.count)
        var fields: [(number: Int, bytes: [UInt8])] = []
        while let tag = try cursor.nextTag(in: bytes) {
            let valueStart = cursor.offset
            try cursor.skip(tag.wireType, in: bytes)
            guard let number = numbers[tag.field] else { continue }
            var writer = ProtobufWriter()
            writer.tag(number, tag.wireType)
            writer.bytes.append(copying: bytes.extracting(valueStart..<cursor.offset))
            fields.append((number, writer.bytes))
        }
        return fields.sorted { $0.number < $1.number }.flatMap(\.bytes)
    }

    private static func isList(_ field: FieldDescriptor) -> Bool {
        switch field.cardinality {
        case .implicit, .optional: false
        case .repeated, .map: true
        }
    }
}
