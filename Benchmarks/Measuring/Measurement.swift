import CAllocations

/// How long an operation takes: warmed up, then run until it has been seen often enough.
struct Measurement {
    /// Sorted; never empty.
    let times: [Duration]
    /// Calls of `malloc` and its kin in one run, the process over.
    let allocations: Int

    private static let leastRuns = 7
    private static let mostRuns = 1000

    /// - Parameters:
    ///   - enough: how long to go on, unless there are too few runs or more than needed.
    ///   - operation: one whole run; what it returns is kept alive until the clock has stopped.
    init<Result>(
        lasting enough: Duration = .seconds(2), _ operation: () throws(BenchmarkFault) -> Result
    ) throws(BenchmarkFault) {
        let clock = ContinuousClock()
        _ = try operation()
        let before = allocations_so_far()
        let counted = try operation()
        allocations = allocations_so_far() - before
        withExtendedLifetime(counted) {}
        var times: [Duration] = []
        var spent = Duration.zero
        while times.count < Self.leastRuns || (spent < enough && times.count < Self.mostRuns) {
            let start = clock.now
            let result = try operation()
            let time = clock.now - start
            withExtendedLifetime(result) {}
            times.append(time)
            spent += time
        }
        self.times = times.sorted()
    }

    var median: Duration { times[times.count / 2] }
    var least: Duration { times[0] }
    var most: Duration { times[times.count - 1] }

    /// Nil with fewer than a hundred runs, of which it would be the slowest.
    var p99: Duration? { times.count < 100 ? nil : times[times.count * 99 / 100] }
}

extension Duration {
    var inSeconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) * 1e-18
    }

    /// In the unit that leaves one to three digits before the point.
    var short: String {
        let seconds = inSeconds
        if seconds >= 1 { return seconds.digits(2) + " s" }
        if seconds >= 1e-3 { return (seconds * 1e3).digits(2) + " ms" }
        return (seconds * 1e6).digits(1) + " µs"
    }
}
