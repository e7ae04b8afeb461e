/// One upstream call through its attempts: sent, sent again, or given up. Clock, dice and budget stay outside.
package enum RetryMachine: ~Copyable {
    case idle(RetryPolicy)
    /// - hasFreeRetry: a lost connection may still be replaced at no charge.
    case inFlight(RetryPolicy, attempt: Int, hasFreeRetry: Bool)
    case pausing(RetryPolicy, attempt: Int, hasFreeRetry: Bool)
    case done

    package enum Action: Equatable {
        case none
        case send
        case pause(Duration)
        /// The last failure stands.
        case giveUp
    }

    /// What of a failed attempt matters here.
    package struct Failure: Equatable, Sendable {
        /// Whether the same call may succeed a little later.
        package var isTransient: Bool
        /// What the upstream asked for, from now on.
        package var retryAfter: Duration?
        /// Whether the upstream never saw the call, most likely: trying again at once costs it nothing.
        package var isFree: Bool

        package init(isTransient: Bool, retryAfter: Duration? = nil, isFree: Bool = false) {
            self.isTransient = isTransient
            self.retryAfter = retryAfter
            self.isFree = isFree
        }
    }

    package init(_ policy: RetryPolicy) { self = .idle(policy) }

    package mutating func start() -> Action {
        switch consume self {
        case .idle(let policy):
            self = .inFlight(policy, attempt: 1, hasFreeRetry: policy.isRepeatable)
            return .send
        case .inFlight: preconditionFailure(Self.startedTwice)
        case .pausing: preconditionFailure(Self.startedTwice)
        case .done: preconditionFailure(Self.startedTwice)
        }
    }

    /// - Parameters:
    ///   - timeLeft: until nobody waits any more; a pause that would reach it is not begun.
    ///   - roll: at least 0, below 1.
    ///   - budget: charged when a retry is scheduled; the one free retry charges nothing and is no attempt.
    package mutating func failed(
        _ failure: Failure, timeLeft: Duration, roll: Double, budget: inout RetryBudget
    ) -> Action {
        switch consume self {
        case .inFlight(let policy, let attempt, hasFreeRetry: true) where failure.isFree && timeLeft > .zero:
            self = .inFlight(policy, attempt: attempt, hasFreeRetry: false)
            return .send
        case .inFlight(let policy, let attempt, let hasFreeRetry):
            let delay = policy.delay(retry: attempt, asked: failure.retryAfter, roll: roll)
            guard failure.isTransient, attempt < policy.attempts, delay < timeLeft, budget.takeRetry() else {
                self = .done
                return .giveUp
            }
            self = .pausing(policy, attempt: attempt, hasFreeRetry: hasFreeRetry)
            return .pause(delay)
        case .done:
            self = .done
            return .none  // lost the race with cancellation
        case .idle: preconditionFailure(Self.nothingInFlight)
        case .pausing: preconditionFailure(Self.nothingInFlight)
        }
    }

    package mutating func pauseEnded() -> Action {
        switch consume self {
        case .pausing(let policy, let attempt, let hasFreeRetry):
            self = .inFlight(policy, attempt: attempt + 1, hasFreeRetry: hasFreeRetry)
            return .send
        case .done:
            self = .done
            return .none  // cancelled while pausing
        case .idle: preconditionFailure(Self.notPausing)
        case .inFlight: preconditionFailure(Self.notPausing)
        }
    }

    package mutating func ended() {
        self = .done
    }

    private static let startedTwice = "start() twice: a bug in the caller, never bad input"
    private static let nothingInFlight = "failed() without an attempt in flight: a bug in the caller"
    private static let notPausing = "pauseEnded() without a pause: a bug in the caller, never bad input"
}
