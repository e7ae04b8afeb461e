import Synchronization

/// 1, 2, 3, … for whoever asks.
private final class Numbers: Sendable {
    private let next = Atomic(1)
    func take() -> Int { next.wrappingAdd(1, ordering: .relaxed).oldValue }
}

/// Makes calls, a fixed number of them at a time, each with a number of its own, so that no two are equal.
struct CallLoad: Sendable {
    /// At a time.
    static let callers = 64
    let calls: Int

    /// - Parameter call: makes one call; throws when it failed.
    /// - Returns: calls a second.
    func run(_ call: @escaping @Sendable (_ caller: Int, _ number: Int) async throws -> Void) async throws
        -> Double
    {
        let numbers = Numbers()
        let calls = calls
        let start = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for caller in 0..<Self.callers {
                group.addTask {
                    while true {
                        let number = numbers.take()
                        guard number <= calls else { return }
                        try await call(caller, number)
                    }
                }
            }
            try await group.waitForAll()
        }
        return Double(calls) / (ContinuousClock.now - start).inSeconds
    }
}
