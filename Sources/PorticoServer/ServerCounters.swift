import Synchronization

/// What a server has done since its start. Any thread may read it at any time.
package final class ServerCounters: Sendable {
    /// Open now, those that have not set up yet included.
    package let connections = Counter()
    package let connectionsAccepted = Counter()
    package let requests = Counter()
    /// Requests answered without waiting.
    package let requestsFromCache = Counter()
    /// Requests that ended with an error.
    package let requestsFailed = Counter()

    package init() {}

    package final class Counter: Sendable {
        private let number = Atomic(0)
        package init() {}
        package var value: Int { number.load(ordering: .relaxed) }
        func add(_ amount: Int = 1) { number.wrappingAdd(amount, ordering: .relaxed) }
    }
}
