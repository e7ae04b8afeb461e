/// Sends nothing to a host that has an address outside the public internet: what an image's URL or a redirect names must
/// not reach into the network that the server stands in. Every exchange is checked, so every redirect is.
///
/// A host with one public and one private address is refused: which of them is connected to is chosen later.
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
        return try await transport.send(request)
    }
}
