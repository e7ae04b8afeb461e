package import PorticoSchema

/// Which fields of a message become columns: a tree of field numbers, compiled once, walked for each record.
///
/// The paths `eye_color` and `home.name` give two nodes: the record's own with `6 → column 0` and `9 → node
/// 1`, and node 1 with `1 → column 1`. Every other field is passed over.
package struct ColumnPlan: Sendable {
    /// What a field number leads to.
    enum Target: Sendable {
        case column(Int, FieldType)
        case node(Int)
        /// A field that is here only because it clears others.
        case nothing
    }

    struct Entry: Sendable {
        let number: Int
        var target: Target
        /// Columns that lose their value when this field is met: those of the other members of its oneof.
        var clears: [Int] = []
    }

    /// One message type on the way to a column.
    struct Node: Sendable {
        let message: MessageID
        var entries: [Entry] = []
        /// Columns of the message's own fields.
        var columns: [Int] = []
        /// What to do with each of the fifteen fields whose tag is one byte, if it comes as a text.
        var short = [16 of ShortField](repeating: .passed)

        init(message: MessageID) {
            self.message = message
            short[0] = .other  // there is no field 0
        }

        func entry(_ number: Int) -> Int? { entries.firstIndex { $0.number == number } }
    }

    /// What nearly all of a record is: texts with a tag and a length of one byte each.
    enum ShortField: Sendable {
        case passed
        case text(column: Int)
        /// Leads to a message, clears others, or is no text.
        case other

        init(_ entry: Entry) {
            switch entry.target {
            case .column(let column, .string), .column(let column, .bytes):
                self = entry.clears.isEmpty ? .text(column: column) : .other
            case .column, .node, .nothing: self = .other
            }
        }
    }

    private let schema: Schema
    private(set) var nodes: [Node]
    private var paths: [FieldPath] = []
    package private(set) var shapes: [ColumnShape] = []

    /// - Parameter message: the type of the records.
    package init(schema: Schema, message: MessageID) {
        self.schema = schema
        nodes = [Node(message: message)]
    }

    /// The index of the column for a path, which is added if it is new; nil if the path names no single
    /// scalar.
    package mutating func column(_ path: FieldPath) -> Int? {
        if let known = paths.firstIndex(of: path) { return known }
        guard let leafName = path.last, let node = node(at: path.dropLast()),
            let field = schema[nodes[node].message].field(named: leafName),
            let shape = ColumnShape(field, isNested: path.count > 1 || field.oneof != nil)
        else { return nil }
        let column = shapes.count
        paths.append(path)
        shapes.append(shape)
        nodes[node].columns.append(column)
        setTarget(.column(column, field.type), of: field, in: node)
        linkOneofs()
        for node in nodes.indices {
            for entry in nodes[node].entries where entry.number < 16 {
                nodes[node].short[entry.number] = ShortField(entry)
            }
        }
        return column
    }

    /// Of each column its field's number among the tapped ones; nil: not all are tapped.
    func taps(among tapped: TappedFields) -> [Int]? {
        guard tapped.record == nodes[0].message, paths.allSatisfy({ $0.count == 1 }) else { return nil }
        let taps = shapes.compactMap { tapped.fields.firstIndex(of: $0.field.number) }
        return taps.count == shapes.count ? taps : nil
    }

    /// The node of a message inside the record, made as needed.
    private mutating func node(at path: ArraySlice<String>) -> Int? {
        var current = 0
        for name in path {
            guard let field = schema[nodes[current].message].field(named: name) else { return nil }
            guard case .message(let message) = field.type, field.cardinality.isSingle else { return nil }
            if let entry = nodes[current].entry(field.number),
                case .node(let known) = nodes[current].entries[entry].target
            {
                current = known
            } else {
                nodes.append(Node(message: message))
                setTarget(.node(nodes.count - 1), of: field, in: current)
                current = nodes.count - 1
            }
        }
        return current
    }

    private mutating func setTarget(_ target: Target, of field: FieldDescriptor, in node: Int) {
        if let entry = nodes[node].entry(field.number) {
            nodes[node].entries[entry].target = target
        } else {
            nodes[node].entries.append(Entry(number: field.number, target: target))
        }
    }

    /// Works out anew, for every node, which field clears which columns.
    private mutating func linkOneofs() {
        for node in nodes.indices {
            let fields = schema[nodes[node].message].fields.filter { $0.oneof != nil }
            for field in fields {
                let rivals = fields.filter { $0.oneof == field.oneof && $0.number != field.number }
                let cleared = rivals.flatMap { rival in
                    nodes[node].entry(rival.number).map { columns(under: nodes[node].entries[$0].target) }
                        ?? []
                }
                guard !cleared.isEmpty else { continue }
                if nodes[node].entry(field.number) == nil { setTarget(.nothing, of: field, in: node) }
                if let entry = nodes[node].entry(field.number) {
                    nodes[node].entries[entry].clears = cleared
                }
            }
        }
    }

    private func columns(under target: Target) -> [Int] {
        switch target {
        case .column(let column, _): [column]
        case .node(let node):
            nodes[node].columns
                + nodes[node].entries.flatMap { entry -> [Int] in
                    if case .node = entry.target { columns(under: entry.target) } else { [] }
                }
        case .nothing: []
        }
    }
}

extension FieldCardinality {
    /// At most one value.
    var isSingle: Bool {
        switch self {
        case .implicit, .optional: true
        case .repeated, .map: false
        }
    }
}
