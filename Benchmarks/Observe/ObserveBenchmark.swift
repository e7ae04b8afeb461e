/// From a write until each of a thousand observers has the change: a whole server in a process of its own, its upstream
/// inside it, so that what is measured is the server's work.
enum ObserveBenchmark {
    private static let connections = 100
    private static let observersPerConnection = 10
    private static let rounds = 200

    static func run() throws(BenchmarkFault) -> Figures.Observe {
        let server = try ServeChild.server(role: "observed", ["2"])
        defer { server.end() }
        let load = try ObserverLoad(
            port: server.port, connections: connections, streams: observersPerConnection)
        // The first answers, and a few rounds to warm up.
        _ = try load.change(writes: false)
        for _ in 0..<20 { _ = try load.change(writes: true) }
        var arrivals: [Duration] = []
        var last: [Duration] = []
        let before = server.cpuSeconds
        for _ in 0..<rounds {
            let round = try load.change(writes: true)
            arrivals += round
            last.append(round[round.count - 1])
        }
        let cpu = (server.cpuSeconds - before) / Double(rounds)
        arrivals.sort()
        last.sort()
        let figures = Figures.Observe(
            p50Milliseconds: quantile(arrivals, 0.5), p99Milliseconds: quantile(arrivals, 0.99),
            slowestMilliseconds: quantile(arrivals, 1), lastObserverMilliseconds: quantile(last, 0.5),
            cpuMillisecondsPerChange: cpu * 1000)
        show(figures)
        return figures
    }

    private static func quantile(_ sorted: [Duration], _ part: Double) -> Double {
        sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))].inSeconds * 1000
    }

    private static func show(_ figures: Figures.Observe) {
        print(
            "\nobserve: \(connections * observersPerConnection) observers on \(connections) connections, "
                + "\(rounds) writes, an answer of 1 KB; from the write's first byte to each observer's frame")
        var table = Table(["", "p50 ms", "p99 ms", "slowest ms", "last observer ms", "server CPU ms/change"])
        table.add([
            "two loops", figures.p50Milliseconds.digits(2), figures.p99Milliseconds.digits(2),
            figures.slowestMilliseconds.digits(2), figures.lastObserverMilliseconds.digits(2),
            figures.cpuMillisecondsPerChange.digits(2),
        ])
        print(table.text)
    }
}

extension Figures {
    struct Observe: Encodable {
        /// Of all deliveries of all writes, from the write on.
        var p50Milliseconds: Double
        var p99Milliseconds: Double
        var slowestMilliseconds: Double
        /// The median, over the writes, of when the last observer had the change.
        var lastObserverMilliseconds: Double
        var cpuMillisecondsPerChange: Double

        enum CodingKeys: String, CodingKey {
            case p50Milliseconds = "p50_ms"
            case p99Milliseconds = "p99_ms"
            case slowestMilliseconds = "slowest_ms"
            case lastObserverMilliseconds = "last_observer_ms"
            case cpuMillisecondsPerChange = "cpu_ms_per_change"
        }
    }
}
