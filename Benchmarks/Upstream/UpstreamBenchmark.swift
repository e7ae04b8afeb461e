import Foundation
import PorticoWire

/// Calls that no cache can answer, through whole servers: fetch a page of ten people, decode it, group it, answer.
///
/// Each server, the upstream and the load generator have a process of their own, and each server is asked by the same
/// generator in the same way, one server behind the other in every round.
struct UpstreamBenchmark {
    private static let connections = 64
    private static let rounds = 5
    private static let secondsPerRun = 2.0
    /// In parts, after each of which memory is looked at.
    private static let longRun = (parts: 8, secondsEach: 5.0)

    /// What every path of the upstream answers.
    static func page() -> [UInt8] {
        var writer = PeopleWriter(seed: 10)
        return writer.page(people: 10)
    }

    /// One server that is measured.
    private struct Side {
        let name: String
        let server: ServeChild
        let speaks: LoadPlan.Language
        let answerBytes: Int
        var runs: [ServeRun] = []
    }

    private var sides: [Side]
    /// Of the requests to come.
    private var nextNumber = DistinctCall.firstNumber

    static func run() throws(BenchmarkFault) {
        let upstream = try StaticUpstream.start()
        defer { upstream.stop() }
        let portico = try ServeChild.server(role: "fetching", [upstream.baseURL, "eventLoop"])
        defer { portico.end() }
        let session = try ServeChild.server(role: "fetching", [upstream.baseURL, "session"])
        defer { session.end() }
        let go = try GoPeer.start(upstream: upstream.baseURL)
        defer { go?.stop() }
        print(
            "\nupstream: uncached calls from \(upstream.name), \(connections) connections, one call at a time"
        )
        if go == nil { print("Go: left out, it is not installed") }
        var benchmark = try UpstreamBenchmark(portico, session, go?.server)
        try benchmark.compare()
        try benchmark.watchMemory()
    }

    private init(_ portico: ServeChild, _ session: ServeChild, _ go: ServeChild?) throws(BenchmarkFault) {
        let number = DistinctCall.firstNumber - 1
        let frame = try WireProbe.answer(from: portico.port, to: DistinctCall.frame(number))
        sides = [
            Side(name: "Portico", server: portico, speaks: .distinctFrames, answerBytes: frame.count),
            Side(
                name: "Portico, URLSession", server: session, speaks: .distinctFrames,
                answerBytes: frame.count
            ),
        ]
        guard let go else { return }
        let text = try WireProbe.httpAnswer(from: go.port, to: DistinctCall.http(number))
        try Self.check(frame, text)
        let name = "Go net/http, encoding/json"
        sides.insert(
            Side(name: name, server: go, speaks: .distinctHTTP, answerBytes: text.count), at: 0)
    }

    /// Both must find the same number of groups.
    private static func check(_ frame: [UInt8], _ http: [UInt8]) throws(BenchmarkFault) {
        // A length prefix, a header without metadata, then the message.
        let message = Array(frame.dropFirst(9))
        var cursor = ProtobufCursor(0..<message.count)
        var count = 0
        do {
            while let tag = try cursor.nextTag(in: message.span) {
                try cursor.skip(tag.wireType, in: message.span)
                count += 1
            }
        } catch {
            throw .wrongResult("Portico's answer is not a message.")
        }
        let text = String(decoding: http, as: UTF8.self)
        guard count > 1, text.components(separatedBy: "\"label\":").count - 1 == count else {
            throw .wrongResult("Portico and Go group differently.")
        }
    }

    private mutating func compare() throws(BenchmarkFault) {
        for _ in 0..<Self.rounds {
            for index in sides.indices {
                sides[index].runs.append(try run(sides[index], seconds: Self.secondsPerRun))
            }
        }
        var table = Table(["", "calls/s", "ratio", "p50 µs", "p99 µs", "server CPU µs/call", "RSS MB"])
        for side in sides {
            let ratios = zip(side.runs, sides[0].runs).map {
                $0.load.answersPerSecond / $1.load.answersPerSecond
            }
            let middle = ServeRun.middle(of: side.runs)
            table.add([
                side.name, middle.load.answersPerSecond.digits(0),
                ratios.sorted()[ratios.count / 2].digits(2) + "×", middle.load.p50.digits(0),
                middle.load.p99.digits(0), middle.cpuMicroseconds.digits(1), Self.megabytes(side.server),
            ])
        }
        print(table.text)
    }

    /// Hundreds of thousands of distinct calls, many times what the cache holds.
    private mutating func watchMemory() throws(BenchmarkFault) {
        guard let portico = sides.first(where: { $0.name == "Portico" }) else { return }
        var (calls, sizes) = (0.0, [Self.megabytes(portico.server)])
        for _ in 0..<Self.longRun.parts {
            calls += try run(portico, seconds: Self.longRun.secondsEach).load.allAnswers
            sizes.append(Self.megabytes(portico.server))
        }
        print(
            "Portico's memory over \(Int(calls)) more distinct calls, every \(Self.longRun.secondsEach.digits(0)) s: "
                + "\(sizes.joined(separator: ", ")) MB")
    }

    private mutating func run(_ side: Side, seconds: Double) throws(BenchmarkFault) -> ServeRun {
        let before = side.server.cpuSeconds
        let load = try ServeChild.load(
            LoadPlan(
                side.speaks, port: side.server.port, connections: Self.connections, inFlight: 1,
                answerBytes: side.answerBytes, seconds: seconds, firstNumber: nextNumber))
        nextNumber += UInt32(load.allAnswers) + UInt32(Self.connections)
        let cpu = (side.server.cpuSeconds - before) / load.allAnswers * 1e6
        return ServeRun(load: load, cpuMicroseconds: cpu)
    }

    private static func megabytes(_ server: ServeChild) -> String {
        (Double(server.memoryBytes) / 1e6).digits(1)
    }
}
