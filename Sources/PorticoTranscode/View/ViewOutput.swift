import PorticoSchema
import PorticoWire

/// The answer message of a view: a list of records or of groups, and how many there are before paging.
struct ViewOutput: Sendable {
    private let list: Int
    /// The top-level field with the role COUNT.
    private let total: FieldDescriptor?

    /// - Parameters:
    ///   - answer: the method's response message.
    ///   - element: the message in its list, records or groups.
    init(schema: Schema, answer: MessageID, list element: MessageID) throws(TranscodeError) {
        let message = schema[answer]
        let lists = message.fields.filter { $0.listElement == element }
        guard let field = lists.first(where: { $0.role == .items }) ?? lists.first else {
            throw .unsuitableView("\(message.fullName) has no list of \(schema[element].fullName)")
        }
        list = field.number
        total = message.fields.first { $0.role == .count }
        if let total, !total.isInteger {
            throw .unsuitableView("\(message.fullName).\(total.name) counts and is not an integer")
        }
    }

    /// The answer of records.
    func gather(_ rows: ArraySlice<UInt32>, of records: Records, total count: Int) -> [UInt8] {
        var writer = ProtobufWriter()
        writer.bytes.reserveCapacity(records.listSize(rows, field: list) + ViewOutput.countSize)
        writeTotal(count, beforeList: true, to: &writer)
        records.write(rows, field: list, to: &writer)
        writeTotal(count, beforeList: false, to: &writer)
        return writer.bytes
    }

    /// The answer of groups.
    /// - Parameter groups: which groups, in order; the total counts all of `grouping`'s.
    func gather(
        _ groups: ArraySlice<Int>, of grouping: Grouping, _ column: Column, _ records: Records,
        as group: GroupOutput
    ) -> [UInt8] {
        var writer = ProtobufWriter()
        let size = groups.reduce(0) { $0 + group.estimatedSize(of: $1, in: grouping, records) }
        writer.bytes.reserveCapacity(size + ViewOutput.countSize)
        writeTotal(grouping.count, beforeList: true, to: &writer)
        for index in groups {
            group.write(index, of: grouping, column, records, field: list, to: &writer)
        }
        writeTotal(grouping.count, beforeList: false, to: &writer)
        return writer.bytes
    }

    /// Fields go by number: the total stands before the list or behind it.
    private func writeTotal(_ count: Int, beforeList isBefore: Bool, to writer: inout ProtobufWriter) {
        guard let total, (total.number < list) == isBefore else { return }
        writer.countField(total, count)
    }

    /// A tag and a varint, at their longest.
    private static let countSize = 5 + 10
}

extension ProtobufWriter {
    /// A count in a field of any integer type; zero is left out unless the field has presence.
    mutating func countField(_ field: FieldDescriptor, _ count: Int) {
        guard count != 0 || field.hasPresence else { return }
        let isSigned = ColumnShape(field, isNested: false)?.isSigned ?? false
        rankField(
            field.number, field.type,
            rank: isSigned ? NumberKind.rank(signed: Int64(count)) : UInt64(count))
    }
}

extension Records {
    /// Encoded size of the records as a repeated field.
    func listSize(_ rows: ArraySlice<UInt32>, field: Int) -> Int {
        let tag = UInt64(field << 3).varintSize
        return rows.reduce(0) { size, row in
            let count = UInt64(ranges[Int(row)].count)
            return size + tag + count.varintSize + Int(count)
        }
    }

    func write(_ rows: ArraySlice<UInt32>, field: Int, to writer: inout ProtobufWriter) {
        let bytes = bytes.span
        for row in rows {
            writer.bytesField(field, bytes.extracting(ranges[Int(row)].range))
        }
    }
}

extension UInt64 {
    /// Bytes of the number as a varint: 1 to 10.
    var varintSize: Int { Swift.max(1, (UInt64.bitWidth - leadingZeroBitCount + 6) / 7) }
}

extension FieldDescriptor {
    var hasPresence: Bool { cardinality == .optional || oneof != nil }

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
