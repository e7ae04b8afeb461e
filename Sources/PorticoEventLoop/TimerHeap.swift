package import PorticoWire

/// A ``TimerOrder`` with what each timer is for.
package struct TimerHeap<Payload>: ~Copyable {
    private var order = TimerOrder()
    /// By ``TimerID/place``.
    private var payloads: [Payload?] = []

    package init() {}

    package var count: Int { order.count }
    package var nextDeadline: Instant? { order.nextDeadline }

    package mutating func insert(_ payload: Payload, at deadline: Instant) -> TimerID {
        let id = order.insert(at: deadline)
        if id.place == payloads.count { payloads.append(payload) } else { payloads[id.place] = payload }
        return id
    }

    /// - Returns: the payload, or nil when `id` has fired or was cancelled before.
    @discardableResult
    package mutating func remove(_ id: TimerID) -> Payload? {
        order.remove(id) ? payloads[id.place].take() : nil
    }

    /// Separates the timers set so far from those still to come.
    package var mark: UInt64 { order.mark }

    /// The earliest timer due at `now`, taken out; nil: none is due, or the earliest was set after `mark`.
    package mutating func popDue(
        at now: Instant, setBefore mark: UInt64
    ) -> (id: TimerID, payload: Payload)? {
        guard let id = order.popDue(at: now, setBefore: mark) else { return nil }
        guard let payload = payloads[id.place].take() else {
            preconditionFailure("a timer in the heap has lost its payload: a bug in TimerHeap")
        }
        return (id, payload)
    }
}
