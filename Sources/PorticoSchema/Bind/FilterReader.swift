/// Reads the comparisons of a view's `where`.
///
///     "gender"                     field gender = the request's gender
///     "name contains {name}"       field name, contains, the request's name
///     "age >= 18", "team = 'Core'", "active = true"
struct FilterReader {
    /// In pieces, nothing checked against a message yet.
    struct Parts: Equatable {
        var field: String
        var comparison: String
        var operand: String
    }

    /// Longest first, so that `<=` is not read as `<`.
    private static let symbols = ["!=", "<=", ">=", "=", "<", ">"]

    /// - Returns: nil when it is no comparison.
    static func parts(_ text: String) -> Parts? {
        let trimmed = trim(text[...])
        let field = trimmed.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
        guard !field.isEmpty else { return nil }
        let rest = trim(trimmed[field.endIndex...])
        if rest.isEmpty { return Parts(field: String(field), comparison: "=", operand: "{\(field)}") }
        let word = rest.prefix { $0.isLetter || $0 == "_" }
        let comparison = word.isEmpty ? symbols.first { rest.hasPrefix($0) } : String(word)
        guard let comparison else { return nil }
        let operand = trim(rest.dropFirst(comparison.count))
        return operand.isEmpty
            ? nil : Parts(field: String(field), comparison: comparison, operand: String(operand))
    }

    /// - Returns: nil when it is no operand.
    static func operand(_ text: String) -> ViewBinding.Filter.Operand? {
        let inside = String(text.dropFirst().dropLast())
        switch (text.first, text.last) {
        case ("{", "}") where text.count > 2: return .request(inside)
        case ("'", "'") where text.count > 1 && !inside.contains("'"): return .text(inside)
        case ("\"", "\"") where text.count > 1 && !inside.contains("\""): return .text(inside)
        default: break
        }
        if text == "true" || text == "false" { return .bool(text == "true") }
        let isNumber = text.utf8.allSatisfy { Lexer.isDigit($0) || "+-.eE".utf8.contains($0) }
        return isNumber ? Double(text).map { .number($0) } : nil
    }

    private static func trim(_ text: Substring) -> Substring {
        var text = text.drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        return text
    }
}

extension Binder {
    mutating func filter(_ text: Name, record: MessageID, request: MessageID) -> ViewBinding.Filter? {
        guard let parts = FilterReader.parts(text.text) else {
            faults.add(text.location, "\"\(text.text)\" is no comparison; write \"team\" or \"age >= 18\"")
            return nil
        }
        guard let comparison = ViewBinding.Filter.Comparison(rawValue: parts.comparison) else {
            let words = "= != < <= > >= contains starts_with"
            faults.add(text.location, "\"\(parts.comparison)\" is no comparison; there are \(words)")
            return nil
        }
        guard let operand = FilterReader.operand(parts.operand) else {
            faults.add(
                text.location, "\(parts.operand) is no value; write {field}, 'text', a number, true or false")
            return nil
        }
        guard let (path, field) = path(Name(text: parts.field, location: text.location), from: record) else {
            return nil
        }
        let filter = ViewBinding.Filter(field: path, comparison: comparison, operand: operand)
        return fits(filter, field, text, request: request) ? filter : nil
    }

    /// What a field holds, as far as comparing goes.
    private enum Class: Equatable { case text, number, bool, enumeration(EnumID) }

    private func classify(_ field: FieldDescriptor) -> Class? {
        switch field.type {
        case .string: .text
        case .double, .float, .int32, .int64, .uint32, .uint64, .sint32, .sint64, .fixed32, .fixed64,
            .sfixed32,
            .sfixed64:
            .number
        case .bool: .bool
        case .enumeration(let id): .enumeration(id)
        case .bytes, .message: nil
        }
    }

    private mutating func fits(
        _ filter: ViewBinding.Filter, _ field: FieldDescriptor, _ text: Name, request: MessageID
    ) -> Bool {
        guard let kind = classify(field) else { return false }
        if !Self.allows(filter.comparison, on: kind) {
            faults.add(
                text.location, "\"\(field.name)\" cannot be compared by \"\(filter.comparison.rawValue)\"")
            return false
        }
        switch (filter.operand, kind) {
        case (.text, .text), (.number, .number), (.bool, .bool): return true
        case (.text(let value), .enumeration(let id)): return knows(value, id, text)
        case (.request(let name), _): return fits(request: name, field, kind, text, message: request)
        case (.text, _), (.number, _), (.bool, _):
            faults.add(text.location, "\"\(field.name)\" cannot be compared with a value of that type")
            return false
        }
    }

    private static func allows(_ comparison: ViewBinding.Filter.Comparison, on kind: Class) -> Bool {
        switch comparison {
        case .equal, .notEqual: true
        case .less, .lessOrEqual, .greater, .greaterOrEqual: kind == .text || kind == .number
        case .contains, .startsWith: kind == .text
        }
    }

    /// Enum values are written by name or by the upstream's spelling.
    private mutating func knows(_ value: String, _ id: EnumID, _ text: Name) -> Bool {
        let node = enums[id.index]
        if node.values.contains(where: { $0.name == value || $0.json == value }) { return true }
        let hint = faults.suggestion(for: value, among: node.values.map(\.name))
        faults.add(text.location, "\(node.fullName) has no value \"\(value)\"\(hint)")
        return false
    }

    private mutating func fits(
        request name: String, _ field: FieldDescriptor, _ kind: Class, _ text: Name, message: MessageID
    ) -> Bool {
        guard let given = self.field(Name(text: name, location: text.location), of: message) else {
            return false
        }
        if given.isSingle, classify(given) == kind { return true }
        faults.add(text.location, "\"\(name)\" of the request and \"\(field.name)\" cannot be compared")
        return false
    }
}
