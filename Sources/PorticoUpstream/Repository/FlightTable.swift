/// Equal calls in flight: which of them share one upstream call, and when nobody waits for it any more.
///
/// A flight belongs to none of its waiters. It ends when it lands, or when the last waiter leaves it.
package struct FlightTable<Key: Hashable & Sendable>: Sendable {
    package struct FlightID: Hashable, Sendable { fileprivate let number: Int }
    package struct WaiterID: Hashable, Sendable { fileprivate let number: Int }

    package enum Patience: Equatable, Sendable {
        case until(ContinuousClock.Instant)
        /// As long as somebody waits for that flight, which is built upon this one.
        case asLongAs(FlightID)
    }

    package struct Joined: Equatable, Sendable {
        package let flight: FlightID
        package let waiter: WaiterID
        /// The caller starts the work.
        package let isFirst: Bool
    }

    private struct Flight: Sendable {
        let key: Key
        /// Mostly one, so that a list is quicker than a table.
        var waiters: [(id: WaiterID, patience: Patience)]

        /// - Returns: who stands at `index` now, the last one; nil: nobody.
        mutating func remove(at index: Int) -> WaiterID? {
            waiters.swapAt(index, waiters.count - 1)
            waiters.removeLast()
            return index < waiters.count ? waiters[index].id : nil
        }
    }

    /// Where a waiter is found at once, however many wait with it: all of them may leave at the same time.
    private struct Place: Sendable {
        let flight: FlightID
        var index: Int
    }

    private var byKey: [Key: FlightID] = [:]
    private var flights: [FlightID: Flight] = [:]
    private var places: [WaiterID: Place] = [:]
    private var numbers = 0

    package init() {}

    package var count: Int { flights.count }
    package var waiterCount: Int { places.count }

    package func isInFlight(_ key: Key) -> Bool { byKey[key] != nil }

    package mutating func join(_ key: Key, _ patience: Patience) -> Joined {
        numbers += 1
        let waiter = WaiterID(number: numbers)
        guard let flight = byKey[key] else {
            let flight = FlightID(number: numbers)
            byKey[key] = flight
            flights[flight] = Flight(key: key, waiters: [(waiter, patience)])
            places[waiter] = Place(flight: flight, index: 0)
            return Joined(flight: flight, waiter: waiter, isFirst: true)
        }
        places[waiter] = Place(flight: flight, index: flights[flight]?.waiters.count ?? 0)
        flights[flight]?.waiters.append((waiter, patience))
        return Joined(flight: flight, waiter: waiter, isFirst: false)
    }

    /// - Returns: the flight to be cancelled, when nobody is left. Later equal calls begin a new one.
    package mutating func leave(_ waiter: WaiterID) -> FlightID? {
        guard let place = places.removeValue(forKey: waiter) else { return nil }
        let flight = place.flight
        if let moved = flights[flight]?.remove(at: place.index) { places[moved]?.index = place.index }
        guard let left = flights[flight], left.waiters.isEmpty else { return nil }
        flights[flight] = nil
        unlist(flight, left.key)
        return flight
    }

    /// Whoever comes later begins anew; those who wait are told what the flights bring.
    package mutating func setAside(where isOutdated: (Key) -> Bool) {
        byKey = byKey.filter { !isOutdated($0.key) }
    }

    /// A later flight for the same key stays.
    private mutating func unlist(_ flight: FlightID, _ key: Key) {
        if byKey[key] == flight { byKey[key] = nil }
    }

    /// - Returns: who is to be told; empty for a flight that was cancelled.
    package mutating func landed(_ flight: FlightID) -> [WaiterID] {
        guard let ended = flights.removeValue(forKey: flight) else { return [] }
        unlist(flight, ended.key)
        for waiter in ended.waiters { places[waiter.id] = nil }
        return ended.waiters.map(\.id)
    }

    /// When the last waiter gives up; nil: nobody waits.
    package func latestDeadline(of flight: FlightID) -> ContinuousClock.Instant? {
        guard let waiters = flights[flight]?.waiters else { return nil }
        var latest: ContinuousClock.Instant?
        for waiter in waiters {
            let deadline: ContinuousClock.Instant? =
                switch waiter.patience {
                case .until(let instant): instant
                case .asLongAs(let other): latestDeadline(of: other)
                }
            if let deadline { latest = max(latest ?? deadline, deadline) }
        }
        return latest
    }
}
