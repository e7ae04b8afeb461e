package import PorticoSchema

/// Fields of a list's records that its views group, filter, sort or count by. The decoder notes where it writes them, so
/// that nobody has to look for them in the records.
///
/// `GroupByEyeColor`, the one view of `ListPeople` that joins nothing and looks at one field, gives `list` 4 (`people`)
/// and `fields` 6 (`eye_color`).
package struct TappedFields: Sendable, Equatable {
    /// Number of the field that holds the records in the list method's answer.
    package let list: Int
    /// Their numbers in the record, rising.
    package let fields: [Int]
    /// The type of the records.
    let record: MessageID

    /// Nil: nothing is to be noted. A view that looks at a nested message needs a walk through the records anyhow, so nothing is
    /// noted for it; nor for one with joins, whose records are not what was decoded any more.
    ///
    /// - Parameter source: a list method.
    package init?(schema: Schema, source: MethodID) {
        guard let list = try? schema.recordField(of: source) else { return nil }
        var fields: Set<Int> = []
        for method in schema.methods {
            guard case .view(let view) = method.binding, view.from == source, view.joins.isEmpty else {
                continue
            }
            let numbers = view.columnPaths.map { path -> Int? in
                guard path.count == 1, let field = schema[list.record].field(named: path[0]) else {
                    return nil
                }
                return ColumnShape(field, isNested: false) == nil ? nil : field.number
            }
            if !numbers.contains(nil) { fields.formUnion(numbers.compactMap { $0 }) }
        }
        guard !fields.isEmpty, fields.count <= Self.most,
            schema[list.record].fields.count <= TapPlan.mostFields
        else { return nil }
        (self.list, record, self.fields) = (list.number, list.record, fields.sorted())
    }

    /// More would make the notes larger than many a record.
    private static let most = 16
}

extension ViewBinding {
    /// Everything that a view looks at in a record.
    fileprivate var columnPaths: [FieldPath] {
        filters.map(\.field) + sort.map(\.field) + [group?.by, distinct].compactMap { $0 }
    }
}
