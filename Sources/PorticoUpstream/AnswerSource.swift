package import PorticoSchema
package import PorticoWire

/// One call of one client, as the repository needs to know it.
package struct Call: Sendable {
    package var method: MethodID
    /// The request message, encoded, as the client sent it.
    package var request: [UInt8]
    /// Nothing waits past it.
    package var deadline: ContinuousClock.Instant
    /// Allows a write to be retried; 1 to 255 visible ASCII characters.
    package var idempotencyKey: String?
    /// Who calls, by a token of its own; whoever has none is everyone. Idempotency keys belong to it.
    package var caller: Identity
    /// Whose answers these are, when something of the caller is sent to the upstream.
    package var identity: Identity
    /// Methods that this caller may not call, and why: parts of a composed answer that it is not given.
    package var refusals: [MethodID: CallError]

    package init(
        method: MethodID, request: [UInt8], deadline: ContinuousClock.Instant, idempotencyKey: String? = nil,
        caller: Identity = .everyone, identity: Identity = .everyone, refusals: [MethodID: CallError] = [:]
    ) {
        self.caller = caller
        self.identity = identity
        self.refusals = refusals
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

        package var isStale: Bool { self == .stale }

        /// Of what is made of several: stale if one of them is, else just fetched if one of them is.
        init(of all: [Origin]) {
            self = all.contains(.stale) ? .stale : all.contains(.miss) ? .miss : .hit
        }
    }
    /// What is known of a message's deflated form (zlib, RFC 1950).
    package enum Deflated: Sendable {
        case untried
        /// Not enough smaller.
        case notWorthwhile
        case atHand([UInt8])
    }
    package var message: [UInt8]
    package var deflated: Deflated
    package var origin: Origin
    /// Since the upstream gave it.
    package var age: Duration
    /// Items that did not fit the schema and were left out.
    package var skippedItems: Int
    /// Records that name another one which could not be had.
    package var missingJoins: Int
    /// Until then, and while the source's ``AnswerSource/generation`` stays the same, equal requests get an equal
    /// answer. Nil: ask again each time.
    package var holdsUntil: ContinuousClock.Instant?

    package init(
        message: [UInt8], deflated: Deflated = .untried, origin: Origin, age: Duration = .zero,
        skippedItems: Int = 0, missingJoins: Int = 0, holdsUntil: ContinuousClock.Instant? = nil
    ) {
        self.message = message
        self.deflated = deflated
        self.origin = origin
        self.age = age
        self.skippedItems = skippedItems
        self.missingJoins = missingJoins
        self.holdsUntil = holdsUntil
    }
}

/// Where the server gets its answers: the repository, or a stand-in for it in a test.
package protocol AnswerSource: Sendable {
    /// Changes when any answer that was at hand is replaced or made void. Read it before asking; it takes no lock.
    var generation: UInt64 { get }

    /// An answer that is at hand, without waiting; nil: ask ``answer(to:)``. Called on event loops: it must not block.
    func cachedAnswer(to method: MethodID, request: Span<UInt8>) -> Answer?

    /// Where a task that waits for answers and begins here and now had best run; nil: wherever tasks run.
    var executor: (any TaskExecutor)? { get }

    /// The answer, waiting for upstreams if it must. Cancelling the task stops the waiting.
    func answer(to call: Call) async throws(CallError) -> Answer

    /// Tells the answer, and then each different one, until the observation is ended. Called on event loops: it must not
    /// block. The call's deadline does not count here.
    ///
    /// - Parameter tell: called from any thread, the first time perhaps before this returns; must not block.
    /// - Throws: what no call with this request would ever be answered with anything else.
    func observe(
        _ call: Call, tell: @escaping @Sendable (Observed) -> Void
    ) throws(CallError) -> Observation
}

extension AnswerSource {
    package var executor: (any TaskExecutor)? { nil }
}
