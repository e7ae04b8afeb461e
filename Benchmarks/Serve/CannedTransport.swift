import PorticoUpstream

/// An upstream that says the same to the same request.
struct CannedTransport: HTTPTransport {
    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        HTTPResponse(
            status: 200, fields: [HTTPField("Content-Type", "application/json")],
            body: Array(ServedExchange.body(query: request.url.query).utf8))
    }
}
