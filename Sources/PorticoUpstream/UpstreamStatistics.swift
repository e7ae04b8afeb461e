/// What upstreams and caches have done since the start, for operators.
package struct UpstreamStatistics: Equatable, Sendable {
    package struct Upstream: Equatable, Sendable {
        package var name: String
        package var calls: CallTally
        package var breaker: Breaker.State
        /// HTTP calls under way, and those that wait for their turn.
        package var running: Int
        package var waiting: Int

        package init(name: String, calls: CallTally, breaker: Breaker.State, running: Int, waiting: Int) {
            self.name = name
            self.calls = calls
            self.breaker = breaker
            self.running = running
            self.waiting = waiting
        }

        init(_ client: UpstreamClient) {
            let (running, waiting) = client.inFlight
            self.init(
                name: client.name, calls: client.tally, breaker: client.breakerState, running: running,
                waiting: waiting)
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

        package init(bytes: Int, entries: Int, evictions: Int, disk: DiskStore.Statistics?) {
            self.bytes = bytes
            self.entries = entries
            self.evictions = evictions
            self.disk = disk
        }
    }

    /// By name.
    package var upstreams: [Upstream]
    package var answers: Store
    package var images: Store
    /// Bytes; what is absent is 0.
    package var imageSavings: [ImageSavings.Way: Int]

    package init(
        upstreams: [Upstream], answers: Store, images: Store, imageSavings: [ImageSavings.Way: Int] = [:]
    ) {
        self.upstreams = upstreams
        self.answers = answers
        self.images = images
        self.imageSavings = imageSavings
    }
}
