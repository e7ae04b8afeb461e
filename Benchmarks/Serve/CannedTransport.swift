import PorticoUpstream

/// An upstream that always says the same.
struct CannedTransport: HTTPTransport {
    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        HTTPResponse(
            status: 200, fields: [HTTPField("Content-Type", "application/json")],
            body: Array(ServedExchange.body.utf8))
    }
}
