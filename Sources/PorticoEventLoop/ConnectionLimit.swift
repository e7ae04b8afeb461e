import Synchronization

/// How many connections may be open at once, shared by the listeners of all loops.
package final class ConnectionLimit: Sendable {
    /// A lower one closes no connection: it counts when the next ones come.
    package var maximum: Int {
        get { limit.load(ordering: .relaxed) }
        set { limit.store(newValue, ordering: .relaxed) }
    }
    private let limit: Atomic<Int>
    private let open = Atomic(0)

    package init(maximum: Int) { limit = Atomic(maximum) }

    /// Connections open now.
    package var count: Int { open.load(ordering: .relaxed) }

    /// - Returns: nil when the limit is reached.
    package func acquire() -> ConnectionPermit? {
        guard open.wrappingAdd(1, ordering: .relaxed).newValue <= maximum else {
            release()
            return nil
        }
        return ConnectionPermit(limit: self)
    }

    fileprivate func release() { open.wrappingSubtract(1, ordering: .relaxed) }
}

/// One place under a ``ConnectionLimit``; free again when its owner, the connection, goes.
package struct ConnectionPermit: ~Copyable, Sendable {
    fileprivate let limit: ConnectionLimit
    deinit { limit.release() }
}
