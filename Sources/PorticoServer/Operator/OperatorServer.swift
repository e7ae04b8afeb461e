package import PorticoEventLoop
import PorticoTranscode

/// HTTP for operators, on an address that clients do not reach: `/healthz`, `/readyz`, `/metrics`, `/config`, `/`, and
/// `POST /reload`.
package struct OperatorServer: Sendable {
    /// Where it listens, with the port the system chose for port 0.
    package let address: SocketAddress
    private let server: HTTPServer

    /// - Parameters:
    ///   - address: `configuration.operatorInterface.address`: `HOST:PORT` or `unix:PATH`.
    ///   - loop: a running loop, best not one that serves clients.
    ///   - now: the clock that the time since the start is told by.
    /// - Throws: ``SystemError/addressInUse(_:)``, ``SystemError/badAddress(_:)`` and the kernel's other refusals.
    package static func start(
        address: String, loop: EventLoop, status: OperatorStatus, metrics: Metrics,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) async throws(SystemError) -> OperatorServer {
        let server = try await HTTPServer.start(on: SocketAddress(parsing: address), loop: loop) { bound in
            OperatorService(address: "\(bound)", status: status, metrics: metrics, now: now)
        }
        return OperatorServer(address: server.address, server: server)
    }

    /// Stops accepting; open connections go on until the loop ends.
    package func close() { server.close() }
}

private final class OperatorService: HTTPHandler {
    private let address: String
    private let status: OperatorStatus
    private let metrics: Metrics
    private let now: @Sendable () -> ContinuousClock.Instant

    init(
        address: String, status: OperatorStatus, metrics: Metrics,
        now: @escaping @Sendable () -> ContinuousClock.Instant
    ) {
        self.now = now
        self.address = address
        self.status = status
        self.metrics = metrics
    }

    func reply(to request: HTTPRequest) -> HTTPReply {
        let isReload = request.segments == ["reload"]
        guard isReload ? request.method == "POST" : ["GET", "HEAD"].contains(request.method) else {
            var response = HTTPResponse.failure(405, "Method not allowed")
            response.fields = [.init(name: "Allow", value: isReload ? "POST" : "GET, HEAD")]
            return .send(response)
        }
        guard isReload else { return .send(response(to: request.segments)) }
        guard let reload = status.reload else {
            return .send(.failure(503, "The server cannot be reloaded yet; try again"))
        }
        return .sendWhenDone(
            HTTPWork {
                let report = await reload()
                return .json(report.document.compactText + "\n", status: report.faults.isEmpty ? 200 : 409)
            })
    }

    private func response(to path: [String]) -> HTTPResponse {
        switch path {
        case []:
            let document = status.document(
                at: now(), operatorAddress: address, openConnections: metrics.openConnections)
            return .json(document.compactText + "\n")
        case ["healthz"]:
            // It answers, so the loop turns; whether calls are welcome is /readyz.
            return .text("ok\n")
        case ["readyz"]:
            let readiness = status.readiness
            return .text(readiness.text, status: readiness.isReady ? 200 : 503)
        case ["config"]:
            return .json(status.configurationDocument.compactText + "\n")
        case ["metrics"]:
            return HTTPResponse(contentType: "text/plain; version=0.0.4", body: Array(metrics.text.utf8))
        default:
            return .failure(404, "Not found")
        }
    }
}
