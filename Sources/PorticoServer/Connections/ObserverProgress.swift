/// Which of the answers that an observer is told go out to its client: none that it has already, and of those that wait for
/// credit only the newest.
///
///     told A → offer    told A → nothing    told B, no credit → offer    told A → withdraw: the client has A
struct ObserverProgress: Equatable {
    /// What makes an answer another one for its client.
    struct Mark: Equatable {
        let cursor: [UInt8]
        let isStale: Bool
    }

    enum Decision: Equatable {
        case nothing
        /// In the place of one that waits.
        case offer
        /// The one that waits: the client has what it would replace.
        case withdraw
    }

    /// What the client has.
    private var sent: Mark?
    /// Offered last; it may have gone out since.
    private var offered: Mark?
    private var version: UInt64 = 0
    /// The client is told whether an answer is stale.
    private let showsAge: Bool
    /// Of the answer that the client had from an earlier observation; it counts until something differs.
    private var resumed: [UInt8]

    /// - Parameter cursor: empty: the client has nothing.
    init(resuming cursor: [UInt8], showsAge: Bool) {
        resumed = cursor
        self.showsAge = showsAge
    }

    /// - Parameters:
    ///   - version: an answer with a lower one was told after a later one, and is of no use.
    ///   - isWaiting: what was offered last has not gone out.
    mutating func told(_ mark: Mark, version: UInt64, isWaiting: Bool) -> Decision {
        guard version > self.version else { return .nothing }
        self.version = version
        if !isWaiting, let offered {
            sent = offered
            self.offered = nil
        }
        let mark = showsAge ? mark : Mark(cursor: mark.cursor, isStale: false)
        if sent == nil, resumed == mark.cursor { sent = mark }
        resumed = []
        if mark == offered { return .nothing }
        if mark == sent {
            offered = nil
            return isWaiting ? .withdraw : .nothing
        }
        offered = mark
        return .offer
    }

    /// It is told by another source from now on, which counts from the beginning.
    mutating func startsAgain() { version = 0 }
}
