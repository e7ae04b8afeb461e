import CLinux
import Glibc
import Synchronization

/// A thread that waits for descriptors, timers and jobs, and handles them one after another.
///
/// This is the part other threads may touch: ``execute(_:)`` and ``stop()``. Everything else lives in the
/// ``Reactor``, which only the loop's own thread ever sees.
///
/// **Threading.** One lock, `inbox`, held for an append or a swap and never while calling out; it comes last in any
/// lock order. The loop takes it only after a wake-up, so a loop without jobs from outside takes no lock at all.
package final class EventLoop: Sendable {
    package typealias Job = @Sendable (Reactor) -> Void

    /// What other threads, and the loop itself, hand over.
    enum Work {
        case job(Job)
        /// A step of a task that runs here: see `EventLoop+Tasks.swift`.
        case step(UnownedJob)
    }

    private struct Inbox {
        var work: [Work] = []
        var phase = Phase.new
        /// Who waits in ``join()``.
        var joiners: [CheckedContinuation<Void, Never>] = []
    }

    private enum Phase { case new, running, stopping, stopped }

    /// An eventfd: written to when the inbox stops being empty.
    let wakeUp: Descriptor
    private let inbox = Mutex(Inbox())
    /// `pthread_self()` of the loop's thread while it runs; 0 before and after.
    private let thread = Atomic<UInt>(0)
    /// The loop has handed work to itself, for which no wake-up is written. Only its own thread looks at this.
    private let hasOwnWork = Atomic(false)

    package init() throws(SystemError) {
        wakeUp = Descriptor(
            owning: try system("eventfd") { eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC)) })
    }

    /// Starts the loop's thread, once. Jobs handed over before are run first.
    ///
    /// - Throws: ``SystemError/system(call:subject:errno:)`` when there is no descriptor or thread to be had.
    package func start() throws(SystemError) {
        let isFirst = inbox.withLock { inbox in
            defer { inbox.phase = .running }
            return inbox.phase == .new
        }
        precondition(isFirst, "start() is called once: a loop's thread does not come back")
        do throws(SystemError) {
            let reactor = try Reactor(loop: self)
            try startThread { [self] in run(reactor) }
        } catch {
            inbox.withLock { $0.phase = .stopped }
            throw error
        }
        wake()
    }

    /// Runs `job` on the loop, after those handed over before it, from any thread.
    ///
    /// The wake-up is written once for all jobs that gather while the loop is busy.
    /// - Returns: false when the loop has been stopped: the job will never run.
    @discardableResult
    package func execute(_ job: @escaping Job) -> Bool {
        let (isAccepted, isFirst) = inbox.withLock { inbox in
            guard inbox.phase == .new || inbox.phase == .running else { return (false, false) }
            inbox.work.append(.job(job))
            return (true, inbox.work.count == 1)
        }
        if isFirst { announce() }
        return isAccepted
    }

    /// As ``execute(_:)``, and also while the loop is stopping: a task that has begun here may end here.
    ///
    /// - Returns: false when the loop's thread has ended.
    func run(_ step: UnownedJob) -> Bool {
        let (isAccepted, isFirst) = inbox.withLock { inbox in
            guard inbox.phase != .stopped else { return (false, false) }
            inbox.work.append(.step(step))
            return (true, inbox.work.count == 1)
        }
        if isFirst { announce() }
        return isAccepted
    }

    /// Asks the loop to end: jobs already handed over still run, then every handler hears
    /// ``ReadinessHandler/loopStopped(on:)``. Returns at once; ``join()`` waits.
    package func stop() {
        let rest = inbox.withLock { inbox in
            switch inbox.phase {
            case .new:
                inbox.phase = .stopped
                return exchange(&inbox.work, with: [])
            case .running: inbox.phase = .stopping
            case .stopping, .stopped: break
            }
            return []
        }
        handOn(rest)
        wake()
    }

    /// Returns when the loop's thread has let go of everything. Never call it from the loop itself.
    package func join() async {
        await withCheckedContinuation { continuation in
            let isOver = inbox.withLock { inbox in
                if inbox.phase != .stopped && inbox.phase != .new { inbox.joiners.append(continuation) }
                return inbox.phase == .stopped || inbox.phase == .new
            }
            if isOver { continuation.resume() }
        }
    }

    /// The loop's own thread looks into the inbox before it waits again: that costs no system call.
    private func announce() {
        if thread.load(ordering: .relaxed) == Self.currentThread {
            hasOwnWork.store(true, ordering: .relaxed)
        } else {
            wake()
        }
    }

    private static var currentThread: UInt { UInt(pthread_self()) }

    /// The loop on whose thread this is asked; nil on every other thread.
    package static var current: EventLoop? { ofThread.loop }

    private static let ofThread = LoopOfThread()

    private func wake() {
        var one: UInt64 = 1
        // It fails only when 2^64 - 2 wake-ups are pending: the loop is awake then.
        _ = unsafe write(wakeUp.number, &one, MemoryLayout<UInt64>.size)
    }

    private func run(_ reactor: Reactor) {
        thread.store(Self.currentThread, ordering: .relaxed)
        Self.ofThread.set(self)
        while reactor.runTurn() {}
        reactor.shutDown()
        let (joiners, rest) = inbox.withLock { inbox in
            inbox.phase = .stopped
            return (exchange(&inbox.joiners, with: []), exchange(&inbox.work, with: []))
        }
        thread.store(0, ordering: .relaxed)
        Self.ofThread.set(nil)
        handOn(rest)
        for joiner in joiners { joiner.resume() }
    }

    var isOwnWorkWaiting: Bool { hasOwnWork.load(ordering: .relaxed) }

    /// Swaps what has gathered with `batch`, which is empty and keeps its storage for the next swap.
    ///
    /// - Returns: false when the loop was told to stop: this is its last work.
    func takeWork(into batch: inout [Work]) -> Bool {
        inbox.withLock { inbox in
            hasOwnWork.store(false, ordering: .relaxed)
            swap(&inbox.work, &batch)
            return inbox.phase != .stopping
        }
    }
}
