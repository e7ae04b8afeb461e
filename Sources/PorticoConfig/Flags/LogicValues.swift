import PorticoTranscode

/// JavaScript's notions of truth, number and equality, which JsonLogic is defined by, on JSON values.
extension JSONValue {
    var isTruthy: Bool {
        switch self {
        case .null: false
        case .bool(let bool): bool
        case .number: number.map { $0 != 0 } ?? false
        case .string(let text): !text.isEmpty
        case .array(let elements): !elements.isEmpty
        case .object: true
        }
    }

    /// Nil: not a number (JavaScript's NaN).
    var number: Double? {
        switch self {
        case .null: return 0
        case .bool(let bool): return bool ? 1 : 0
        case .number(let text): return Double(text)
        case .string(let text):
            let trimmed = text.drop { $0.isWhitespace }
            guard let end = trimmed.lastIndex(where: { !$0.isWhitespace }) else { return 0 }
            let digits = trimmed[...end]
            guard digits.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }) else { return nil }
            return Double(digits)
        case .array, .object: return nil
        }
    }

    /// `===`, with lists and objects compared by what is in them.
    func isIdentical(to other: JSONValue) -> Bool {
        if case .number = self, case .number = other { return number == other.number }
        return self == other
    }

    /// `==`
    func isLooselyEqual(to other: JSONValue) -> Bool {
        switch (self, other) {
        case (.null, .null): return true
        case (.null, _), (_, .null): return false
        case (.string, .string), (.array, _), (_, .array), (.object, _), (_, .object):
            return isIdentical(to: other)
        case (.bool, _), (_, .bool), (.number, _), (_, .number):
            guard let a = number, let b = other.number else { return false }
            return a == b
        }
    }

    /// A list that holds the value, or a text that holds the text.
    func contains(_ value: JSONValue) -> Bool {
        switch (self, value) {
        case (.array(let elements), _): elements.contains { $0.isIdentical(to: value) }
        case (.string(let text), .string(let part)): part.isEmpty || text.contains(part)
        case (.null, _), (.bool, _), (.number, _), (.string, _), (.object, _): false
        }
    }

    /// As `cat` joins it.
    var plainText: String {
        switch self {
        case .null: ""
        case .bool(let bool): bool ? "true" : "false"
        case .number(let text), .string(let text): text
        case .array(let elements): elements.map(\.plainText).joined(separator: ",")
        case .object: compactText
        }
    }
}

/// Texts in the order of their UTF-8 bytes, which is that of their scalars.
struct TextOrder: Comparable {
    private let bytes: [UInt8]
    init(_ text: String) { bytes = Array(text.utf8) }
    static func < (left: TextOrder, right: TextOrder) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}

extension String {
    /// Without Unicode's equivalences, so that every implementation of a rule agrees.
    func hasBytePrefix(_ prefix: String) -> Bool { utf8.starts(with: prefix.utf8) }
    func hasByteSuffix(_ suffix: String) -> Bool { utf8.reversed().starts(with: suffix.utf8.reversed()) }
}
