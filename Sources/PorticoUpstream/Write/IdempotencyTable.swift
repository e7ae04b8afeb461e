/// First answers of writes that carried an idempotency key, so that the same key gets the same answer without a second
/// call of the upstream (draft-ietf-httpapi-idempotency-key-header-07). Bounded in bytes and entries; the oldest answers
/// go first. Failures are not kept: whoever failed may try again under its key.
///
///     begin(k, "a") → perform    begin(k, "b") → refused    ended(k, answer)    begin(k, "a") → answered
package struct IdempotencyTable: Sendable {
    package struct Key: Hashable, Sendable {
        /// Keys of different callers have nothing to do with each other.
        package let caller: Identity
        /// `package.Service/Method`
        package let route: String
        package let text: String

        package init(caller: Identity, route: String, text: String) {
            self.caller = caller
            self.route = route
            self.text = text
        }

        fileprivate var bytes: Int { caller.digest.count + route.utf8.count + text.utf8.count }
    }

    package struct Answer: Equatable, Sendable {
        package let message: [UInt8]
        package let skippedItems: Int

        package init(message: [UInt8], skippedItems: Int) {
            self.message = message
            self.skippedItems = skippedItems
        }
    }

    package enum Decision: Equatable, Sendable {
        /// There is no answer yet: call the upstream, or wait for the call that is under way.
        case perform
        case answered(Answer)
        /// The key was used for another request, under way or answered.
        case refused
        /// As many writes are under way as are kept account of.
        case full
    }

    /// How long an answer is kept.
    package static let lifetime = Duration.seconds(600)
    /// Dictionary and list slots of one entry, roughly.
    private static let overheadBytes = 256

    private enum State: Sendable {
        case running
        case answered(Answer, until: ContinuousClock.Instant)
    }

    private struct Entry: Sendable {
        /// Of the request.
        let digest: String
        var state: State
    }

    private let limitBytes: Int
    private let limitEntries: Int
    private var entries: [Key: Entry] = [:]
    /// Answered ones; all live equally long, so the oldest ends first.
    private var oldestFirst: ArraySlice<Key> = []
    /// Of answered entries, never above the limit.
    package private(set) var bytes = 0

    package init(limitBytes: Int = 32 << 20, limitEntries: Int = 65_536) {
        self.limitBytes = limitBytes
        self.limitEntries = limitEntries
    }

    package var count: Int { entries.count }

    /// - Parameter digest: equal for equal requests only.
    package mutating func begin(_ key: Key, digest: String, now: ContinuousClock.Instant) -> Decision {
        dropEnded(now)
        if let entry = entries[key] {
            guard entry.digest == digest else { return .refused }
            switch entry.state {
            case .running: return .perform
            case .answered(let answer, _): return .answered(answer)
            }
        }
        while entries.count >= limitEntries { guard dropOldest() else { return .full } }
        entries[key] = Entry(digest: digest, state: .running)
        return .perform
    }

    /// - Parameter answer: nil: it failed.
    package mutating func ended(_ key: Key, _ answer: Answer?, now: ContinuousClock.Instant) {
        guard let entry = entries[key], case .running = entry.state else { return }
        dropEnded(now)
        guard let answer, Self.bytes(of: key, answer) <= limitBytes else {
            entries[key] = nil
            return
        }
        entries[key]?.state = .answered(answer, until: now + Self.lifetime)
        oldestFirst.append(key)
        bytes += Self.bytes(of: key, answer)
        while bytes > limitBytes, dropOldest() {}
    }

    private mutating func dropEnded(_ now: ContinuousClock.Instant) {
        while let oldest = oldestFirst.first, case .answered(_, let end)? = entries[oldest]?.state, end <= now
        {
            dropOldest()
        }
    }

    /// - Returns: false: all that are left are under way.
    @discardableResult
    private mutating func dropOldest() -> Bool {
        guard let oldest = oldestFirst.popFirst() else { return false }
        if case .answered(let answer, _)? = entries.removeValue(forKey: oldest)?.state {
            bytes -= Self.bytes(of: oldest, answer)
        }
        return true
    }

    private static func bytes(of key: Key, _ answer: Answer) -> Int {
        key.bytes + answer.message.count + overheadBytes
    }
}
