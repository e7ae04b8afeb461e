package import PorticoSchema
import PorticoWire

// `(portico.v1.rules)` of a request's message and of the messages in it, compiled once. Worked example,
//
//     message Q { Employee employee = 1 [(rules) = { required: true }]; }
//     message Employee { string name = 1 [(rules) = { required: true }]; string mail = 2 [(rules) = { email: true }]; }
//
//     (nothing)      employee is needed
//     0a 03 12 01 x  employee.name is needed; employee.mail is not an e-mail address

/// A field that breaks a rule of the schema.
package struct RuleFault: Equatable, Sendable {
    /// From the request on, elements counted from 0: `employee.tags[2]`.
    package let field: String
    /// Behind the field's name a sentence: `is needed`. Nothing of the value is in it.
    package let reason: String

    package init(field: String, reason: String) {
        self.field = field
        self.reason = reason
    }
}

/// The faults of one request, the first of them by name: a request of a few MiB can have millions.
package struct RuleFaults: Equatable, Sendable {
    /// More are counted, not named.
    package static let mostNamed = 20

    package private(set) var named: [RuleFault] = []
    package private(set) var count = 0

    package init() {}

    package var isEmpty: Bool { count == 0 }

    package mutating func add(_ fault: RuleFault) {
        count += 1
        if named.count < Self.mostNamed { named.append(fault) }
    }

    /// All in one sentence.
    package var sentence: String {
        let more = count - named.count
        return named.map { "\($0.field) \($0.reason)" }.joined(separator: "; ")
            + (more > 0 ? "; and \(more) more" : "")
    }
}

/// The rules for one type of request.
package struct RequestRules: Sendable {
    /// A field that has rules, or leads to some.
    fileprivate struct Field: Sendable {
        let number: Int
        let name: String
        let isList: Bool
        let kind: ValueKind
        let rules: FieldRules?
        /// Index into ``messages``.
        let child: Int?
        /// Of an enum: its values but zero.
        let names: [String]
        let numbers: Set<Int32>
    }
    private var messages: [[Field]] = []

    package init(schema: Schema, message: MessageID) {
        var indices = [message: 0]
        var order = [message]
        while messages.count < order.count {
            var fields: [Field] = []
            for field in schema[order[messages.count]].fields where field.cardinality != .map {
                var child: Int?
                if case .message(let id) = field.type {
                    child = indices[id] ?? order.count
                    if indices[id] == nil { order.append(id) }
                    indices[id] = child
                }
                if field.rules != nil || child != nil { fields.append(Field(field, child, schema)) }
            }
            messages.append(fields)
        }
        // A request without a single rule costs nothing.
        if messages.allSatisfy({ $0.allSatisfy { $0.rules == nil } }) { messages = [[]] }
    }

    package var isEmpty: Bool { messages[0].isEmpty }

    /// Every field that breaks a rule, in the order of the schema.
    /// - Parameter request: in canonical form.
    package func faults(in request: [UInt8]) -> RuleFaults {
        var faults = RuleFaults()
        if !isEmpty { check(0, 0..<request.count, at: "", &faults, in: request.span) }
        return faults
    }

    private func check(
        _ message: Int, _ range: Range<Int>, at place: String, _ faults: inout RuleFaults,
        in bytes: Span<UInt8>
    ) {
        for field in messages[message] {
            let values = Self.values(of: field.number, in: range, bytes)
            let name = place.isEmpty ? field.name : "\(place).\(field.name)"
            if values.isEmpty, field.rules?.isRequired == true {
                faults.add(RuleFault(field: name, reason: "is needed"))
            }
            for (index, value) in values.enumerated() {
                let name = field.isList ? "\(name)[\(index)]" : name
                if let reason = field.fault(value, in: bytes) {
                    faults.add(RuleFault(field: name, reason: reason))
                }
                if let child = field.child { check(child, value, at: name, &faults, in: bytes) }
            }
        }
    }

    /// Where the field's values lie; of a packed list it is one range.
    private static func values(of number: Int, in range: Range<Int>, _ bytes: Span<UInt8>) -> [Range<Int>] {
        var values: [Range<Int>] = []
        var cursor = ProtobufCursor(range)
        do throws(ProtobufError) {
            while let tag = try cursor.nextTag(in: bytes) {
                let value = try cursor.content(of: tag.wireType, in: bytes)
                if tag.field == number { values.append(value) }
            }
        } catch {
            preconditionFailure("the request is canonical: a bug in the caller, never bad input")
        }
        return values
    }
}

extension RequestRules.Field {
    init(_ field: FieldDescriptor, _ child: Int?, _ schema: Schema) {
        number = field.number
        name = field.name
        kind = ValueKind(field.type)
        rules = field.rules
        self.child = child
        isList = if case .repeated = field.cardinality { true } else { false }
        if case .enumeration(let id) = field.type {
            names = schema[id].values.filter { $0.number != 0 }.map(\.name)
            numbers = Set(schema[id].values.map(\.number))
        } else {
            (names, numbers) = ([], [])
        }
    }

    /// What is wrong with one value, or with one of a packed list.
    func fault(_ value: Range<Int>, in bytes: Span<UInt8>) -> String? {
        guard let rules else { return nil }
        if kind == .string {
            return rules.fault(of: String(validating: bytes.extracting(value)) ?? "")
        }
        var cursor = ProtobufCursor(value)
        if rules.isRequired, kind != .message, !isList, isZero(&cursor, in: bytes) { return "is needed" }
        guard rules.isKnown else { return nil }
        cursor = ProtobufCursor(value)
        while cursor.offset < cursor.end, let bits = try? StoredNumber.read(kind, &cursor, in: bytes) {
            if !numbers.contains(Int32(truncatingIfNeeded: bits)) {
                return "is none of \(names.joined(separator: ", "))"
            }
        }
        return nil
    }

    private func isZero(_ cursor: inout ProtobufCursor, in bytes: Span<UInt8>) -> Bool {
        if kind == .bytes { return cursor.end == cursor.offset }
        return (try? StoredNumber.read(kind, &cursor, in: bytes)) == 0
    }
}

extension FieldRules {
    /// What is wrong with a text. A pattern is tried only on what has the right length.
    fileprivate func fault(of text: String) -> String? {
        let count = text.unicodeScalars.count
        if isRequired, count == 0 { return "is needed" }
        if let minimumLength, count < minimumLength {
            return "has \(count) characters, at least \(minimumLength) are needed"
        }
        if let maximumLength, count > maximumLength {
            return "has \(count) characters, at most \(maximumLength) are allowed"
        }
        if let pattern, !pattern.matches(text) { return "does not match \(pattern.text)" }
        if isEmail, !EmailAddress.isOne(text) { return "is not an e-mail address" }
        return nil
    }
}
