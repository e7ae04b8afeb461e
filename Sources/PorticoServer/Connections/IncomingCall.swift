import PorticoSchema
import PorticoWire

/// A request whose metadata has been read and found good: who is asked, and how.
struct IncomingCall {
    let target: Router.Target
    let context: CallContext

    /// - Parameters:
    ///   - hints: for a route that leads nowhere, of this loop.
    ///   - isAuthenticated: the connection's SETUP brought a valid token; the request's own overrides it.
    init(
        _ metadata: Span<UInt8>, isAuthenticated: Bool, services: Services, hints: inout HintBudget,
        at now: Instant
    ) throws(CallError) {
        let parts: RequestMetadata
        do { parts = try RequestMetadata(0..<metadata.count, in: metadata) } catch { throw CallError(error) }
        guard
            Self.mayPass(
                parts.credentials, in: metadata, isAuthenticated: isAuthenticated,
                authenticator: services.authenticator)
        else { throw .unauthenticated }
        guard let route = parts.route else {
            throw CallError(.invalidArgument, "the request's metadata has no route")
        }
        guard let target = services.router.target(of: metadata.extracting(route)) else {
            let hint: Router.Hint = hints.take(at: now) ? .nearest : .none
            throw services.router.unknown(metadata.extracting(route), hint)
        }
        self.target = target
        guard let range = parts.context else {
            context = CallContext()
            return
        }
        do { context = try CallContext(range, in: metadata) } catch {
            throw CallError(error, in: "the call context")
        }
    }

    private static func mayPass(
        _ credentials: RequestMetadata.Credentials?, in metadata: Span<UInt8>, isAuthenticated: Bool,
        authenticator: Authenticator
    ) -> Bool {
        switch credentials {
        case .bearer(let range): authenticator.accepts(metadata.extracting(range))
        case .simple, .unknown: authenticator.letsEverybodyIn
        case nil: isAuthenticated
        }
    }

    /// The client can undo zlib's format, and asked for it.
    var acceptsDeflate: Bool { context.acceptEncodings.contains("deflate") }
}
