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
    /// What an upstream may put in place of ``fresh``.
    private let bounds: ClosedRange<Duration>

    /// - Parameter bounds: nil: an upstream has no say.
    package init(fresh: Duration, stale: Duration, bounds: ClosedRange<Duration>? = nil) {
        self.fresh = fresh
        self.stale = stale
        self.bounds = bounds ?? fresh...fresh
    }

    /// What the environment says about the first of `routes` that it names, else about all methods.
    package init(_ settings: Configuration.Cache, routes: [String]) {
        let own = routes.lazy.compactMap { settings.methods[$0] }.first
        self.init(
            fresh: own?.fresh ?? settings.fresh, stale: own?.stale ?? settings.stale,
            bounds: min(settings.minFresh, settings.maxFresh)...settings.maxFresh)
    }

    /// For one answer, by what its upstream said about it. What must not be kept is never given stale; what must not be
    /// used again is only good for being asked about by its validators.
    package func adjusted(by said: CacheControl) -> Freshness {
        if said.forbidsReuse { return Freshness(fresh: .zero, stale: .zero) }
        guard let lifetime = said.lifetime else { return self }
        return Freshness(
            fresh: min(max(lifetime, bounds.lowerBound), bounds.upperBound),
            stale: said.forbidsKeeping ? .zero : stale, bounds: bounds)
    }

    package func state(age: Duration) -> State {
        if age < fresh { return .fresh }
        return age < fresh + stale ? .stale : .expired
    }
}
