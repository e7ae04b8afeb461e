/// What upstreams and caches have done since the start, for operators.
package struct UpstreamStatistics: Equatable, Sendable {
    package struct Upstream: Equatable, Sendable {
        package var name: String
        package var calls: CallTally
        package var breaker: Breaker.State
        /// HTTP calls under way, and those that wait for their turn.
        package var running: Int
        package var waiting: Int

        init(_ client: UpstreamClient) {
            name = client.name
            calls = client.tally
            breaker = client.breakerState
            (running, waiting) = client.inFlight
        }
    }

    /// A cache in memory, and what is behind it on disk.
    package struct Store: Equatable, Sendable {
        package var bytes: Int
        package var entries: Int
        /// Entries that had to leave for others.
        package var evictions: Int
        /// Nil: memory only.
        package var disk: DiskStore.Statistics?

        init(
            _ memory: (bytes: Int, answers: Int, evictions: Int), _ disk: DiskStore.Statistics?
        ) {
            (bytes, entries, evictions) = memory
            self.disk = disk
        }
    }

    /// By name.
    package var upstreams: [Upstream]
    package var answers: Store
    package var images: Store
}
