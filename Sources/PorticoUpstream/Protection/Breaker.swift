package import PorticoConfig

/// When a breaker opens, and for how long.
package struct BreakerPolicy: Equatable, Sendable {
    package let failurePercent: Int
    package let slowPercent: Int
    package let slowAfter: Duration
    package let window: Duration
    package let minimumCalls: Int
    package let openFor: Duration

    package init(_ settings: Configuration.Breaker) {
        failurePercent = settings.failurePercent
        slowPercent = settings.slowPercent
        slowAfter = settings.slowAfter
        window = max(settings.window, .milliseconds(10))
        minimumCalls = max(1, settings.minimumCalls)
        openFor = settings.openFor
    }

    fileprivate func opens(at counts: BreakerWindow.Counts) -> Bool {
        guard counts.calls >= minimumCalls else { return false }
        let isFailing = failurePercent > 0 && counts.failed * 100 >= failurePercent * counts.calls
        let isSlow = slowPercent > 0 && counts.slow * 100 >= slowPercent * counts.calls
        return isFailing || isSlow
    }
}

/// Leaves an upstream alone that keeps failing, and tries it again by one call at a time. The clock stays outside.
///
/// closed → open: too many failed or too many slow calls in the window. open → probing: ``BreakerPolicy/openFor`` later,
/// with the next call. probing → closed, with an empty window: that call was good and quick; → open: it was not.
package struct Breaker: Sendable {
    package enum State: Equatable, Sendable { case closed, open, probing }

    /// Lets one call through; its end must be told with it.
    package struct Permit: Equatable, Sendable {
        /// Calls let through before the state changed have no say about the new one.
        fileprivate let epoch: Int
    }

    package enum Outcome: Equatable, Sendable {
        case succeeded
        /// The upstream's fault: no connection, no whole answer in time, a status from 500 on.
        case failed
        /// Says nothing about the upstream: nobody waited any more.
        case abandoned
    }

    private enum Phase: Sendable {
        case closed(BreakerWindow)
        case open(until: ContinuousClock.Instant)
        case probing
    }

    private let policy: BreakerPolicy
    private var phase: Phase
    private var epoch = 0

    package init(_ policy: BreakerPolicy, now: ContinuousClock.Instant) {
        self.policy = policy
        phase = .closed(BreakerWindow(length: policy.window, now: now))
    }

    package var state: State {
        switch phase {
        case .closed: .closed
        case .open: .open
        case .probing: .probing
        }
    }

    /// Whether a call that came now would not be let through.
    package func isRefusing(now: ContinuousClock.Instant) -> Bool {
        switch phase {
        case .closed: false
        case .open(let until): until > now
        case .probing: true
        }
    }

    /// Nil: not now.
    package mutating func admit(now: ContinuousClock.Instant) -> Permit? {
        switch phase {
        case .closed: break
        case .open(let until) where until <= now: enter(.probing)
        case .open, .probing: return nil
        }
        return Permit(epoch: epoch)
    }

    /// - Parameter took: from ``admit(now:)`` to the last byte, without the time in a queue.
    package mutating func ended(
        _ permit: Permit, _ outcome: Outcome, took: Duration, now: ContinuousClock.Instant
    ) {
        guard permit.epoch == epoch else { return }
        // Taken out, so that the window is not copied to be changed.
        switch exchange(&phase, with: .probing) {
        case .closed(let window): count(outcome, took, window, now)
        case .probing: judge(outcome, took, now)
        case .open: preconditionFailure("a permit of the open state: a bug in this machine")
        }
    }

    private mutating func count(
        _ outcome: Outcome, _ took: Duration, _ window: consuming BreakerWindow,
        _ now: ContinuousClock.Instant
    ) {
        guard outcome != .abandoned || took > policy.slowAfter else {
            phase = .closed(window)
            return
        }
        window.add(hasFailed: outcome == .failed, isSlow: took > policy.slowAfter, now: now)
        if policy.opens(at: window.counts(now: now)) {
            enter(.open(until: now + policy.openFor))
        } else {
            phase = .closed(window)
        }
    }

    private mutating func judge(_ outcome: Outcome, _ took: Duration, _ now: ContinuousClock.Instant) {
        switch outcome {
        case .succeeded where took <= policy.slowAfter:
            enter(.closed(BreakerWindow(length: policy.window, now: now)))
        case .succeeded, .failed: enter(.open(until: now + policy.openFor))
        case .abandoned: enter(.open(until: now))  // the next call is the probe
        }
    }

    private mutating func enter(_ phase: Phase) {
        self.phase = phase
        epoch += 1
    }
}
