import PorticoEventLoop
import PorticoUpstream
import PorticoWire
import Testing

@testable import PorticoServer

@Suite struct OperatorServerTests {
    private func withOperator(
        _ status: OperatorStatus, _ metrics: Metrics, at now: ContinuousClock.Instant = .now,
        _ body: (SocketAddress) throws -> Void
    ) async throws {
        let loop = try EventLoop()
        try loop.start()
        let server = try await OperatorServer.start(
            address: "127.0.0.1:0", loop: loop, status: status, metrics: metrics, now: { now })
        let result = Result { try body(server.address) }
        loop.stop()
        await loop.join()
        try result.get()
    }

    @Test func readinessFollowsThePhaseAndHealthDoesNot() async throws {
        let status = OperatorStatus(environment: "Test", started: .now)
        try await withOperator(status, Metrics()) { address in
            let client = try RawClient(address)
            #expect(client.get("/readyz")?.status == 503)
            status.becameReady(at: .init(listen: "127.0.0.1:1"))
            #expect(client.get("/readyz")?.status == 200)
            status.beganDraining()
            let draining = client.get("/readyz")
            #expect(draining?.status == 503)
            #expect(draining?.body == "draining\n")
            #expect(client.get("/healthz")?.body == "ok\n")
        }
    }

    @Test func theFirstPageSaysWhatRunsWhere() async throws {
        let start = ContinuousClock.now
        let status = OperatorStatus(environment: "Test", started: start)
        let metrics = Metrics()
        metrics.makeLoopMetrics().connectionsOpened.add(3)
        status.becameReady(at: .init(listen: "127.0.0.1:1", sandbox: "127.0.0.1:2"))
        try await withOperator(status, metrics, at: start + .seconds(61)) { address in
            let client = try RawClient(address)
            #expect(
                client.get("/")?.body == """
                    {"environment":"Test","phase":"ready","ready":true,"listen":"127.0.0.1:1","operator":"\(address)",\
                    "sandbox":"127.0.0.1:2","uptimeSeconds":61,"connections":3,\
                    "generation":null,"failedReload":null,"upstreams":{}}

                    """)
        }
    }

    @Test func metricsAreTheSumOfAllLoops() async throws {
        let metrics = Metrics()
        for _ in 0..<2 {
            let loop = metrics.makeLoopMetrics()
            loop.connectionsOpened.add(5)
            loop.connectionsClosed.add(2)
            loop.callEnded(.ok)
            loop.callEnded(.unauthenticated)
            loop.answered(1, from: .stale)
            loop.receivedBytes.add(10)
        }
        metrics.add {
            [MetricFamily("extra", "One\nmore.", .gauge, [.init(labels: [.init("a", "b\"c")], value: 0.5)])]
        }
        try await withOperator(OperatorStatus(environment: "Test", started: .now), metrics) { address in
            let client = try RawClient(address)
            let lines = (client.get("/metrics")?.body ?? "").split(separator: "\n")
            for line in [
                "# TYPE portico_connections_open gauge", "portico_connections_open 6",
                "portico_connections_total 10", "portico_calls_total{code=\"OK\"} 2",
                "portico_calls_total{code=\"UNAUTHENTICATED\"} 2",
                "portico_calls_total{code=\"NOT_FOUND\"} 0",
                "portico_answers_total{source=\"stale\"} 2", "portico_received_bytes_total 20",
                "# HELP extra One\\nmore.", "extra{a=\"b\\\"c\"} 0.5",
            ] { #expect(lines.contains(Substring(line)), "\(line)") }
        }
    }

    @Test func otherPathsAndMethodsAreRefused() async throws {
        try await withOperator(OperatorStatus(environment: "Test", started: .now), Metrics()) { address in
            let client = try RawClient(address)
            #expect(client.get("/admin")?.status == 404)
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n")
            #expect(client.readResponse()?.status == 405)
        }
    }
}
