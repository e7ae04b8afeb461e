/// Sends nothing to a host that has an address outside the public internet: what an image's URL or a redirect names must
/// not reach into the network that the server stands in. Every exchange is checked, so every redirect is.
///
/// A host with one public and one private address is refused: which of them is connected to is chosen later.
///
/// Between this look at the name and the connection the name may change. Plain HTTP is connected to by our own client, which
/// takes ``HTTPRequest/reach`` and checks the very addresses that it connects to. URLSession, which has the TLS, looks the
/// name up once more and cannot be told an address; there the certificate stands in: before anything is sent, the peer must
/// prove that it is the host of that name, which a server inside the network cannot for a name that it does not have.
package struct GuardedTransport: HTTPTransport {
    /// All addresses of a host, numeric ones too; none: it is unknown.
    package typealias Lookup = @Sendable (_ host: String, _ port: Int) async -> [NetworkAddress]

    private let transport: any HTTPTransport
    private let lookup: Lookup

    package init(_ transport: any HTTPTransport, lookup: @escaping Lookup) {
        self.transport = transport
        self.lookup = lookup
    }

    package func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        let addresses = await lookup(request.url.host, request.url.port)
        guard !addresses.isEmpty else { throw .unreachable }
        guard addresses.allSatisfy(\.isPublic) else { throw .privateAddress }
        var request = request
        request.reach = .publicInternet
        return try await transport.send(request)
    }
}
