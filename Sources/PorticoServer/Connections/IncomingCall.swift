import PorticoConfig
import PorticoSchema
import PorticoWire

/// A request whose metadata has been read and found good: who is asked, and how.
struct IncomingCall {
    let target: Router.Target
    let context: CallContext
    let access: Access

    /// - Parameters:
    ///   - access: what the connection's SETUP brought; the request's own token overrides it.
    ///   - hints: for a route that leads nowhere, of this loop.
    init(
        _ metadata: Span<UInt8>, access: Access?, services: Services, hints: inout HintBudget, at now: Instant
    ) throws(CallError) {
        let parts: RequestMetadata
        do { parts = try RequestMetadata(0..<metadata.count, in: metadata) } catch { throw CallError(error) }
        guard
            let access = Self.access(
                parts.credentials, in: metadata, connection: access, authenticator: services.authenticator)
        else { throw .unauthenticated }
        self.access = access
        guard let route = parts.route else {
            throw CallError(.invalidArgument, "the request's metadata has no route")
        }
        guard let target = services.router.target(of: metadata.extracting(route)) else {
            let hint: Router.Hint = hints.take(at: now) ? .nearest : .none
            throw services.router.unknown(metadata.extracting(route), hint)
        }
        if let role = target.role, !access.roles.contains(role) {
            throw CallError(.permissionDenied, "this token is not for methods that \(role.rawValue)")
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

    private static func access(
        _ credentials: RequestMetadata.Credentials?, in metadata: Span<UInt8>, connection: Access?,
        authenticator: Authenticator
    ) -> Access? {
        switch credentials {
        case .bearer(let range): authenticator.access(of: metadata.extracting(range))
        case .simple, .unknown: authenticator.accessWithoutToken
        case nil: connection
        }
    }

    /// A write is made once for one answer: it is neither observed nor made without telling what came of it.
    func check(_ kind: RequestKind, _ services: Services) throws(CallError) {
        guard target.isWrite, kind != .response else { return }
        throw CallError(
            .unimplemented,
            "\(services.router.route(of: target.method)) writes: it is called by request/response only")
    }
}
