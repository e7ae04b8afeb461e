package import PorticoWire

/// Hears about one descriptor. Called on the loop's thread only.
package protocol ReadinessHandler: AnyObject {
    /// Level-triggered: whatever is left unread or unwritten is reported again on the next turn.
    func descriptorReady(_ readiness: Readiness, on reactor: Reactor)

    /// Asked for with ``Reactor/notifyAtTurnEnd(_:)``: the turn's events and jobs are all handled, the place to
    /// write everything they produced at once.
    func turnEnded(on reactor: Reactor)

    /// The loop ends: let go of everything. The registration is already gone.
    func loopStopped(on reactor: Reactor)
}

extension ReadinessHandler {
    package func turnEnded(on reactor: Reactor) {}
    package func loopStopped(on reactor: Reactor) {}
}

/// Hears about timers. An object, not a closure, so that setting a timer allocates nothing.
package protocol TimerHandler: AnyObject {
    func timerFired(_ timer: TimerID, on reactor: Reactor)
}

/// The loop-confined part of an ``EventLoop``: descriptors, timers and the turn in hand.
///
/// Not `Sendable`. Jobs and handlers are given it, and may use it until they return or hold it in objects that the
/// loop owns. In steady state a turn allocates nothing and takes no lock: the handler table, the timer heap, the
/// event buffer and the receive buffer are all used again.
package final class Reactor {
    /// For other threads: the handle of this reactor's loop.
    package unowned let loop: EventLoop

    /// When this turn began. Read once a turn: exact enough for timeouts, and free.
    package private(set) var now: Instant

    private let poller: Poller
    private var handlers = HandlerTable()
    private var timers = TimerHeap<any TimerHandler>()
    private var work: [EventLoop.Work] = []
    private var turnEndWaiters: [Registration] = []
    private var notifying: [Registration] = []
    private var residents: [Int: any LoopResident] = [:]
    let receiveBuffer = ReceiveBuffer()

    init(loop: EventLoop) throws(SystemError) {
        self.loop = loop
        poller = try Poller()
        now = .now
        try poller.addWakeUp(loop.wakeUp.number, key: Self.wakeUpKey)
    }

    // MARK: Descriptors

    /// Registered descriptors, listeners included.
    package var handlerCount: Int { handlers.count }

    /// Reports events of `descriptor` to `handler`, which is kept alive until ``deregister(_:)``.
    ///
    /// - Parameter descriptor: the number of a descriptor that `handler` owns and keeps open until then.
    package func register(
        _ descriptor: Int32, for interest: Interest, handler: any ReadinessHandler
    ) throws(SystemError) -> Registration {
        let registration = handlers.insert(
            .init(descriptor: descriptor, interest: interest, handler: handler))
        do throws(SystemError) {
            try poller.add(descriptor, interest, key: registration.key)
        } catch {
            handlers.remove(registration)
            throw error
        }
        return registration
    }

    /// Changes what is reported. Costs a system call only when `interest` differs; a stale registration is ignored.
    package func setInterest(_ interest: Interest, of registration: Registration) {
        guard let descriptor = handlers.setInterest(interest, of: registration) else { return }
        do throws(SystemError) {
            try poller.modify(descriptor, interest, key: registration.key)
        } catch {
            preconditionFailure("epoll lost a registered descriptor, its owner closed it too early: \(error)")
        }
    }

    /// Ends the reports, also those already taken from the kernel in this turn. A stale registration is ignored.
    package func deregister(_ registration: Registration) {
        guard let entry = handlers.remove(registration) else { return }
        do throws(SystemError) {
            try poller.remove(entry.descriptor)
        } catch {
            preconditionFailure("epoll lost a registered descriptor, its owner closed it too early: \(error)")
        }
    }

    /// The handler behind a registration that came back from another thread; nil when it is gone.
    package func handler(of registration: Registration) -> (any ReadinessHandler)? {
        handlers[registration]?.handler
    }

    /// Calls the handler's ``ReadinessHandler/turnEnded(on:)`` once this turn's events and jobs are done.
    ///
    /// Asking twice in a turn calls it twice: keep a flag beside the bytes to be written.
    package func notifyAtTurnEnd(_ registration: Registration) {
        turnEndWaiters.append(registration)
    }

    // MARK: Residents

    func resident(_ number: Int) -> (any LoopResident)? { residents[number] }

    func settle(_ resident: any LoopResident, _ number: Int) { residents[number] = resident }

    func dismiss(_ number: Int) { residents.removeValue(forKey: number)?.leave(self) }

    // MARK: Timers

    /// Calls `handler` once, not before `delay` has passed since ``now``. Kept alive until it fires or is cancelled.
    package func schedule(after delay: Duration, _ handler: any TimerHandler) -> TimerID {
        timers.insert(handler, at: now + delay)
    }

    package func schedule(at deadline: Instant, _ handler: any TimerHandler) -> TimerID {
        timers.insert(handler, at: deadline)
    }

    /// For the odd timer: allocates a box for the closure, which the handler objects do without.
    package func schedule(after delay: Duration, action: @escaping (Reactor) -> Void) -> TimerID {
        timers.insert(TimerAction(action), at: now + delay)
    }

    /// A timer that has fired or was cancelled is ignored.
    package func cancel(_ timer: TimerID) { timers.remove(timer) }

    // MARK: The turn

    private static let wakeUpKey: UInt64 = 0

    /// How often work that the loop hands to itself is taken up before descriptors have their turn again.
    private static let workRounds = 16

    /// Waits for events and handles them, then work, due timers and the turn's end, in this order.
    ///
    /// - Returns: false when the loop was told to stop and its last jobs have run.
    func runTurn() -> Bool {
        let isIdle = turnEndWaiters.isEmpty && !loop.isOwnWorkWaiting
        let timeout = isIdle ? timers.nextDeadline.map { Instant.now.duration(to: $0) } : .zero
        let count = poller.wait(timeout: timeout)
        now = .now
        var isWoken = false
        for index in 0..<count {
            let (key, readiness) = poller.event(at: index)
            if key == Self.wakeUpKey {
                isWoken = true
            } else {
                handlers[Registration(key: key)]?.handler.descriptorReady(readiness, on: self)
            }
        }
        let goesOn = runWork(isWoken: isWoken)
        fireTimers()
        endTurn()
        return goesOn
    }

    /// Runs what had gathered, and then what that has added; the rest waits for the next turn.
    private func runWork(isWoken: Bool) -> Bool {
        var (isDue, rounds) = (isWoken || loop.isOwnWorkWaiting, 0)
        while isDue, rounds < Self.workRounds {
            let goesOn = loop.takeWork(into: &work)
            for piece in work { run(piece) }
            work.removeAll(keepingCapacity: true)
            guard goesOn else { return false }
            isDue = loop.isOwnWorkWaiting
            rounds += 1
        }
        return true
    }

    private func run(_ piece: EventLoop.Work) {
        switch piece {
        case .job(let job): job(self)
        case .step(let step): loop.perform(step)
        }
    }

    /// Timers set while firing wait for the next turn, even with no delay: a timer that sets itself again cannot
    /// starve the descriptors.
    private func fireTimers() {
        let mark = timers.mark
        while let (id, handler) = timers.popDue(at: now, setBefore: mark) { handler.timerFired(id, on: self) }
    }

    private func endTurn() {
        guard !turnEndWaiters.isEmpty else { return }
        swap(&turnEndWaiters, &notifying)
        for registration in notifying { handlers[registration]?.handler.turnEnded(on: self) }
        notifying.removeAll(keepingCapacity: true)
    }

    /// Ends every resident and every handler, and forgets every timer.
    func shutDown() {
        for number in Array(residents.keys) { dismiss(number) }
        for entry in handlers.removeAll() {
            try? poller.remove(entry.descriptor)
            entry.handler.loopStopped(on: self)
        }
        timers = TimerHeap()
    }
}

private final class TimerAction: TimerHandler {
    private let action: (Reactor) -> Void
    init(_ action: @escaping (Reactor) -> Void) { self.action = action }
    func timerFired(_ timer: TimerID, on reactor: Reactor) { action(reactor) }
}
