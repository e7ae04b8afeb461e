import Synchronization

/// What is kept of frames and requests that have begun and not ended, of all connections of all loops together.
///
/// A connection's own limits let each of ten thousand keep a whole message; this keeps their sum within memory.
final class UnfinishedBytes: Sendable {
    /// A lower one ends connections when the next bytes come.
    var limit: Int {
        get { limitBytes.load(ordering: .relaxed) }
        set { limitBytes.store(newValue, ordering: .relaxed) }
    }
    private let limitBytes: Atomic<Int>
    private let total = Atomic(0)

    init(limit: Int) { limitBytes = Atomic(limit) }

    var count: Int { total.load(ordering: .relaxed) }

    /// Over the limit by so many; not positive: within it.
    var excess: Int { count - limit }

    func add(_ change: Int) { total.wrappingAdd(change, ordering: .relaxed) }

    var family: MetricFamily {
        MetricFamily(
            "portico_unfinished_bytes", "Kept of frames and requests that have begun and not ended.", .gauge,
            [.init(value: Double(count))])
    }
}

/// Whose connections are ended when all together keep too much: those that keep most, until an eighth is free again.
///
/// The largest first, because one that misuses its limits keeps more than one that sends a request; and more than the
/// excess, so that a crowd at the limit is not sorted anew for every byte.
struct UnfinishedShedding<Owner> {
    let owners: [Owner]

    /// - Parameters:
    ///   - holders: the connections of one loop, each with what it keeps.
    ///   - excessBytes: above the limit, in all loops together.
    init(_ holders: [(owner: Owner, bytes: Int)], excessBytes: Int, limitBytes: Int) {
        var left = excessBytes + limitBytes / 8
        var chosen: [Owner] = []
        for holder in holders.sorted(by: { $0.bytes > $1.bytes }) {
            guard left > 0, holder.bytes > 0 else { break }
            left -= holder.bytes
            chosen.append(holder.owner)
        }
        owners = chosen
    }
}
