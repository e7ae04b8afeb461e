package import PorticoSchema
package import PorticoTranscode
internal import PorticoWire

/// Who may be given an answer: a digest of whatever of the caller was sent to the upstream (a token, header fields).
///
/// Nothing of a caller is sent to an upstream today, so that every answer is ``everyone``'s. A method that begins to
/// forward something must say whose its calls are by ``Call/identity``: then no two callers share an answer, a call in
/// flight or a file on disk.
package struct Identity: Hashable, Sendable {
    package let digest: [UInt8]

    package static let everyone = Identity(digest: [])

    /// - Parameter digest: equal only for equal callers: a SHA-256 of all that is forwarded.
    package init(digest: [UInt8]) { self.digest = digest }
}

/// What an answer is kept under.
///
/// It is looked up some twenty times for an answer that must be fetched, so its hash is made once, over all its bytes.
package struct AnswerKey: Hashable, Sendable {
    package let method: MethodID
    package let identity: Identity
    /// The request in canonical form, so that equal requests are equal bytes.
    package let request: [UInt8]
    private let hash: Int
    /// Nobody outside can tell which keys share a place.
    private static let seed = UInt64.random(in: .min ... .max)

    package init(method: MethodID, identity: Identity = .everyone, request: [UInt8]) {
        self.method = method
        self.identity = identity
        self.request = request
        let ofCaller = identity.digest.span.hash(seed: Self.seed ^ UInt64(method.index))
        hash = Int(truncatingIfNeeded: request.span.hash(seed: ofCaller))
    }

    package static func == (one: AnswerKey, other: AnswerKey) -> Bool {
        one.hash == other.hash && one.method == other.method && one.request == other.request
            && one.identity == other.identity
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(hash) }

    package var bytes: Int { request.count + identity.digest.count }

    /// The same method and caller, another request.
    package func asking(_ request: [UInt8]) -> AnswerKey {
        AnswerKey(method: method, identity: identity, request: request)
    }
}

/// An upstream's answer as records, or one derived from such.
package struct StoredAnswer: Sendable, Equatable {
    /// The encoded message, and what is known of its records; of what comes from the disk nothing is.
    package var page: RecordPage
    package var skippedItems: Int
    /// When the upstream gave it; of a derived one: when it gave the oldest source.
    package var fetchedAt: ContinuousClock.Instant
    /// To ask the upstream with whether it still holds.
    package var validators = Validators()
    /// What the upstream said about keeping it.
    package var said = CacheControl()
    /// Answers that were fetched together are not refreshed together: the refresh is due so much of a thirtieth of the fresh
    /// time after its end. At least 0, below 1.
    package var refreshJitter = 0.0
    /// Of one that was joined with other records: when the first of these ceases to be fresh.
    package var freshUntil: ContinuousClock.Instant?
    /// Its refresh was tried and brought nothing fresh: not before then again.
    package var refreshNotBefore: ContinuousClock.Instant?
    /// Records that name another one which could not be had.
    package var missingJoins = 0
    /// The page behind it, to be fetched ahead once somebody has read this one.
    package var nextPage: AnswerKey?

    package init(
        page: RecordPage, skippedItems: Int, fetchedAt: ContinuousClock.Instant, nextPage: AnswerKey? = nil
    ) {
        self.page = page
        self.skippedItems = skippedItems
        self.fetchedAt = fetchedAt
        self.nextPage = nextPage
    }

    package init(
        message: [UInt8], skippedItems: Int, fetchedAt: ContinuousClock.Instant, nextPage: AnswerKey? = nil
    ) {
        self.init(
            page: RecordPage(message), skippedItems: skippedItems, fetchedAt: fetchedAt, nextPage: nextPage)
    }

    package var message: [UInt8] {
        get { page.bytes }
        // Of other bytes nothing is known.
        set { page = RecordPage(newValue) }
    }

    /// What it takes up, an array's spare room too.
    package var bytes: Int {
        message.capacity + (page.places?.bytes ?? 0) + validators.bytes + (nextPage?.bytes ?? 0)
    }

    /// When it ceases to be fresh.
    /// - Parameter own: adjusted by what was ``said``.
    package func freshEnd(_ own: Freshness) -> ContinuousClock.Instant {
        let end = fetchedAt + own.fresh
        return freshUntil.map { min($0, end) } ?? end
    }
}
