/// One event loop of the server, its listener and its connections, as other threads know it.
struct ServerLoop: Sendable {
    private let loop: EventLoop
    private let listener: ListenerHandle
    private let group: LoopBound<ConnectionGroup>

    static func start(
        _ socket: consuming ListeningSocket, limit: ConnectionLimit, services: Services, metrics: LoopMetrics
    ) async throws(ServerError) -> ServerLoop {
        let loop = try EventLoop()
        try loop.start()
        let group = LoopBound(to: loop) { ConnectionGroup(services: services, metrics: metrics) }
        do throws(ServerError) {
            let listener = try await loop.listen(on: socket, limit: limit) { reactor in
                let group = group.value(on: reactor)
                return { socket, permit, reactor in
                    Connection.open(socket, permit: permit, services: services, group: group, on: reactor)
                }
            }
            return ServerLoop(loop: loop, listener: listener, group: group)
        } catch {
            loop.stop()
            throw error
        }
    }

    /// Returns when every connection has ended.
    func drain() async {
        listener.close()
        await withCheckedContinuation { continuation in
            let isAccepted = loop.execute { [group] reactor in
                group.value(on: reactor).drain(on: reactor) { continuation.resume() }
            }
            if !isAccepted { continuation.resume() }
        }
    }

    func stop() async {
        loop.stop()
        await loop.join()
    }
}

/// Carries an object that belongs to a loop through other threads, which cannot look at it.
final class LoopBound<Value>: @unchecked Sendable {
    // SAFETY: `content` is made and read only where a Reactor of `loop` is at hand, which is the loop's own thread;
    // `value(on:)` checks it. What is left at the end is let go of by the last owner, when the loop has ended.
    private let loop: EventLoop
    private let make: @Sendable () -> Value
    private var content: Value?

    init(to loop: EventLoop, _ make: @escaping @Sendable () -> Value) {
        self.loop = loop
        self.make = make
    }

    func value(on reactor: Reactor) -> Value {
        precondition(reactor.loop === loop, "an object of another loop: a bug in the caller")
        if let content { return content }
        let made = make()
        content = made
        return made
    }
}
