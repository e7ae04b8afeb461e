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

    private struct Inbox {
        var jobs: [Job] = []
        var phase = Phase.new
        /// Who waits in ``join()``.
        var joiners: [CheckedContinuation<Void, Never>] = []
    }

    private enum Phase { case new, running, stopping, stopped }

    /// An eventfd: written to when the inbox stops being empty.
    let wakeUp: Descriptor
    private let inbox = Mutex(Inbox())

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
            inbox.jobs.append(job)
            return (true, inbox.jobs.count == 1)
        }
        if isFirst { wake() }
        return isAccepted
    }

    /// Asks the loop to end: jobs already handed over still run, then every handler hears
    /// ``ReadinessHandler/loopStopped(on:)``. Returns at once; ``join()`` waits.
    package func stop() {
        inbox.withLock { inbox in
            switch inbox.phase {
            case .new: inbox.phase = .stopped
            case .running: inbox.phase = .stopping
            case .stopping, .stopped: break
            }
        }
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

    private func wake() {
        var one: UInt64 = 1
        // It fails only when 2^64 - 2 wake-ups are pending: the loop is awake then.
        _ = unsafe write(wakeUp.number, &one, MemoryLayout<UInt64>.size)
    }

    private func run(_ reactor: Reactor) {
        while reactor.runTurn() {}
        reactor.shutDown()
        let joiners = inbox.withLock { inbox in
            inbox.phase = .stopped
            return exchange(&inbox.joiners, with: [])
        }
        for joiner in joiners { joiner.resume() }
    }

    /// Swaps the gathered jobs with `batch`, which is empty and keeps its storage for the next swap.
    ///
    /// - Returns: false when the loop was told to stop: these jobs are its last.
    func takeJobs(into batch: inout [Job]) -> Bool {
        inbox.withLock { inbox in
            swap(&inbox.jobs, &batch)
            return inbox.phase != .stopping
        }
    }
}
