import CServePeers

/// What a second loop adds, on a machine that has no core to spare for a load generator: requests are queued in the sockets
/// of a server that is stopped, and the clock runs from its going on to the last answer's arrival, which nobody reads before.
struct TwoLoops {
    private static let connections = 1024
    /// On each connection; their answers leave in one write and fit into the client's buffer.
    private static let answersBytes = 128 << 10
    private static let burstsPerRound = 5
    private static let rounds = 7

    /// In base 64, as it travels to the bare server.
    let answer: String
    let answerBytes: Int

    /// Every side has one turn in every round. The machine disturbs a burst of 50 ms or leaves it alone, so that the fastest of
    /// a round's bursts count; the ratio is the middle one of the rounds'.
    func measure() throws(BenchmarkFault) -> Figures.Serve.TwoLoops {
        let portico = try pair { loops throws(BenchmarkFault) in
            try ServeChild.server(role: "portico", [loops])
        }
        defer { portico.end() }
        let bare = try pair { loops throws(BenchmarkFault) in
            try ServeChild.server(role: "bare", [answer, loops])
        }
        defer { bare.end() }
        var ratios: (portico: [Double], bare: [Double]) = ([], [])
        var fastest = (one: Double.infinity, two: Double.infinity)
        for _ in 0..<Self.rounds {
            let times = try seconds(portico)
            fastest = (min(fastest.one, times.one), min(fastest.two, times.two))
            ratios.portico.append(times.one / times.two)
            let bareTimes = try seconds(bare)
            ratios.bare.append(bareTimes.one / bareTimes.two)
        }
        let figures = Figures.Serve.TwoLoops(
            portico: ratios.portico.sorted()[Self.rounds / 2], bare: ratios.bare.sorted()[Self.rounds / 2])
        print(
            "two loops to one, \(requests) requests queued beforehand: \(figures.portico.digits(2))× "
                + "(bare epoll \(figures.bare.digits(2))×), "
                + "\(rate(fastest.one)) and \(rate(fastest.two)) million requests/s at best")
        return figures
    }

    private struct Pair {
        let one: ServeChild
        let two: ServeChild

        func end() {
            one.end()
            two.end()
        }
    }

    private func pair(_ start: (String) throws(BenchmarkFault) -> ServeChild) throws(BenchmarkFault) -> Pair {
        Pair(one: try start("1"), two: try start("2"))
    }

    private var inFlight: Int { Self.answersBytes / answerBytes }
    private var requests: Int { Self.connections * inFlight }

    private func rate(_ seconds: Double) -> String { (Double(requests) / seconds / 1e6).digits(1) }

    private func seconds(_ pair: Pair) throws(BenchmarkFault) -> (one: Double, two: Double) {
        (try seconds(pair.one), try seconds(pair.two))
    }

    /// Of the fastest burst.
    private func seconds(_ server: ServeChild) throws(BenchmarkFault) -> Double {
        let plan = LoadPlan(
            .frames, port: server.port, connections: Self.connections, inFlight: inFlight,
            answerBytes: answerBytes, seconds: 0)
        var seconds = [Double](repeating: 0, count: Self.burstsPerRound)
        let code = unsafe plan.withLoad {
            unsafe bursts_run($0, server.processID, Int32(Self.burstsPerRound), &seconds)
        }
        guard code == 0 else {
            throw .wrongResult("A queued request was not answered, or not with its own answer.")
        }
        return seconds.min() ?? .infinity
    }
}
