import Synchronization

/// A number that one thread changes and any thread reads.
///
/// A plain load and store, both relaxed, because an atomic addition locks the cache line for a second writer that
/// does not exist. Two writers would lose counts, nothing worse.
package struct Counter: ~Copyable, Sendable {
    private let number = Atomic(0)

    package init() {}

    package var value: Int { number.load(ordering: .relaxed) }

    package borrowing func add(_ amount: Int = 1) {
        number.store(number.load(ordering: .relaxed) &+ amount, ordering: .relaxed)
    }
}
