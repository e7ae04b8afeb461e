/// Work that grows with an answer's size: a small answer is worked on where the task runs, the loop of its exchange as a
/// rule; a large one elsewhere, so that it does not hold up the other exchanges of that loop.
enum LongWork {
    /// About a quarter of a millisecond's worth of decoding.
    static let thresholdBytes = 256 << 10

    static func on<Value, Failure: Error>(
        _ bytes: Int, _ work: () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        guard bytes > thresholdBytes else { return try work() }
        return try await withTaskExecutorPreference(globalConcurrentExecutor) { () async throws(Failure) in
            try work()
        }
    }
}
