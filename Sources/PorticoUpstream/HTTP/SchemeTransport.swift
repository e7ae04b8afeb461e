package import PorticoEventLoop

/// Plain HTTP on the event loop; HTTPS, which needs TLS, through URLSession.
package struct SchemeTransport: HTTPTransport {
    private let plain: EventLoopTransport
    private let encrypted: URLSessionTransport

    /// - Parameter clock: for URLSession's time limits; the event loop keeps its own time.
    /// - Throws: ``SystemError/system(call:subject:errno:)`` when there is no descriptor or thread to be had.
    package init(clock: any UpstreamClock = SystemClock()) throws(SystemError) {
        plain = try EventLoopTransport()
        encrypted = URLSessionTransport(clock: clock)
    }

    /// Tasks that call `http://` upstreams run on any loop without a change of threads, on this one if they begin on none.
    package var ownLoop: EventLoop { plain.ownLoop }

    package func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        switch request.url.scheme {
        case .http: try await plain.send(request)
        case .https: try await encrypted.send(request)
        }
    }
}
