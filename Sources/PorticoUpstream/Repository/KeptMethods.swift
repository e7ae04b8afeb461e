package import PorticoSchema

/// Numbers the ways in which methods are fetched: from which upstream, with which secrets, by which schema, how decoded.
///
/// Answers are kept, and calls shared, under these numbers and not under the methods' own, which are places in one schema:
/// so that generations of a configuration can share a cache, and none is given an answer that it would have got elsewhere.
/// No number is used twice.
package struct KeptMethods: Sendable {
    /// For methods of which nothing is kept.
    package static let nothing = MethodID(0)

    private var numbers: [String: MethodID] = [:]
    private var last = 0

    package init() {}

    package mutating func number(for identity: String) -> MethodID {
        if let known = numbers[identity] { return known }
        last += 1
        let number = MethodID(last)
        numbers[identity] = number
        return number
    }

    /// Forgets all others.
    /// - Returns: what was forgotten.
    package mutating func keep(_ kept: Set<MethodID>) -> [MethodID] {
        let gone = numbers.values.filter { !kept.contains($0) }
        numbers = numbers.filter { kept.contains($0.value) }
        return gone
    }
}
