/// How many pages lists have, as far as their fresh answers said.
package struct PageTotals: Sendable {
    private struct Known: Sendable {
        var lastPage: Int
        var until: ContinuousClock.Instant
    }

    /// Of all lists; when another one does not fit, all are forgotten, which costs one upstream call each. A caller chooses
    /// how long a request is, so that their number is no bound.
    package static let limitBytes = 4 << 20
    /// A dictionary slot, roughly.
    private static let overheadBytes = 128

    /// By the request without its page.
    private var known: [AnswerKey: Known] = [:]
    /// Never above ``limitBytes``.
    package private(set) var bytes = 0

    package init() {}

    package mutating func learn(_ list: AnswerKey, lastPage: Int, until: ContinuousClock.Instant) {
        if known[list] == nil {
            let size = list.bytes + Self.overheadBytes
            guard size <= Self.limitBytes else { return }
            if bytes + size > Self.limitBytes { (known, bytes) = ([:], 0) }
            bytes += size
        }
        known[list] = Known(lastPage: lastPage, until: until)
    }

    /// Nil: not known, or not any more.
    package func lastPage(of list: AnswerKey, now: ContinuousClock.Instant) -> Int? {
        known[list].flatMap { $0.until > now ? $0.lastPage : nil }
    }
}
