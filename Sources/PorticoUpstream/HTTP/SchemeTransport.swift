package import PorticoEventLoop
internal import Synchronization

/// Plain HTTP on the event loop; HTTPS, which needs TLS, through URLSession.
package struct SchemeTransport: HTTPTransport {
    private let plain: EventLoopTransport
    private let encrypted: EncryptedTransport

    /// - Parameter clock: for URLSession's time limits; the event loop keeps its own time.
    /// - Throws: ``SystemError/system(call:subject:errno:)`` when there is no descriptor or thread to be had.
    package init(clock: any UpstreamClock = SystemClock()) throws(SystemError) {
        plain = try EventLoopTransport()
        encrypted = EncryptedTransport(clock)
    }

    /// Tasks that call `http://` upstreams run on any loop without a change of threads, on this one if they begin on none.
    package var ownLoop: EventLoop { plain.ownLoop }

    package func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        switch request.url.scheme {
        case .http: try await plain.send(request)
        case .https: try await encrypted.transport.send(request)
        }
    }
}

/// Made when the first request needs it: setting up URLSession takes a millisecond of the start.
private final class EncryptedTransport: Sendable {
    private let clock: any UpstreamClock
    private let made = Mutex<URLSessionTransport?>(nil)

    init(_ clock: any UpstreamClock) { self.clock = clock }

    var transport: URLSessionTransport {
        made.withLock { made in
            if let made { return made }
            let new = URLSessionTransport(clock: clock)
            made = new
            return new
        }
    }
}
