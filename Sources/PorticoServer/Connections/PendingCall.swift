import PorticoEventLoop
import PorticoWire

/// A call that is being waited for: its task, and the alarm at its deadline. Only misses have one.
final class PendingCall: TimerHandler {
    let streamID: UInt32
    /// Tells a late result of an earlier call on the same stream from this one's.
    let serial: UInt64
    /// Under which a deflated answer is kept.
    let key: DeflatedAnswers.Key
    let timeout: Duration
    private let task: Task<Void, Never>
    private unowned let connection: Connection
    private var alarm: TimerID?

    init(
        streamID: UInt32, serial: UInt64, key: DeflatedAnswers.Key, timeout: Duration,
        task: Task<Void, Never>, connection: Connection,
        on reactor: Reactor
    ) {
        self.streamID = streamID
        self.serial = serial
        self.key = key
        self.timeout = timeout
        self.task = task
        self.connection = connection
        alarm = reactor.schedule(after: timeout, self)
    }

    func timerFired(_ timer: TimerID, on reactor: Reactor) {
        alarm = nil
        connection.callTimedOut(self, on: reactor)
    }

    /// Nobody waits any more; the upstream call goes on only if others do.
    func cancel(on reactor: Reactor) {
        task.cancel()
        finish(on: reactor)
    }

    func finish(on reactor: Reactor) {
        if let alarm { reactor.cancel(alarm) }
        alarm = nil
    }
}
