package import PorticoWire
internal import Synchronization

/// What an observer is told.
package enum Observed: Sendable {
    case answer(ObservedAnswer)
    /// There is no first answer: nothing follows.
    case failed(CallError)
}

/// One observer's end of an observation; ``end()`` may be called from any thread, any number of times.
package final class Observation: Sendable {
    private let ending: @Sendable () -> Void

    package init(ending: @escaping @Sendable () -> Void) { self.ending = ending }

    package func end() { ending() }
}

/// An answer as all its observers are told it.
package final class ObservedAnswer: Sendable {
    /// Bytes of a cursor.
    package static let cursorBytes = 16

    package let message: [UInt8]
    package let skippedItems: Int
    package let missingJoins: Int
    package let fetchedAt: ContinuousClock.Instant
    package let origin: Answer.Origin
    /// Of the content, whichever server gives it: equal for equal content.
    package let cursor: [UInt8]
    /// Of two answers to one observer the later one has the larger number.
    package let version: UInt64
    private let deflated = Mutex<[UInt8]??>(nil)

    package init(
        message: [UInt8], skippedItems: Int = 0, missingJoins: Int = 0, fetchedAt: ContinuousClock.Instant,
        origin: Answer.Origin, cursor: [UInt8], version: UInt64
    ) {
        self.message = message
        self.skippedItems = skippedItems
        self.missingJoins = missingJoins
        self.fetchedAt = fetchedAt
        self.origin = origin
        self.cursor = cursor
        self.version = version
    }

    /// - Parameter canonical: the message with equal content in equal bytes.
    package static func cursor(of canonical: [UInt8]) -> [UInt8] {
        Array(SHA256.hash(canonical).prefix(cursorBytes))
    }

    package func answer(at now: ContinuousClock.Instant) -> Answer {
        Answer(
            message: message, origin: origin, age: max(.zero, now - fetchedAt), skippedItems: skippedItems,
            missingJoins: missingJoins)
    }

    /// In zlib's format; nil: it does not shrink. The work is done once for all observers; not for an event loop.
    package func packed() -> [UInt8]? {
        deflated.withLock { deflated in
            if let deflated { return deflated }
            let packed = Deflate.compress(message, limitBytes: message.count - 1)
            deflated = .some(packed)
            return packed
        }
    }

    /// The same, told at another time.
    func retold(_ origin: Answer.Origin, version: UInt64) -> ObservedAnswer {
        ObservedAnswer(
            message: message, skippedItems: skippedItems, missingJoins: missingJoins, fetchedAt: fetchedAt,
            origin: origin,
            cursor: cursor,
            version: version)
    }
}
