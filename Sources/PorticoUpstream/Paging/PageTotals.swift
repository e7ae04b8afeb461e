/// How many pages lists have, as far as their fresh answers said.
package struct PageTotals: Sendable {
    private struct Known: Sendable {
        var lastPage: Int
        var until: ContinuousClock.Instant
    }

    /// Lists remembered; beyond it all are forgotten, which costs one upstream call each.
    private static let limit = 10_000

    /// By the request without its page.
    private var known: [AnswerKey: Known] = [:]

    package init() {}

    package mutating func learn(_ list: AnswerKey, lastPage: Int, until: ContinuousClock.Instant) {
        if known.count >= Self.limit, known[list] == nil { known = [:] }
        known[list] = Known(lastPage: lastPage, until: until)
    }

    /// Nil: not known, or not any more.
    package func lastPage(of list: AnswerKey, now: ContinuousClock.Instant) -> Int? {
        known[list].flatMap { $0.until > now ? $0.lastPage : nil }
    }
}
