import PorticoSchema
import PorticoWire

/// The answer message of a view: a list of records or of groups, and what there is to say about all of them.
struct ViewOutput: Sendable {
    /// What the fields beside the list hold.
    struct Summary {
        /// Items or groups before paging.
        let count: Int
        let distinct: Int
        let cursor: PageCursor?
    }

    private let list: Int
    /// The top-level fields with the roles COUNT, DISTINCT and CURSOR, by number.
    private let extras: [OutputField]

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
        let extras = message.fields.filter { [.count, .distinct, .cursor].contains($0.role) }
            .sorted { $0.number < $1.number }
        for field in extras where !(field.role == .cursor ? field.type == .string : field.isInteger) {
            throw .unsuitableView("\(message.fullName).\(field.name) does not have the type of its role")
        }
        self.extras = extras.map(OutputField.init)
    }

    /// The answer of records.
    func gather(_ rows: ArraySlice<UInt32>, of records: Records, _ summary: Summary) -> [UInt8] {
        var writer = ProtobufWriter()
        writer.bytes.reserveCapacity(records.listSize(rows, field: list) + extras.count * Self.extraSize)
        write(summary, beforeList: true, to: &writer)
        records.write(rows, field: list, to: &writer)
        write(summary, beforeList: false, to: &writer)
        return writer.bytes
    }

    /// The answer of groups.
    func gather(_ groups: GroupedRecords, _ summary: Summary, as output: GroupOutput) -> [UInt8] {
        var groups = groups
        var writer = ProtobufWriter()
        let size = groups.shown.reduce(0) { $0 + output.estimatedSize(of: $1, in: groups) }
        writer.bytes.reserveCapacity(size + extras.count * Self.extraSize)
        write(summary, beforeList: true, to: &writer)
        var aside = GroupOutput.Aside()
        for index in groups.shown {
            output.write(index, of: &groups, field: list, to: &writer, by: &aside)
        }
        write(summary, beforeList: false, to: &writer)
        return writer.bytes
    }

    /// Fields go by number: some stand before the list, others behind it.
    private func write(_ summary: Summary, beforeList isBefore: Bool, to writer: inout ProtobufWriter) {
        for field in extras where (field.number < list) == isBefore {
            switch field.role {
            case .count: writer.countField(field, summary.count)
            case .distinct: writer.countField(field, summary.distinct)
            case .cursor:
                if let cursor = summary.cursor { writer.stringField(field.number, cursor.text) }
            case .key, .label, .items, nil: continue
            }
        }
    }

    /// A tag and a varint, or a cursor, at their longest.
    private static let extraSize = 5 + 1 + 13 + 1 + 13
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
