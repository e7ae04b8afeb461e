package import PorticoConfig

/// How long an answer counts as fresh, and how long after that it may still be given.
package struct Freshness: Equatable, Sendable {
    package enum State: Equatable, Sendable {
        case fresh
        /// Given at once and refreshed behind, or given because the upstream fails.
        case stale
        case expired
    }

    package let fresh: Duration
    /// Counted from the end of ``fresh``.
    package let stale: Duration

    package init(fresh: Duration, stale: Duration) {
        self.fresh = fresh
        self.stale = stale
    }

    /// What the environment says about the first of `routes` that it names, else about all methods.
    package init(_ settings: Configuration.Cache, routes: [String]) {
        let own = routes.lazy.compactMap { settings.methods[$0] }.first
        self.init(fresh: own?.fresh ?? settings.fresh, stale: own?.stale ?? settings.stale)
    }

    package func state(age: Duration) -> State {
        if age < fresh { return .fresh }
        return age < fresh + stale ? .stale : .expired
    }
}
