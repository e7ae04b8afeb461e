internal import PorticoEventLoop
internal import Synchronization

/// One exchange between the task that waits for it and the loop that makes it.
// SAFETY: everything but `isCancelled` is touched on the loop's thread only, after the task has handed the exchange over in
// `begin(on:)`; the task itself looks at nothing but the outcome.
final class HTTPExchange: TimerHandler, @unchecked Sendable {
    typealias Outcome = Result<HTTPResponse, TransportError>

    let requestBytes: [UInt8]
    let method: String
    let bodyLimitBytes: Int
    let salvage: (@Sendable (HTTPResponse) -> Void)?
    private let timeout: Duration
    private let isCancelled = Atomic(false)
    private var waiter: CheckedContinuation<Outcome, Never>?
    private var timer: TimerID?
    /// Names it in its origin's pool.
    private(set) var id: ConnectionPool.ExchangeID = 0
    private weak var origin: OriginConnections?

    init(_ request: HTTPRequest, method: String, bytes: [UInt8]) {
        requestBytes = bytes
        self.method = method
        bodyLimitBytes = request.bodyLimitBytes
        salvage = request.salvage
        timeout = request.timeout
    }

    /// From any thread, before ``begin(id:origin:waiter:on:)`` or after it.
    func cancel() { isCancelled.store(true, ordering: .releasing) }

    /// - Returns: false: it is over already.
    func begin(
        id: ConnectionPool.ExchangeID, origin: OriginConnections,
        waiter: CheckedContinuation<Outcome, Never>, on reactor: Reactor
    ) -> Bool {
        guard !isCancelled.load(ordering: .acquiring) else {
            waiter.resume(returning: .failure(.cancelled))
            return false
        }
        self.id = id
        self.origin = origin
        self.waiter = waiter
        timer = reactor.schedule(after: timeout, self)
        return true
    }

    /// Only the first outcome counts.
    func end(_ outcome: Outcome, on reactor: Reactor) {
        guard let waiter = waiter.take() else { return }
        if let timer = timer.take() { reactor.cancel(timer) }
        waiter.resume(returning: outcome)
    }

    /// Ends it from outside, in line or on its connection.
    func abort(_ error: TransportError, on reactor: Reactor) {
        guard waiter != nil else { return }
        origin?.abort(self, on: reactor)
        end(.failure(error), on: reactor)
    }

    func timerFired(_ timer: TimerID, on reactor: Reactor) {
        self.timer = nil
        abort(.timedOut, on: reactor)
    }
}
