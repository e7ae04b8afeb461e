import Synchronization

/// What a loop keeps for somebody else: see ``LoopLocal``.
package protocol LoopResident: AnyObject {
    /// Whom it was kept for has gone, or the loop ends: let go of everything. Nothing is asked of it afterwards.
    func leave(_ reactor: Reactor)
}

/// An object for each loop that asks for one: made there, used there, and let go of there.
///
/// **Threading.** One lock, held to note a loop, which happens once for each.
package final class LoopLocal<Resident: LoopResident>: Sendable {
    private let number = LoopLocalNumber.next()
    private let make: @Sendable () -> Resident
    /// Where there is one.
    private let loops = Mutex<[EventLoop]>([])

    package init(_ make: @escaping @Sendable () -> Resident) { self.make = make }

    /// Of `reactor`'s loop.
    package func resident(on reactor: Reactor) -> Resident {
        if let known = reactor.resident(number) {
            guard let mine = known as? Resident else {
                preconditionFailure("a number is given to one owner: a bug in LoopLocalNumber")
            }
            return mine
        }
        let made = make()
        reactor.settle(made, number)
        loops.withLock { $0.append(reactor.loop) }
        return made
    }

    deinit {
        let number = number
        for loop in loops.withLock({ $0 }) { loop.execute { $0.dismiss(number) } }
    }
}

/// Names an owner of residents; never used twice, as an address would be.
enum LoopLocalNumber {
    private static let last = Atomic(0)

    static func next() -> Int { last.add(1, ordering: .relaxed).newValue }
}
