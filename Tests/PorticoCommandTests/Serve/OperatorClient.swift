import PorticoUpstream
import Testing

/// Asks the operator's HTTP.
struct OperatorClient {
    let address: String

    func get(_ path: String) async throws -> String {
        let url = try #require(HTTPURL("http://\(address)/\(path)"))
        let request = HTTPRequest(url: url, timeout: .seconds(60), bodyLimitBytes: 1 << 20)
        let response = try await URLSessionTransport().send(request)
        return String(decoding: response.body, as: UTF8.self)
    }
}
