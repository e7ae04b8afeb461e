import PorticoWire

/// How often a loop may look for the nearest spelling of a route that leads nowhere: a token bucket.
///
/// A search reads every route there is. People who mistype are few; a client that asks for thousands of unknown methods is
/// told that they are unknown, and costs no more than one that asks for known ones.
struct HintBudget: Equatable, Sendable {
    /// At once, and again in each second.
    static let perSecond = 20

    private var left = perSecond
    private var since: Instant

    init(at now: Instant) { since = now }

    /// False: spent for this second.
    mutating func take(at now: Instant) -> Bool {
        if now - since >= .seconds(1) { self = HintBudget(at: now) }
        guard left > 0 else { return false }
        left -= 1
        return true
    }
}
