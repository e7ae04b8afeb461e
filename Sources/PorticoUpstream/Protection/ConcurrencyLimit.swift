/// So many at a time, so many more in a queue, first come first served; the others are refused.
package struct ConcurrencyLimit: Equatable, Sendable {
    package struct Ticket: Hashable, Sendable { fileprivate let number: Int }

    package enum Arrival: Equatable, Sendable {
        case goes(Ticket)
        case waits(Ticket)
        case refused
    }

    package enum Departure: Equatable, Sendable {
        case none
        /// Its turn has come.
        case next(Ticket)
    }

    private let limit: Int
    private let queueLimit: Int
    private var running: Set<Ticket> = []
    /// From ``first`` on, with gaps where somebody has left.
    private var queue: [Ticket] = []
    private var first = 0
    private var waiting: Set<Ticket> = []
    private var numbers = 0

    package init(limit: Int, queueLimit: Int) {
        self.limit = max(1, limit)
        self.queueLimit = max(0, queueLimit)
    }

    package var runningCount: Int { running.count }
    package var waitingCount: Int { waiting.count }

    package mutating func arrive() -> Arrival {
        numbers += 1
        let ticket = Ticket(number: numbers)
        if running.count < limit {
            running.insert(ticket)
            return .goes(ticket)
        }
        guard waiting.count < queueLimit else { return .refused }
        waiting.insert(ticket)
        queue.append(ticket)
        return .waits(ticket)
    }

    /// Ends a ticket in whatever state it is: a call that has ended, or one that does not want to wait any more.
    package mutating func leave(_ ticket: Ticket) -> Departure {
        if waiting.remove(ticket) != nil { return .none }
        guard running.remove(ticket) != nil, let next = takeFirst() else { return .none }
        running.insert(next)
        return .next(next)
    }

    private mutating func takeFirst() -> Ticket? {
        while first < queue.count {
            let ticket = queue[first]
            first += 1
            if first > queue.count / 2 {
                queue.removeFirst(first)
                first = 0
            }
            if waiting.remove(ticket) != nil { return ticket }
        }
        return nil
    }
}
