package import PorticoEventLoop
internal import PorticoSchema
internal import Synchronization

/// HTTP/1.1 without TLS, on event loops of its own: connections are kept and used again, requests are not pipelined.
///
/// A call costs no thread: its request is written and its answer read on a loop, and the waiting task is resumed.
/// No proxy is taken from the environment.
package final class EventLoopTransport: HTTPTransport {
    private let loops: [EventLoop]
    private let clients: [LoopBound<LoopClient>]
    private let turn = Atomic(0)

    /// - Parameters:
    ///   - loopCount: threads; the connections to an origin are spread over them.
    ///   - address: where every connection goes, whatever the URL's host; nil: to that host.
    /// - Throws: ``SystemError/system(call:subject:errno:)`` when there is no descriptor or thread to be had.
    package init(
        loopCount: Int = 1, limits: ClientLimits = ClientLimits(), address: SocketAddress? = nil
    ) throws(SystemError) {
        var loops: [EventLoop] = []
        for _ in 0..<loopCount {
            let loop = try EventLoop()
            try loop.start()
            loops.append(loop)
        }
        self.loops = loops
        clients = loops.map { loop in
            LoopBound(to: loop) { LoopClient(limits: limits, loopCount: loopCount, address: address) }
        }
    }

    /// No exchange is under way: each of them keeps its transport.
    deinit {
        for loop in loops { loop.stop() }
    }

    /// The first loop: tasks that run there are not moved to another thread and back for an exchange on it.
    package var executor: any TaskExecutor { loops[0] }

    package func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        let origin = request.url
        guard origin.scheme == .http else { throw .unsendable }
        let exchange = HTTPExchange(
            request, method: request.method.rawValue, bytes: try RequestBytes.write(request))
        let index = loops.count == 1 ? 0 : abs(turn.wrappingAdd(1, ordering: .relaxed).oldValue) % loops.count
        let (loop, client) = (loops[index], clients[index])
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let isAccepted = loop.execute { reactor in
                    client.value(on: reactor).connections(to: origin, request.reach)
                        .start(exchange, waiter: waiter, on: reactor)
                }
                if !isAccepted { waiter.resume(returning: .failure(.cancelled)) }
            }
        } onCancel: {
            exchange.cancel()
            loop.execute { exchange.abort(.cancelled, on: $0) }
        }
        let response = try outcome.get()
        return try await LongWork.on(response.body.count) { () throws(TransportError) in
            try ContentCoding.undo(on: response, limitBytes: request.bodyLimitBytes)
        }
    }
}

/// The client's part that belongs to one loop.
final class LoopClient {
    private struct Origin: Hashable {
        let host: String
        let port: Int
        /// Addresses that are good for one reach are not for another.
        let reach: Reach
    }

    private let limits: ClientLimits
    private let connectionLimit: Int
    private let address: SocketAddress?
    private var origins: [Origin: OriginConnections] = [:]

    init(limits: ClientLimits, loopCount: Int, address: SocketAddress?) {
        self.limits = limits
        self.address = address
        connectionLimit = max(1, limits.connectionsPerOrigin / loopCount)
    }

    /// Origins are those of the environment's base URLs, so their number is bounded.
    func connections(to url: HTTPURL, _ reach: Reach) -> OriginConnections {
        let origin = Origin(host: url.host, port: url.port, reach: reach)
        if let known = origins[origin] { return known }
        let connections = OriginConnections(
            OriginAddresses(url, address, reach, kept: limits.addressesKept), limits: limits,
            connectionLimit: connectionLimit)
        origins[origin] = connections
        return connections
    }
}
