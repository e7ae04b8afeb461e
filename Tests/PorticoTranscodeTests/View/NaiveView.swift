import PorticoSchema
import PorticoWire

/// A view done the plain way: values in Swift arrays, `filter`, `sort`, a loop that groups.
struct NaiveView {
    let view: ViewBinding
    let keyType: FieldType
    /// By the request's field names; absent: unset.
    let request: [String: NaiveValue]

    func answer(_ items: [NaiveItem]) -> [UInt8] {
        let kept = items.filter { item in view.filters.allSatisfy { passes(item, $0) } }
        let sorted = kept.enumerated().sorted { left, right in
            for key in view.sort {
                let order = compare(
                    left.element.value(key.field), right.element.value(key.field), key.isDescending)
                if order != 0 { return order < 0 }
            }
            return left.offset < right.offset
        }.map { $0.element }
        var writer = ProtobufWriter()
        guard let group = view.group else {
            writer.naturalField(2, distinct(sorted))
            for item in sorted[window(sorted.count)] { writer.bytesField(3, item.bytes) }
            if !sorted.isEmpty { writer.varintField(9, UInt64(sorted.count)) }
            return writer.bytes
        }
        let groups = ordered(grouped(sorted, by: group.by), by: group.order)
        if !groups.isEmpty { writer.fixed64Field(1, UInt64(groups.count)) }
        for (key, members) in groups[window(groups.count)] {
            writer.bytesField(2, encode(key, members, group))
        }
        writer.naturalField(4, distinct(sorted))
        return writer.bytes
    }

    private func compare(_ left: NaiveValue?, _ right: NaiveValue?, _ isDescending: Bool) -> Int {
        guard let left, let right else { return (left == nil ? 1 : 0) - (right == nil ? 1 : 0) }
        return isDescending ? -left.compare(right) : left.compare(right)
    }

    private func window(_ count: Int) -> Range<Int> {
        guard let page = view.page else { return 0..<count }
        let asked = number(request[page.size]) ?? page.defaultSize
        let size = min(asked, page.maximumSize)
        let start = ((page.number.flatMap { number(request[$0]) } ?? 1) - 1) * size
        return start >= count ? count..<count : start..<min(count, start + size)
    }

    private func number(_ value: NaiveValue?) -> Int? {
        switch value {
        case .integer(let value): value >= 1 ? Int(value) : nil
        case .natural(let value): value >= 1 ? Int(value) : nil
        case .text, .real, nil: nil
        }
    }

    /// Different values of the view's `distinct` field.
    private func distinct(_ items: [NaiveItem]) -> Int {
        guard let path = view.distinct else { return 0 }
        var values: [NaiveValue] = []
        for value in items.compactMap({ $0.value(path) }) {
            if !values.contains(where: { $0.compare(value) == 0 }) { values.append(value) }
        }
        return values.count
    }

    // MARK: Groups

    private typealias Group = (key: NaiveValue, members: [NaiveItem])

    private func grouped(_ items: [NaiveItem], by path: FieldPath) -> [Group] {
        var groups: [Group] = []
        for item in items {
            let key = item.keyValue(path)
            if let index = groups.firstIndex(where: { $0.key.compare(key) == 0 }) {
                groups[index].members.append(item)
            } else {
                groups.append((key, [item]))
            }
        }
        return groups
    }

    private func ordered(_ groups: [Group], by order: ViewBinding.Grouping.Order) -> [Group] {
        switch order {
        case .firstSeen: groups
        case .key: groups.sorted { $0.key.compare($1.key) < 0 }
        case .count:
            groups.enumerated().sorted { left, right in
                let (one, other) = (left.element.members.count, right.element.members.count)
                return one == other ? left.offset < right.offset : one > other
            }.map { $0.element }
        }
    }

    private func encode(_ key: NaiveValue, _ members: [NaiveItem], _ group: ViewBinding.Grouping) -> [UInt8] {
        var writer = ProtobufWriter()
        let type = ItemSchema.leaf(group.by).type
        if keyType == .string, type != .string {
            writer.stringField(1, text(key, type))
        } else if !key.isZero {
            writer.write(key, as: ItemSchema.field("key", 1, type))
        }
        writer.varintField(2, UInt64(members.count * 2))
        for item in members { writer.bytesField(3, item.bytes) }
        if group.label != nil { writer.stringField(7, "\(text(key, type)) (\(members.count))") }
        writer.naturalField(8, distinct(members))
        return writer.bytes
    }

    private func text(_ key: NaiveValue, _ type: FieldType) -> String {
        switch key {
        case .text(let text): return String(decoding: text, as: UTF8.self)
        case .integer(let number):
            if case .enumeration = type {
                let names: [Int64: String] = [
                    0: "KIND_UNKNOWN", 1: "human being", 2: "DROID", -1: "NEGATIVE",
                ]
                return names[number] ?? "\(number)"
            }
            return "\(number)"
        case .natural(let number): return type == .bool ? (number == 0 ? "false" : "true") : "\(number)"
        case .real(let number):
            let value = number == 0 ? 0 : number
            let text = type == .float ? "\(Float(value))" : "\(value)"
            return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
        }
    }

    // MARK: Filters

    private func passes(_ item: NaiveItem, _ filter: ViewBinding.Filter) -> Bool {
        let type = ItemSchema.leaf(filter.field).type
        guard let operand = operand(filter, type) else { return true }
        let value = item.value(filter.field)
        switch filter.comparison {
        case .equal: return order(value ?? .zero(type), operand) == 0
        case .notEqual: return order(value ?? .zero(type), operand) != 0
        case .less: return value.flatMap { order($0, operand) }.map { $0 < 0 } ?? false
        case .lessOrEqual: return value.flatMap { order($0, operand) }.map { $0 <= 0 } ?? false
        case .greater: return value.flatMap { order($0, operand) }.map { $0 > 0 } ?? false
        case .greaterOrEqual: return value.flatMap { order($0, operand) }.map { $0 >= 0 } ?? false
        case .contains: return isContained(operand, in: value ?? .text([]))
        case .startsWith:
            guard case .text(let text) = value ?? .text([]), case .text(let start) = operand else {
                return false
            }
            return text.starts(with: start)
        }
    }

    private func isContained(_ operand: NaiveValue, in value: NaiveValue) -> Bool {
        guard case .text(let text) = value, case .text(let part) = operand else { return false }
        let whole = Array(String(decoding: text, as: UTF8.self).lowercased().unicodeScalars)
        let wanted = Array(String(decoding: part, as: UTF8.self).lowercased().unicodeScalars)
        return wanted.isEmpty
            || whole.indices.contains { whole[$0...].starts(with: wanted) }
    }

    /// Nil: unset, the comparison is left out.
    private func operand(_ filter: ViewBinding.Filter, _ type: FieldType) -> NaiveValue? {
        switch filter.operand {
        case .text(let text):
            return type == .string || type == .bytes ? .text(Array(text.utf8)) : .real(enumNumber(text))
        case .number(let number): return .real(type == .float ? Double(Float(number)) : number)
        case .bool(let value): return .natural(value ? 1 : 0)
        case .request(let name):
            guard let value = request[name] else { return nil }
            if name == "name", value.isZero { return nil }
            guard case .text(let text) = value, type != .string, type != .bytes else { return value }
            return .real(enumNumber(String(decoding: text, as: UTF8.self)))
        }
    }

    private func enumNumber(_ name: String) -> Double {
        ["KIND_UNKNOWN": 0, "HUMAN": 1, "human being": 1, "DROID": 2, "NEGATIVE": -1][name] ?? .nan
    }

    /// Numbers of two types by their exact values; nil where NaN is involved.
    private func order(_ value: NaiveValue, _ operand: NaiveValue) -> Int? {
        if case .text = value { return value.compare(operand) }
        guard let left = exact(value), let right = exact(operand) else { return nil }
        return left == right ? 0 : left < right ? -1 : 1
    }

    /// The next lower whole number and what is above it; the only doubles here beyond 128 bits are ±1e300 and
    /// ±infinity.
    private func exact(_ value: NaiveValue) -> (Int128, Double)? {
        switch value {
        case .integer(let number): return (Int128(number), 0)
        case .natural(let number): return (Int128(number), 0)
        case .real(let number):
            if number.isNaN { return nil }
            if number.isInfinite { return (number > 0 ? .max : .min, 0) }
            if number.magnitude > 1e30 { return (number > 0 ? 1 << 120 : -(1 << 120), 0) }
            return (Int128(number.rounded(.down)), number - number.rounded(.down))
        case .text: preconditionFailure("a text is no number")
        }
    }
}

extension ProtobufWriter {
    fileprivate mutating func naturalField(_ number: Int, _ value: Int) {
        if value != 0 { varintField(number, UInt64(value)) }
    }
}
