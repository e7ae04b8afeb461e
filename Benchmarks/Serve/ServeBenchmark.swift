import CServePeers
import Foundation

/// The server under load, beside a server that does nothing but answer: each in a process of its own, one after the
/// other in every round, so that whatever else the machine does befalls both.
struct ServeBenchmark {
    private static let connections = 64
    private static let depths = [1, 16]
    private static let rounds = 9
    private static let secondsPerRun = 1.0
    private static let idleConnections = 10_000

    private let bare: ServeChild
    private let portico: ServeChild
    private let redis: RedisPeer?
    private let answerBytes: Int
    /// In base 64, as it travels to the bare server.
    private let answer: String

    static func run() throws(BenchmarkFault) -> Figures.Serve {
        let benchmark = try ServeBenchmark()
        defer { benchmark.end() }
        return try benchmark.measure()
    }

    private init() throws(BenchmarkFault) {
        portico = try ServeChild.server(role: "portico", ["1"])
        // The first one is fetched, the second comes from the cache: that is the one that is measured.
        let fetched = try WireProbe.answer(from: portico.port, to: ServedExchange.frame)
        let cached = try WireProbe.answer(from: portico.port, to: ServedExchange.frame)
        guard fetched == cached, fetched.count > 200 else {
            throw .wrongResult("The server answers \(fetched.count) bytes, then others.")
        }
        answerBytes = cached.count
        answer = Data(cached).base64EncodedString()
        bare = try ServeChild.server(role: "bare", [answer, "1"])
        guard try WireProbe.answer(from: bare.port, to: ServedExchange.frame) == cached else {
            throw .wrongResult("The bare server does not answer the same.")
        }
        redis = RedisPeer.start(valueBytes: cached.count)
    }

    private func end() {
        for child in [bare, portico] { child.end() }
        redis?.end()
    }

    private func measure() throws(BenchmarkFault) -> Figures.Serve {
        print("\nserve: answers of \(answerBytes) bytes, \(Self.connections) connections, one loop each")
        if redis == nil { print("(no redis-server in the path: Redis is left out)") }
        var figures = Figures.Serve()
        var table = Self.table
        figures.oneInFlight = try compare(depth: 1, &table)
        figures.sixteenInFlight = try compare(depth: 16, &table)
        print(table.text)
        figures.allocationsPerRequest = try allocations()
        print("allocations per cached request: \(figures.allocationsPerRequest?.digits(6) ?? "–")")
        figures.bytesPerIdleConnection = try idleMemory()
        print(
            "memory per idle connection, \(Self.idleConnections) of them: "
                + "\(figures.bytesPerIdleConnection?.digits(0) ?? "–") bytes")
        figures.twoLoops = try TwoLoops(answer: answer, answerBytes: answerBytes).measure()
        figures.firstAnswerMilliseconds = try FirstAnswer.milliseconds()
        return figures
    }

    // MARK: Requests per second

    private func compare(depth: Int, _ table: inout Table) throws(BenchmarkFault) -> Figures.Serve.Depth {
        var (bareRuns, porticoRuns, redisRuns): ([ServeRun], [ServeRun], [ServeRun]) = ([], [], [])
        for _ in 0..<Self.rounds {
            bareRuns.append(try run(bare, depth))
            porticoRuns.append(try run(portico, depth))
            if let redis { redisRuns.append(try redis.run(Self.connections, depth, Self.secondsPerRun)) }
        }
        let ratios = zip(porticoRuns, bareRuns).map { $0.load.answersPerSecond / $1.load.answersPerSecond }
        let ratio = ratios.sorted()[ratios.count / 2]
        let (bare, portico) = (ServeRun.middle(of: bareRuns), ServeRun.middle(of: porticoRuns))
        let redis = redisRuns.isEmpty ? nil : ServeRun.middle(of: redisRuns)
        table.add("bare epoll, \(depth) in flight", bare, ratio: 1)
        table.add("Portico, \(depth) in flight", portico, ratio: ratio)
        if let redis {
            table.add(
                "Redis GET, \(depth) in flight", redis,
                ratio: redis.load.answersPerSecond / bare.load.answersPerSecond)
        }
        return Figures.Serve.Depth(
            porticoRequestsPerS: portico.load.answersPerSecond, bareRequestsPerS: bare.load.answersPerSecond,
            redisRequestsPerS: redis?.load.answersPerSecond, ratioToBare: ratio,
            p50Microseconds: portico.load.p50, p99Microseconds: portico.load.p99,
            p999Microseconds: portico.load.p999, cpuMicrosecondsPerRequest: portico.cpuMicroseconds,
            bareCPUMicrosecondsPerRequest: bare.cpuMicroseconds)
    }

    private func plan(_ server: ServeChild, _ depth: Int) -> LoadPlan {
        LoadPlan(
            .frames, port: server.port, connections: Self.connections, inFlight: depth,
            answerBytes: answerBytes, seconds: Self.secondsPerRun)
    }

    private func run(_ server: ServeChild, _ depth: Int) throws(BenchmarkFault) -> ServeRun {
        let before = server.cpuSeconds
        let load = try ServeChild.load(plan(server, depth))
        return ServeRun(load: load, cpuMicroseconds: (server.cpuSeconds - before) / load.allAnswers * 1e6)
    }

    private static var table: Table {
        Table(["", "requests/s", "ratio", "p50 µs", "p99 µs", "p99.9 µs", "server CPU µs/request"])
    }

    // MARK: Other figures

    /// Between two moments of one run, when connections and buffers are there.
    private func allocations() throws(BenchmarkFault) -> Double {
        let plan = plan(portico, 16)
        let child = try ServeChild(role: "load", plan.words)
        Thread.sleep(forTimeInterval: 0.6)
        let asking = try portico.allocations()
        let first = try portico.allocations()
        Thread.sleep(forTimeInterval: 0.7)
        let second = try portico.allocations()
        let load = try child.loadResult(plan)
        // The question itself allocates: as often as the one before it did.
        let own = first - asking
        return Double(max(0, second - first - own)) / (load.answersPerSecond * 0.7)
    }

    private func idleMemory() throws(BenchmarkFault) -> Double {
        let server = try ServeChild.server(role: "portico", ["1"])
        defer { server.end() }
        _ = try WireProbe.answer(from: server.port, to: ServedExchange.frame)
        _ = try ServeChild.load(plan(server, 1))
        var plan = plan(server, 1)
        plan.connections = Self.idleConnections
        var descriptors = [Int32](repeating: -1, count: Self.idleConnections)
        let before = server.memoryBytes
        let code = unsafe plan.withLoad { unsafe connections_hold($0, &descriptors) }
        guard code == 0 else {
            throw .peer("Not every one of \(Self.idleConnections) connections was served.")
        }
        let after = server.memoryBytes
        unsafe connections_close(descriptors, Int32(descriptors.count))
        return Double(after - before) / Double(Self.idleConnections)
    }
}

extension Table {
    fileprivate mutating func add(_ name: String, _ run: ServeRun, ratio: Double) {
        let load = run.load
        add([
            name, load.answersPerSecond.digits(0), ratio.digits(2) + "×", load.p50.digits(1),
            load.p99.digits(1),
            load.p999.digits(1), run.cpuMicroseconds.digits(2),
        ])
    }
}
