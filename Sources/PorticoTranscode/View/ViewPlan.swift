package import PorticoSchema

/// A view method, compiled: from the pages of its source to its own answer, without decoding a record.
///
/// ```
/// pages → records (byte ranges) → columns → filter → sort → group → page → gather
/// ```
/// Every step after the columns permutes row numbers; the answer copies each record's bytes once. What groups
/// and pages count is what the filters left; groups are first seen, and members stand, in sorted order.
package struct ViewPlan: Sendable {
    private let items: Int
    private let columns: ColumnPlan
    private let requestColumns: ColumnPlan
    private let filters: [ViewFilter]
    private let sort: [SortColumn]
    private let group: GroupColumn?
    private let page: ViewPage?
    /// Column of which the different values are counted.
    private let distinct: Int?
    private let output: ViewOutput

    private struct SortColumn: Sendable {
        let column: Int
        let isDescending: Bool
    }

    private struct GroupColumn: Sendable {
        let column: Int
        let order: ViewBinding.Grouping.Order
        let output: GroupOutput

        init(
            _ group: ViewBinding.Grouping, schema: Schema, answer: MessageID, record: MessageID,
            _ columns: inout ColumnPlan
        ) throws(TranscodeError) {
            column = try columns.require(group.by)
            order = group.order
            output = try GroupOutput(
                schema: schema, answer: answer, record: record, key: columns.shapes[column],
                label: group.label)
        }
    }

    /// - Parameter method: one that is bound to a view.
    /// - Throws: ``TranscodeError/unsuitableView(_:)`` for what the schema's compiler let pass.
    package init(schema: Schema, method id: MethodID) throws(TranscodeError) {
        let method = schema[id]
        guard case .view(let binding) = method.binding else {
            throw .unsuitableView("\(method.route) is not bound to a view")
        }
        let source = try schema.recordField(of: binding.from)
        var columns = ColumnPlan(schema: schema, message: source.record)
        var requestColumns = ColumnPlan(schema: schema, message: method.input)
        items = source.number
        filters = try binding.filters.map { filter throws(TranscodeError) in
            try ViewFilter(filter, schema: schema, columns: &columns, request: &requestColumns)
        }
        sort = try binding.sort.map { key throws(TranscodeError) in
            SortColumn(column: try columns.require(key.field), isDescending: key.isDescending)
        }
        group = try binding.group.map { group throws(TranscodeError) in
            try GroupColumn(group, schema: schema, answer: method.output, record: source.record, &columns)
        }
        page = try binding.page.map { page throws(TranscodeError) in
            try ViewPage(page, request: &requestColumns)
        }
        distinct = try binding.distinct.map { path throws(TranscodeError) in try columns.require(path) }
        output = try ViewOutput(
            schema: schema, answer: method.output,
            list: group.map { $0.output.group } ?? source.record)
        self.columns = columns
        self.requestColumns = requestColumns
    }

    /// - Parameters:
    ///   - pages: the source's encoded answers, in order.
    ///   - request: the view's encoded request message.
    /// - Returns: the encoded answer, fields by number, zero values left out.
    /// - Throws: ``TranscodeError/malformedProtobuf(_:offset:)`` for pages or a request that are no protobuf;
    ///   ``TranscodeError/invalidCursor``.
    package func run(pages: [RecordPage], request: [UInt8]) throws(TranscodeError) -> [UInt8] {
        let request = try RequestValues(requestColumns, request: request)
        let records = try Records(pages: pages, items: items)
        let values: [Column]
        do {
            values = try columns.extract(from: records)
        } catch {
            throw TranscodeError(error)
        }
        let rows = selected(request, from: records, values)
        guard let group else { return try list(rows, of: records, values, request) }
        return try groups(rows, by: group, of: records, values, request)
    }

    private func list(
        _ rows: [UInt32], of records: Records, _ values: [Column], _ request: RequestValues
    ) throws(TranscodeError) -> [UInt8] {
        let bytes = records.bytes.span
        let window = try window(request, of: rows.count) {
            bytes.fingerprint(records.ranges[Int(rows[$0])].range)
        }
        let distinct = distinct.map { DistinctValues(values[$0], bytes: bytes, rows: rows) }
        let summary = ViewOutput.Summary(
            count: rows.count, distinct: distinct?.total ?? 0, cursor: window.next)
        return output.gather(rows[window.range], of: records, summary)
    }

    private func groups(
        _ rows: [UInt32], by group: GroupColumn, of records: Records, _ values: [Column],
        _ request: RequestValues
    ) throws(TranscodeError) -> [UInt8] {
        let bytes = records.bytes.span
        let column = values[group.column]
        let grouping =
            group.output.showsMembers
            ? Grouping(CodedKeys(column, bytes: bytes, rows: rows), rows: rows)
            : Grouping(KeyCounts(column, bytes: bytes, rows: rows))
        let order = grouping.ordered(by: group.order, column: column, bytes: bytes)
        let window = try window(request, of: order.count) {
            GroupKey(column, row: Int(grouping.keys.firstRows[order[$0]]), bytes: bytes).fingerprint
        }
        let distinct = distinct.map { DistinctValues(values[$0], bytes: bytes, rows: rows) }
        let groups = GroupedRecords(
            records: records, column: column, grouping: grouping, shown: order[window.range],
            distinct: distinct)
        let summary = ViewOutput.Summary(
            count: grouping.count, distinct: distinct?.total ?? 0, cursor: window.next)
        return output.gather(groups, summary, as: group.output)
    }

    /// The rows that pass the filters, sorted.
    private func selected(_ request: RequestValues, from records: Records, _ values: [Column]) -> [UInt32] {
        let bytes = records.bytes.span
        var rows = Array(0..<UInt32(records.count))
        for filter in filters {
            filter.test(request)?.filter(&rows, column: values[filter.column], bytes: bytes)
        }
        guard !sort.isEmpty else { return rows }
        let keys = sort.map {
            RowOrder.Key(values[$0.column], rows: rows, bytes: bytes, isDescending: $0.isDescending)
        }
        return RowOrder(keys).sorted(rows, bytes: bytes)
    }

    /// Which of `count` items or groups the answer shows.
    private func window(
        _ request: RequestValues, of count: Int, fingerprintOf item: (Int) -> UInt64
    ) throws(TranscodeError) -> ViewPage.Window {
        guard let page else { return ViewPage.Window(range: 0..<count, next: nil) }
        return try page.window(request, of: count, fingerprintOf: item)
    }
}

extension ColumnPlan {
    mutating func require(_ path: FieldPath) throws(TranscodeError) -> Int {
        guard let column = column(path) else {
            throw .unsuitableView("\(path.joined(separator: ".")) is not a single value")
        }
        return column
    }
}

extension Schema {
    /// Where the answer of a view's source holds its records, and their type.
    func recordField(
        of id: MethodID
    ) throws(TranscodeError) -> (number: Int, record: MessageID) {
        let method = self[id]
        var name: String?
        if case .upstream(let upstream) = method.binding { name = upstream.paging?.items }
        let lists = self[method.output].fields.compactMap { field in
            name == nil || field.name == name ? field.listElement.map { (field.number, $0) } : nil
        }
        guard let list = lists.first, lists.count == 1 else {
            throw .unsuitableView("\(self[method.output].fullName) has no one list of records")
        }
        return list
    }
}

extension FieldDescriptor {
    /// The message type of a repeated message field.
    var listElement: MessageID? {
        guard case .repeated = cardinality, case .message(let message) = type else { return nil }
        return message
    }
}
