import PorticoEventLoop
import PorticoUpstream
import PorticoWire

/// One stream of a connection on which a method is observed, and the alarm at the deadline of its first answer.
final class ObservedStream: TimerHandler {
    let streamID: UInt32
    /// Of the method: another generation has another number for it.
    let route: [UInt8]
    let request: [UInt8]
    let context: CallContext
    let access: Access
    let timeout: Duration
    /// Tells what an earlier observation says late from what this one does.
    var serial: UInt64 = 0
    var progress: ObserverProgress
    private var observation: Observation?
    private unowned let connection: Connection
    private var alarm: TimerID?

    init(
        streamID: UInt32, route: [UInt8], request: [UInt8], _ call: IncomingCall, timeout: Duration,
        connection: Connection, on reactor: Reactor
    ) {
        self.streamID = streamID
        self.route = route
        self.request = request
        // The rest of a context may be long, and is of no use to what stays.
        var context = CallContext()
        context.locale = call.context.locale
        context.wantsResponseContext = call.context.wantsResponseContext
        context.acceptEncodings = call.context.acceptsDeflate ? ["deflate"] : []
        self.context = context
        access = call.access
        self.timeout = timeout
        self.connection = connection
        progress = ObserverProgress(
            resuming: call.context.resumeCursor, showsAge: context.wantsResponseContext)
        alarm = reactor.schedule(after: timeout, self)
    }

    /// Goes on with another observation; the one before ends after this one has begun, so that what they share lives on.
    func follow(_ next: Observation?) {
        let before = exchange(&observation, with: next)
        before?.end()
    }

    func timerFired(_ timer: TimerID, on reactor: Reactor) {
        alarm = nil
        connection.firstAnswerTimedOut(self, on: reactor)
    }

    /// An answer has come: from now on there is no deadline.
    func answered(on reactor: Reactor) {
        if let alarm { reactor.cancel(alarm) }
        alarm = nil
    }

    func end(on reactor: Reactor) {
        answered(on: reactor)
        follow(nil)
    }
}
