import PorticoSchema
import PorticoWire

/// The message of one group: its fields by their role, written in the order of their numbers.
struct GroupOutput: Sendable {
    /// The group message.
    let group: MessageID
    /// Fields with a role, by number.
    private let fields: [OutputField]
    private let keyText: KeyText
    private let label: Template?

    /// - Parameters:
    ///   - answer: the method's response message, which holds the list of groups.
    ///   - record: what the items of a group are.
    ///   - key: the records' field that they are grouped by.
    init(
        schema: Schema, answer: MessageID, record: MessageID, key: ColumnShape, label: Template?
    ) throws(TranscodeError) {
        let groups = schema[answer].fields.compactMap { $0.listElement }.filter { element in
            schema[element].fields.contains { $0.role != nil }
        }
        guard let group = groups.first else {
            throw .unsuitableView("\(schema[answer].fullName) has no list of groups")
        }
        self.group = group
        self.label = label
        let fields = schema[group].fields.filter { $0.role != nil }.sorted { $0.number < $1.number }
        keyText = KeyText(schema: schema, type: key.field.type)
        for field in fields where !Self.fits(field, record: record, key: key, label: label) {
            throw .unsuitableView(
                "\(schema[group].fullName).\(field.name) does not have the type of its role")
        }
        self.fields = fields.map(OutputField.init)
    }

    private static func fits(
        _ field: FieldDescriptor, record: MessageID, key: ColumnShape, label: Template?
    ) -> Bool {
        switch field.role {
        case .key:
            field.cardinality.isSingle
                && (field.type == key.field.type || field.type == .string && key.field.type != .bytes)
        case .count, .distinct: field.isInteger
        case .cursor: false
        case .label:
            field.type == .string && field.cardinality.isSingle
                && (key.field.type != .bytes || label?.pieces.contains(.field("key")) != true)
        case .items: field.listElement == record
        case nil: true
        }
    }

    /// Storage for what is written aside, used by one group after the other.
    struct Aside {
        /// Of a group's items.
        fileprivate var before = ProtobufWriter()
        fileprivate var after = ProtobufWriter()
        fileprivate var label: [UInt8] = []
    }

    /// Whether anything of a group depends on who its members are, not only on how many.
    var showsMembers: Bool { fields.contains { $0.role == .items || $0.role == .distinct } }

    /// Bytes to set aside for a group: its items and room for the rest.
    func estimatedSize(of index: Int, in groups: GroupedRecords) -> Int {
        guard let items = fields.first(where: { $0.role == .items }) else { return 64 }
        return groups.records.listSize(groups.grouping.rows(of: index), field: items.number) + 128
    }

    /// Writes a group as an element of the repeated field `list`.
    func write(
        _ index: Int, of groups: inout GroupedRecords, field list: Int, to writer: inout ProtobufWriter,
        by aside: inout Aside
    ) {
        let group = groups.group(index)
        // The few bytes around the items are written aside first: only then is the group's length known.
        aside.before.bytes.removeAll(keepingCapacity: true)
        aside.after.bytes.removeAll(keepingCapacity: true)
        var items: Int?
        for field in fields {
            if field.role == .items {
                items = field.number
            } else if items == nil {
                write(field, of: group, to: &aside.before, &aside.label)
            } else {
                write(field, of: group, to: &aside.after, &aside.label)
            }
        }
        let itemsSize = items.map { groups.records.listSize(group.rows, field: $0) } ?? 0
        writer.tag(list, .lengthDelimited)
        writer.varint(UInt64(aside.before.bytes.count + itemsSize + aside.after.bytes.count))
        writer.bytes.append(contentsOf: aside.before.bytes)
        if let items { groups.records.write(group.rows, field: items, to: &writer) }
        writer.bytes.append(contentsOf: aside.after.bytes)
    }

    private func write(
        _ field: OutputField, of group: GroupedRecords.Group, to writer: inout ProtobufWriter,
        _ label: inout [UInt8]
    ) {
        switch field.role {
        case .key: write(group.key, as: field, to: &writer)
        case .count: writer.countField(field, group.count)
        case .distinct: writer.countField(field, group.distinct)
        case .label: writeLabel(group.key, count: group.count, as: field, to: &writer, &label)
        case .items, .cursor, nil: return
        }
    }

    private func write(_ key: GroupKey, as field: OutputField, to writer: inout ProtobufWriter) {
        switch key {
        case .text(let text):
            if !text.isEmpty || field.hasPresence { writer.bytesField(field.number, text) }
        case .number(_, let rank) where field.type != .string:
            if !key.isZero || field.hasPresence { writer.rankField(field.number, field.type, rank: rank) }
        case .number:
            writer.bytesField(field.number, keyText.bytes(of: key))
        }
    }

    private func writeLabel(
        _ key: GroupKey, count: Int, as field: OutputField, to writer: inout ProtobufWriter,
        _ text: inout [UInt8]
    ) {
        guard let label else { return }
        text.removeAll(keepingCapacity: true)
        for piece in label.pieces {
            switch piece {
            case .literal(let literal): text.append(contentsOf: literal.utf8)
            case .field("count"): text.append(contentsOf: String(count).utf8)
            case .field: text.append(contentsOf: keyText.bytes(of: key))
            }
        }
        if !text.isEmpty || field.hasPresence { writer.bytesField(field.number, text) }
    }
}

/// A key as people read it: enums by the upstream's spelling or their name, whole floating-point numbers
/// without `.0`.
struct KeyText: Sendable {
    private let type: FieldType
    /// Number → spelling; of aliases the first.
    private let names: [Int64: String]

    init(schema: Schema, type: FieldType) {
        self.type = type
        guard case .enumeration(let id) = type else {
            names = [:]
            return
        }
        names = Dictionary(
            schema[id].values.map { (Int64($0.number), $0.json ?? $0.name) },
            uniquingKeysWith: { first, _ in first })
    }

    func bytes(of key: GroupKey) -> [UInt8] {
        switch key {
        case .text(let text): text
        case .number(.unsigned, let rank) where type == .bool: Array((rank == 0 ? "false" : "true").utf8)
        case .number(.unsigned, let rank): Array(String(rank).utf8)
        case .number(.signed, let rank): Array(signed(NumberKind.signed(rank)).utf8)
        case .number(.real, let rank): Array(real(NumberKind.real(rank)).utf8)
        }
    }

    private func signed(_ value: Int64) -> String { names[value] ?? String(value) }

    private func real(_ value: Double) -> String {
        let text = type == .float ? Float(value).description : value.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
