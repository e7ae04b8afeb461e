/// Values by their keys, the ones that were added last. Bounded: the one that was added first leaves first.
package struct Recent<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let limit: Int

    private var values: [Key: Value] = [:]
    /// In a ring, by when they were added; the place that `next` names is taken next.
    private var keys: [Key] = []
    private var next = 0

    package init(limit: Int) {
        precondition(limit > 0, "the ring has a place at least: a bug in the caller")
        self.limit = limit
    }

    package var count: Int { values.count }

    package subscript(key: Key) -> Value? { values[key] }

    package mutating func add(_ value: Value, _ key: Key) {
        defer { values[key] = value }
        guard values[key] == nil else { return }
        guard keys.count == limit else { return keys.append(key) }
        // One that was removed and came again stands there twice, and leaves early: it is added again.
        values[exchange(&keys[next], with: key)] = nil
        next = (next + 1) % limit
    }

    package mutating func remove(_ key: Key) { values[key] = nil }
}
