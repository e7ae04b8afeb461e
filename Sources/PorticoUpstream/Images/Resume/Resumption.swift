internal import Synchronization

/// The attempts of one download: each goes on where the one before broke off, when the upstream lets it; an upstream without
/// ranges or strong validators is asked for the whole again.
///
/// Never more than ``HTTPRequest/bodyLimitBytes`` are held, the part that came before included.
package final class Resumption: Sendable {
    private struct State {
        var kept: PartialBody?
        /// What the exchange under way left behind.
        var left: HTTPResponse?
    }

    private let state = Mutex(State())
    private let saved: @Sendable (_ bytes: Int) -> Void

    /// - Parameter saved: told of bytes that were not fetched again.
    package init(saved: @escaping @Sendable (_ bytes: Int) -> Void) { self.saved = saved }

    /// One attempt's exchange, a GET; a redirect's too.
    package func send(
        _ request: HTTPRequest, over transport: any HTTPTransport
    ) async throws(TransportError) -> HTTPResponse {
        var request = request
        // Ranges count the bytes of what is sent, and pictures are packed already.
        request.fields.append(HTTPField("Accept-Encoding", "identity"))
        guard let part = state.withLock({ $0.kept }), part.url == request.url else {
            return try await whole(request, transport)
        }
        do {
            return try await rest(of: part, request, transport)
        } catch .bodyTooLong, .malformed {
            // Longer than what was missing: the whole, perhaps; or packed in a way that was not asked for.
            return try await whole(request, transport)
        }
    }

    private func whole(
        _ request: HTTPRequest, _ transport: any HTTPTransport
    ) async throws(TransportError) -> HTTPResponse {
        state.withLock { $0.kept = nil }
        return try await salvaging(request, transport) { PartialBody($0, of: request.url) }
    }

    private func rest(
        of part: PartialBody, _ request: HTTPRequest, _ transport: any HTTPTransport
    ) async throws(TransportError) -> HTTPResponse {
        var asking = request
        asking.fields += part.fields
        asking.bodyLimitBytes = max(0, request.bodyLimitBytes - part.body.count)
        let response = try await salvaging(asking, transport) { left in
            part.extended(by: left) ?? PartialBody(left, of: request.url)
        }
        switch response.status {
        case 206:
            guard let joined = part.joined(with: response) else { return try await whole(request, transport) }
            state.withLock { $0.kept = nil }
            saved(part.body.count)
            return joined
        case 412, 416: return try await whole(request, transport)
        // The whole, or what is no picture; the next attempt may still want the part.
        default: return response
        }
    }

    /// Keeps what is left when the exchange breaks inside a body.
    private func salvaging(
        _ request: HTTPRequest, _ transport: any HTTPTransport, _ part: (HTTPResponse) -> PartialBody?
    ) async throws(TransportError) -> HTTPResponse {
        var request = request
        request.salvage = { [self] left in state.withLock { $0.left = left } }
        do {
            return try await transport.send(request)
        } catch {
            let left = state.withLock { $0.left.take() }
            switch error {
            case .truncated, .timedOut:
                if let part = left.flatMap(part) { state.withLock { $0.kept = part } }
            case .unreachable, .reusedConnectionClosed: break
            case .privateAddress, .bodyTooLong, .headTooLong, .unsendable, .malformed, .cancelled:
                state.withLock { $0.kept = nil }
            }
            throw error
        }
    }
}
