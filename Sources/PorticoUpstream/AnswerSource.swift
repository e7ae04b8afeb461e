package import PorticoSchema
package import PorticoWire

/// One call of one client, as the repository needs to know it.
package struct Call: Sendable {
    package var method: MethodID
    /// The request message, encoded, as the client sent it.
    package var request: [UInt8]
    /// Nothing waits past it.
    package var deadline: ContinuousClock.Instant
    /// Allows a write to be retried.
    package var idempotencyKey: String?
    /// Whose answers these are, when something of the caller is sent to the upstream.
    package var identity: Identity

    package init(
        method: MethodID, request: [UInt8], deadline: ContinuousClock.Instant, idempotencyKey: String? = nil,
        identity: Identity = .everyone
    ) {
        self.identity = identity
        self.method = method
        self.request = request
        self.deadline = deadline
        self.idempotencyKey = idempotencyKey
    }
}

/// An encoded response message and where it came from.
package struct Answer: Sendable {
    package enum Origin: UInt8, Sendable {
        /// From the cache, within its freshness.
        case hit = 1
        /// From the cache, past its freshness: it is being refreshed, or the upstream cannot answer.
        case stale = 2
        /// Just fetched.
        case miss = 3
    }
    package var message: [UInt8]
    package var origin: Origin
    /// Since the upstream gave it.
    package var age: Duration
    /// Items that did not fit the schema and were left out.
    package var skippedItems: Int

    package init(message: [UInt8], origin: Origin, age: Duration = .zero, skippedItems: Int = 0) {
        self.message = message
        self.origin = origin
        self.age = age
        self.skippedItems = skippedItems
    }
}

/// Where the server gets its answers: the repository, or a stand-in for it in a test.
package protocol AnswerSource: Sendable {
    /// An answer that is at hand, without waiting; nil: ask ``answer(to:)``. Called on event loops: it must not block.
    func cachedAnswer(to method: MethodID, request: Span<UInt8>) -> Answer?

    /// The answer, waiting for upstreams if it must. Cancelling the task stops the waiting.
    func answer(to call: Call) async throws(CallError) -> Answer
}
