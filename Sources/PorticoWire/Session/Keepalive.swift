/// Knows whether a peer is alive: one that says nothing for half of its lifetime is asked, one that says nothing for
/// the whole of it is taken for dead.
package struct Keepalive: Equatable, Sendable {
    package enum Finding: Equatable, Sendable { case alive, ask, dead }

    /// What the peer's SETUP named as its maximum lifetime.
    package let lifetime: Duration
    private let halfLife: Duration
    private var lastHeard: Instant
    private var isAsked = false

    package init(lifetime: Duration, at now: Instant) {
        self.lifetime = lifetime
        halfLife = lifetime / 2
        lastHeard = now
    }

    package mutating func heard(at now: Instant) {
        lastHeard = now
        isAsked = false
    }

    /// When to call ``check(at:)`` next, if nothing is heard until then.
    package var nextCheck: Instant {
        lastHeard.advanced(by: isAsked ? lifetime : halfLife)
    }

    package mutating func check(at now: Instant) -> Finding {
        let silence = lastHeard.duration(to: now)
        if silence >= lifetime { return .dead }
        guard !isAsked, silence >= halfLife else { return .alive }
        isAsked = true
        return .ask
    }
}
