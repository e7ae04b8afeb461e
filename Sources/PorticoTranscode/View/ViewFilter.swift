import PorticoSchema

/// A view's comparison, compiled: which column, and where the operand comes from.
struct ViewFilter: Sendable {
    private enum Source: Sendable {
        case text([UInt8])
        case number(Double)
        case bool(Bool)
        /// The name of a value of the enum.
        case enumName(String)
        /// Column of the request; a text is looked up among the enum's names when there is one.
        case request(column: Int)
    }

    let column: Int
    private let comparison: ViewBinding.Filter.Comparison
    private let source: Source
    private let field: ColumnShape
    /// Name and upstream spelling → number, when the column is an enum.
    private let enumNumbers: [String: Int32]

    /// - Parameters:
    ///   - columns: gets the record's column.
    ///   - request: gets the request's column, when the operand is there.
    init(
        _ filter: ViewBinding.Filter, schema: Schema, columns: inout ColumnPlan, request: inout ColumnPlan
    ) throws(TranscodeError) {
        let path = filter.field.joined(separator: ".")
        guard let column = columns.column(filter.field) else {
            throw .unsuitableView("the records have no single value \(path) to compare")
        }
        self.column = column
        comparison = filter.comparison
        field = columns.shapes[column]
        enumNumbers = schema.enumNumbers(of: field.field.type)
        source = try Self.source(of: filter, field: field, request: &request)
    }

    private static func source(
        of filter: ViewBinding.Filter, field: ColumnShape, request: inout ColumnPlan
    ) throws(TranscodeError) -> Source {
        let path = filter.field.joined(separator: ".")
        if filter.comparison.isForText, !field.isText {
            throw .unsuitableView("\(filter.comparison.rawValue) needs a text, and \(path) is none")
        }
        switch filter.operand {
        case .request(let name):
            guard let column = request.column([name]) else {
                throw .unsuitableView("the request has no single value \(name) to compare \(path) with")
            }
            guard field.compares(with: request.shapes[column]) else {
                throw .unsuitableView("\(path) and the request's \(name) cannot be compared")
            }
            return .request(column: column)
        case .text(let text):
            if field.isText { return .text(Array(text.utf8)) }
            if field.isEnumeration { return .enumName(text) }
        case .number(let number):
            if !field.isText, field.field.type == .float { return .number(Double(Float(number))) }
            if !field.isText, field.field.type != .bool { return .number(number) }
        case .bool(let value):
            if field.field.type == .bool { return .bool(value) }
        }
        throw .unsuitableView("\(path) cannot be compared with \(filter.operand)")
    }

    /// The comparison for one request; nil when the operand is not set and the comparison is left out.
    func test(_ request: RequestValues) -> RowTest? {
        guard let operand = operand(request) else { return nil }
        switch field.values {
        case .text: return RowTest(comparison, operand, kind: .unsigned)
        case .number(let kind): return RowTest(comparison, operand, kind: kind)
        }
    }

    private func operand(_ request: RequestValues) -> RowTest.Operand? {
        switch source {
        case .text(let text): return .text(text)
        case .number(let number): return .number(.real(number))
        case .bool(let value): return .number(.unsigned(value ? 1 : 0))
        case .enumName(let name): return enumOperand(name)
        case .request(let column):
            guard let operand = request.operand(column) else { return nil }
            if case .text(let text) = operand, !field.isText {
                return enumOperand(String(decoding: text, as: UTF8.self))
            }
            return operand
        }
    }

    private func enumOperand(_ name: String) -> RowTest.Operand {
        enumNumbers[name].map { .number(.signed(Int64($0))) } ?? .nothing
    }
}

extension ViewBinding.Filter.Comparison {
    fileprivate var isForText: Bool {
        switch self {
        case .contains, .startsWith: true
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual: false
        }
    }
}

extension ColumnShape {
    var isText: Bool {
        switch values {
        case .text: true
        case .number: false
        }
    }

    var isEnumeration: Bool {
        switch field.type {
        case .enumeration: true
        case .double, .float, .int32, .int64, .uint32, .uint64, .sint32, .sint64, .fixed32, .fixed64,
            .sfixed32,
            .sfixed64, .bool, .string, .bytes, .message:
            false
        }
    }

    /// Texts with texts, numbers with numbers, a bool with a bool, an enum with itself, a number or a name.
    fileprivate func compares(with other: ColumnShape) -> Bool {
        if isText || other.isText {
            return isText == other.isText || (isEnumeration && other.field.type == .string)
        }
        if isEnumeration, other.isEnumeration { return field.type == other.field.type }
        return (field.type == .bool) == (other.field.type == .bool)
    }
}

extension Schema {
    /// Name and upstream spelling → number; empty for a type that is no enum.
    fileprivate func enumNumbers(of type: FieldType) -> [String: Int32] {
        guard case .enumeration(let id) = type else { return [:] }
        var numbers: [String: Int32] = [:]
        for value in self[id].values {
            numbers[value.name] = value.number
            if let json = value.json, numbers[json] == nil { numbers[json] = value.number }
        }
        return numbers
    }
}
