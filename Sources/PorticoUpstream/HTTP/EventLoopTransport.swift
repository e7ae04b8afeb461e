package import PorticoEventLoop
internal import PorticoSchema

/// HTTP/1.1 without TLS, on the event loop that asks: connections are kept and used again, requests are not pipelined.
///
/// Each loop has connections of its own. A task that runs on a loop is not moved to another thread and back for its
/// exchange; whoever asks from elsewhere is served by a loop of the transport's own. No proxy is taken from the
/// environment.
package final class EventLoopTransport: HTTPTransport {
    /// For those who ask from no loop.
    package let ownLoop: EventLoop
    private let clients: LoopLocal<LoopClient>

    /// - Parameter address: where every connection goes, whatever the URL's host; nil: to that host.
    /// - Throws: ``SystemError/system(call:subject:errno:)`` when there is no descriptor or thread to be had.
    package init(
        limits: ClientLimits = ClientLimits(), address: SocketAddress? = nil
    ) throws(SystemError) {
        ownLoop = try EventLoop()
        try ownLoop.start()
        clients = LoopLocal { LoopClient(limits: limits, address: address) }
    }

    /// No exchange is under way: each of them keeps its transport.
    deinit { ownLoop.stop() }

    package func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        let origin = request.url
        guard origin.scheme == .http else { throw .unsendable }
        let exchange = HTTPExchange(
            request, method: request.method.rawValue, bytes: try RequestBytes.write(request))
        let loop = EventLoop.current ?? ownLoop
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let isAccepted = loop.execute { [clients] reactor in
                    clients.resident(on: reactor).connections(to: origin, request.reach)
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
final class LoopClient: LoopResident {
    private struct Origin: Hashable {
        let host: String
        let port: Int
        /// Addresses that are good for one reach are not for another.
        let reach: Reach
    }

    private let limits: ClientLimits
    private let address: SocketAddress?
    private var origins: [Origin: OriginConnections] = [:]

    init(limits: ClientLimits, address: SocketAddress?) {
        self.limits = limits
        self.address = address
    }

    /// Origins are those of the environment's base URLs, so their number is bounded.
    func connections(to url: HTTPURL, _ reach: Reach) -> OriginConnections {
        let origin = Origin(host: url.host, port: url.port, reach: reach)
        if let known = origins[origin] { return known }
        let connections = OriginConnections(
            OriginAddresses(url, address, reach, kept: limits.addressesKept), limits: limits)
        origins[origin] = connections
        return connections
    }

    func leave(_ reactor: Reactor) {
        for connections in origins.values { connections.endAll(on: reactor) }
        origins = [:]
    }
}
