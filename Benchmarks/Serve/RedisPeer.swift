import Foundation

/// A Redis of the benchmark's own, for comparison: GET of a value as large as the answer, one thread, nothing on disk.
struct RedisPeer {
    private let child: ServeChild
    private let port: UInt16
    private let valueBytes: Int

    /// Nil: there is none, or it does not start.
    static func start(valueBytes: Int) -> RedisPeer? {
        let places = ["/usr/bin/redis-server", "/usr/local/bin/redis-server"]
        guard let program = places.first(where: { FileManager.default.isExecutableFile(atPath: $0) }),
            let port = try? ServeChild.freePort(),
            let child = try? ServeChild(
                program: program,
                [
                    "--port", "\(port)", "--bind", "127.0.0.1", "--save", "", "--appendonly", "no",
                    "--daemonize", "no",
                ])
        else { return nil }
        while let line = child.line(), !line.contains("Ready to accept connections") {}
        let value = String(repeating: "x", count: valueBytes)
        let set = Array("*3\r\n$3\r\nSET\r\n$6\r\nperson\r\n$\(valueBytes)\r\n\(value)\r\n".utf8)
        guard WireProbe.isAnswered(set, by: port) else { return nil }
        return RedisPeer(child: child, port: port, valueBytes: valueBytes)
    }

    func run(_ connections: Int, _ depth: Int, _ seconds: Double) throws(BenchmarkFault) -> ServeRun {
        let before = child.cpuSeconds
        let load = try ServeChild.load(
            LoadPlan(
                .redis, port: port, connections: connections, inFlight: depth,
                answerBytes: ServedExchange.redisAnswerBytes(of: valueBytes), seconds: seconds))
        return ServeRun(load: load, cpuMicroseconds: (child.cpuSeconds - before) / load.allAnswers * 1e6)
    }

    func end() { child.terminate() }
}
