/// A version as semver.org 2.0.0 orders them, a leading `v` and left-out minor and patch numbers allowed, as apps write
/// theirs: `v2.1` is `2.1.0`.
struct SemanticVersion: Comparable {
    /// Major, minor, patch; digits, so that no length overflows.
    let numbers: [Digits]
    private let prerelease: [Substring]

    init?(_ text: String) {
        let unprefixed = text.hasPrefix("v") || text.hasPrefix("V") ? text.dropFirst() : text[...]
        let plain = unprefixed.prefix { $0 != "+" }
        let core = plain.prefix { $0 != "-" }
        var numbers: [Digits] = []
        for part in core.split(separator: ".", omittingEmptySubsequences: false) {
            guard let digits = Digits(part) else { return nil }
            numbers.append(digits)
        }
        guard (1...3).contains(numbers.count) else { return nil }
        numbers += Array(repeating: .zero, count: 3 - numbers.count)
        self.numbers = numbers
        let tail = plain.dropFirst(core.count)
        prerelease =
            tail.isEmpty ? [] : tail.dropFirst().split(separator: ".", omittingEmptySubsequences: false)
        guard prerelease.allSatisfy({ !$0.isEmpty }) else { return nil }
    }

    /// A decimal number of any length, without leading zeros.
    struct Digits: Comparable {
        static let zero = Digits(text: "0")
        private let text: Substring

        private init(text: Substring) { self.text = text }

        init?(_ text: Substring) {
            guard !text.isEmpty, text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) else {
                return nil
            }
            self.text = text.count > 1 ? text.drop { $0 == "0" } : text
        }

        static func < (left: Digits, right: Digits) -> Bool {
            left.text.count == right.text.count ? left.text < right.text : left.text.count < right.text.count
        }
    }

    static func < (left: SemanticVersion, right: SemanticVersion) -> Bool {
        for (a, b) in zip(left.numbers, right.numbers) where a != b { return a < b }
        if left.prerelease.isEmpty || right.prerelease.isEmpty {
            return !left.prerelease.isEmpty && right.prerelease.isEmpty
        }
        for (a, b) in zip(left.prerelease, right.prerelease) where a != b { return precedes(a, b) }
        return left.prerelease.count < right.prerelease.count
    }

    /// semver.org 2.0.0 §11.4: numbers by value and before words, words by their ASCII order.
    private static func precedes(_ a: Substring, _ b: Substring) -> Bool {
        switch (Digits(a), Digits(b)) {
        case (let a?, let b?): a < b
        case (.some, nil): true
        case (nil, .some): false
        case (nil, nil): a.unicodeScalars.lexicographicallyPrecedes(b.unicodeScalars)
        }
    }

    /// How flagd's `sem_ver` compares.
    enum Relation: String, CaseIterable {
        case equal = "="
        case notEqual = "!="
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="
        /// Major and minor agree.
        case sameMinor = "~"
        /// Majors agree.
        case sameMajor = "^"
    }

    func `is`(_ relation: Relation, _ other: SemanticVersion) -> Bool {
        switch relation {
        case .equal: self == other
        case .notEqual: self != other
        case .less: self < other
        case .lessOrEqual: self <= other
        case .greater: self > other
        case .greaterOrEqual: self >= other
        case .sameMinor: numbers.prefix(2) == other.numbers.prefix(2)
        case .sameMajor: numbers[0] == other.numbers[0]
        }
    }
}
