/// How the calls of the last while ended: a ring of slices, each a tenth of the window, forgotten one by one.
struct BreakerWindow: Equatable, Sendable {
    struct Counts: Equatable, Sendable {
        var calls = 0
        var failed = 0
        var slow = 0
    }

    private struct Slice: Equatable, Sendable {
        /// Whose counts these are; slices are numbered by time.
        var number = -1
        var counts = Counts()
    }

    private static let sliceCount = 10

    private let sliceLength: Duration
    private let start: ContinuousClock.Instant
    private var slices = [Slice](repeating: Slice(), count: Self.sliceCount)

    init(length: Duration, now: ContinuousClock.Instant) {
        sliceLength = length / Self.sliceCount
        start = now
    }

    mutating func add(hasFailed: Bool, isSlow: Bool, now: ContinuousClock.Instant) {
        let number = number(now)
        let place = number % Self.sliceCount
        if slices[place].number != number { slices[place] = Slice(number: number) }
        slices[place].counts.calls += 1
        slices[place].counts.failed += hasFailed ? 1 : 0
        slices[place].counts.slow += isSlow ? 1 : 0
    }

    /// Of the last ten slices, the one that has just begun among them.
    func counts(now: ContinuousClock.Instant) -> Counts {
        let number = number(now)
        return slices.reduce(into: Counts()) { sum, slice in
            guard slice.number > number - Self.sliceCount else { return }
            sum.calls += slice.counts.calls
            sum.failed += slice.counts.failed
            sum.slow += slice.counts.slow
        }
    }

    /// Counted from ``start``; time does not run backwards on this clock.
    private func number(_ now: ContinuousClock.Instant) -> Int { max(0, Int((now - start) / sliceLength)) }
}
