import PorticoEventLoop
import PorticoWire

/// One event loop of the server, its listener and its connections, as other threads know it.
struct ServerLoop: Sendable {
    private let loop: EventLoop
    private let listener: ListenerHandle
    private let group: LoopBound<ConnectionGroup>

    static func start(
        _ socket: consuming ListeningSocket, limit: ConnectionLimit, unfinished: UnfinishedBytes,
        services: Services, metrics: LoopMetrics
    ) async throws(SystemError) -> ServerLoop {
        let loop = try EventLoop()
        try loop.start()
        let group = LoopBound(to: loop) {
            ConnectionGroup(services: services, metrics: metrics, unfinished: unfinished, at: .now)
        }
        do throws(SystemError) {
            let listener = try await loop.listen(on: socket, limit: limit) { reactor in
                let group = group.value(on: reactor)
                return { socket, permit, reactor in
                    Connection.open(socket, permit: permit, group: group, on: reactor)
                }
            }
            return ServerLoop(loop: loop, listener: listener, group: group)
        } catch {
            loop.stop()
            throw error
        }
    }

    /// Returns when the loop serves with `services`, or has ended.
    func adopt(_ services: Services) async {
        await withCheckedContinuation { continuation in
            let isAccepted = loop.execute { [group] reactor in
                group.value(on: reactor).adopt(services, on: reactor)
                continuation.resume()
            }
            if !isAccepted { continuation.resume() }
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
