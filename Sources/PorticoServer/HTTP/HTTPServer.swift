package import PorticoEventLoop

/// A small HTTP/1.1 server on one event loop, for operators and for the sandbox: keep-alive, pipelining, HEAD, limits
/// and timeouts; request bodies by Content-Length, no transfer codings, no TLS.
package struct HTTPServer: Sendable {
    /// Where it listens, with the port the system chose for port 0.
    package let address: SocketAddress
    private let listener: ListenerHandle

    /// - Parameters:
    ///   - loop: a running loop.
    ///   - makeHandler: called once, on the loop, which owns what it returns; it is given the bound address.
    /// - Throws: ``SystemError/addressInUse(_:)`` and the kernel's other refusals.
    package static func start(
        on address: SocketAddress, loop: EventLoop, limits: HTTPLimits = HTTPLimits(),
        makeHandler: @escaping @Sendable (SocketAddress) -> any HTTPHandler
    ) async throws(SystemError) -> HTTPServer {
        let socket = try ListeningSocket(address)
        let bound = socket.address
        let places = ConnectionLimit(maximum: limits.connections)
        let listener = try await loop.listen(on: socket, limit: places) { _ in
            let handler = makeHandler(bound)
            return { socket, permit, reactor in
                HTTPConnection.open(socket, permit: permit, handler: handler, limits: limits, on: reactor)
            }
        }
        return HTTPServer(address: bound, listener: listener)
    }

    /// Stops accepting; open connections go on.
    package func close() { listener.close() }
}
