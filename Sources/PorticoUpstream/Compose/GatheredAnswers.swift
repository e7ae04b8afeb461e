package import PorticoSchema

/// Composed answers as they were gathered a moment ago, so that a large one is not copied together for every request: that
/// took twice as long as sending it (`Benchmarks compose`).
///
/// One counts for as long as the source's generation stays what it was, and for ``longestUse`` at most, so that the source
/// sees from time to time which parts are in use. Full, it begins anew.
package struct GatheredAnswers: Sendable {
    package static let longestUse = Duration.seconds(1)

    private struct Key: Hashable, Sendable {
        let method: MethodID
        let request: [UInt8]
    }

    private struct Entry: Sendable {
        let answer: Answer
        let generation: UInt64
        /// When the answer's ``Answer/age`` was true.
        let gatheredAt: ContinuousClock.Instant
        let until: ContinuousClock.Instant
    }

    /// A dictionary's slot and what the arrays have in front, roughly.
    private static let overheadBytes = 256

    private let limitBytes: Int
    private var entries: [Key: Entry] = [:]
    /// Requests and answers, never above the limit.
    package private(set) var bytes = 0

    package init(limitBytes: Int = 8 << 20) { self.limitBytes = limitBytes }

    /// As old as it is by now; nil: gather it anew.
    package func answer(
        to method: MethodID, _ request: [UInt8], generation: UInt64, at now: ContinuousClock.Instant
    ) -> Answer? {
        guard let entry = entries[Key(method: method, request: request)], entry.generation == generation,
            now < entry.until
        else { return nil }
        var answer = entry.answer
        answer.age += now - entry.gatheredAt
        return answer
    }

    /// Keeps what holds for a while.
    /// - Parameter generation: the source's, from before it gave the parts.
    package mutating func keep(
        _ answer: Answer, to method: MethodID, _ request: [UInt8], generation: UInt64,
        at now: ContinuousClock.Instant
    ) {
        guard let end = answer.holdsUntil else { return }
        let key = Key(method: method, request: request)
        if let before = entries.removeValue(forKey: key) { bytes -= Self.bytes(of: key, before.answer) }
        let size = Self.bytes(of: key, answer)
        if size > limitBytes - bytes {
            entries = [:]
            bytes = 0
        }
        guard size <= limitBytes else { return }
        bytes += size
        entries[key] = Entry(
            answer: answer, generation: generation, gatheredAt: now, until: min(end, now + Self.longestUse))
    }

    private static func bytes(of key: Key, _ answer: Answer) -> Int {
        key.request.count + answer.message.count + overheadBytes
    }
}
