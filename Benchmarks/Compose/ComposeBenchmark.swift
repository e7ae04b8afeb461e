/// An answer composed of three cached ones beside a plain cached one, from one server, one after the other in every round.
///
/// The small ones are among what a loop has of its own (`QuickAnswers`), plain and composed. The large ones are not: they come from
/// the repository, the plain one as large as the composed.
struct ComposeBenchmark {
    private static let connections = 64
    private static let inFlight = 4
    private static let rounds = 5
    private static let secondsPerRun = 1.5

    private let server: ServeChild

    /// The ratios of the rates, composed to plain, by size.
    static func run() throws(BenchmarkFault) -> [String: Double] {
        print("\ncompose: \(connections) connections, \(inFlight) in flight, one loop")
        var table = Table(["", "bytes", "requests/s", "ratio", "MB/s", "server CPU µs/request"])
        let small = try run(.page, .screen, "small", &table)
        let large = try run(.largePage, .largeScreen, "large", &table)
        print(table.text)
        return ["small_ratio_to_plain": small, "large_ratio_to_plain": large]
    }

    /// On a server of their own: what a list's first page says of its end is not true of the large ones.
    private static func run(
        _ plain: ServedExchange.Question, _ composed: ServedExchange.Question, _ size: String,
        _ table: inout Table
    ) throws(BenchmarkFault) -> Double {
        let benchmark = ComposeBenchmark(server: try ServeChild.server(role: "portico", ["1"]))
        defer { benchmark.server.end() }
        return try benchmark.compare(plain, composed, size, &table)
    }

    private func compare(
        _ plain: ServedExchange.Question, _ composed: ServedExchange.Question, _ size: String,
        _ table: inout Table
    ) throws(BenchmarkFault) -> Double {
        let bytes = (plain: try answerBytes(plain), composed: try answerBytes(composed))
        guard bytes.composed > bytes.plain else {
            throw .wrongResult("A screen has \(bytes.composed) bytes, a plain answer \(bytes.plain).")
        }
        var (plainRuns, composedRuns): ([ServeRun], [ServeRun]) = ([], [])
        for _ in 0..<Self.rounds {
            plainRuns.append(try run(plain, bytes.plain))
            composedRuns.append(try run(composed, bytes.composed))
        }
        let ratios = zip(composedRuns, plainRuns).map { $0.load.answersPerSecond / $1.load.answersPerSecond }
        let ratio = ratios.sorted()[ratios.count / 2]
        add(ServeRun.middle(of: plainRuns), "\(size), plain", bytes.plain, ratio: 1, to: &table)
        add(ServeRun.middle(of: composedRuns), "\(size), composed", bytes.composed, ratio: ratio, to: &table)
        return ratio
    }

    /// The first one is fetched, the second comes from the cache: that is the one that is measured.
    private func answerBytes(_ question: ServedExchange.Question) throws(BenchmarkFault) -> Int {
        let fetched = try WireProbe.answer(from: server.port, to: question.frame)
        guard try WireProbe.answer(from: server.port, to: question.frame) == fetched else {
            throw .wrongResult("The server answers \(fetched.count) bytes, then others.")
        }
        return fetched.count
    }

    private func run(_ question: ServedExchange.Question, _ bytes: Int) throws(BenchmarkFault) -> ServeRun {
        var plan = LoadPlan(
            .frames, port: server.port, connections: Self.connections, inFlight: Self.inFlight,
            answerBytes: bytes, seconds: Self.secondsPerRun)
        plan.question = question
        let before = server.cpuSeconds
        let load = try ServeChild.load(plan)
        return ServeRun(load: load, cpuMicroseconds: (server.cpuSeconds - before) / load.allAnswers * 1e6)
    }

    private func add(_ run: ServeRun, _ name: String, _ bytes: Int, ratio: Double, to table: inout Table) {
        let rate = run.load.answersPerSecond
        table.add([
            name, "\(bytes)", rate.digits(0), ratio.digits(2) + "×", (rate * Double(bytes) / 1e6).digits(0),
            run.cpuMicroseconds.digits(2),
        ])
    }
}
