import PorticoSchema
import PorticoWire

/// What a view needs of a field to write it, once or for each group. Plain values: a descriptor has texts and lists in it,
/// and copying those of six groups' fields took longer than writing them.
struct OutputField: Sendable {
    let number: Int
    let type: FieldType
    let role: FieldRole?
    let hasPresence: Bool
    /// Of an integer.
    let isSigned: Bool

    init(_ field: FieldDescriptor) {
        number = field.number
        type = field.type
        role = field.role
        hasPresence = field.cardinality == .optional || field.oneof != nil
        isSigned = ColumnShape(field, isNested: false)?.isSigned ?? false
    }
}

extension ProtobufWriter {
    /// A count in a field of any integer type; zero is left out unless the field has presence.
    mutating func countField(_ field: OutputField, _ count: Int) {
        guard count != 0 || field.hasPresence else { return }
        rankField(
            field.number, field.type,
            rank: field.isSigned ? NumberKind.rank(signed: Int64(count)) : UInt64(count))
    }
}

extension FieldDescriptor {
    var isInteger: Bool { ColumnShape(self, isNested: false)?.isInteger ?? false }
}

extension ColumnShape {
    /// An integer type; enums and bool are none.
    var isInteger: Bool {
        switch field.type {
        case .int32, .int64, .uint32, .uint64, .sint32, .sint64, .fixed32, .fixed64, .sfixed32, .sfixed64:
            true
        case .double, .float, .bool, .string, .bytes, .message, .enumeration: false
        }
    }

    fileprivate var isSigned: Bool {
        switch values {
        case .number(.signed): true
        case .number(.unsigned), .number(.real), .text: false
        }
    }
}
