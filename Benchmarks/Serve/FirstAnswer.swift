import Foundation
import PorticoWire

/// How long it takes from starting `portico serve` to the first answer.
enum FirstAnswer {
    private static let rounds = 9

    /// The middle of several; nil when there is no release build of the server to start.
    static func milliseconds() throws(BenchmarkFault) -> Double? {
        let folder = URL(fileURLWithPath: ProcessInfo.processInfo.arguments[0]).deletingLastPathComponent()
        let program = folder.appendingPathComponent("portico").path
        guard FileManager.default.isExecutableFile(atPath: program) else {
            print("first answer: left out, `swift build -c release --product portico` makes what it starts")
            return nil
        }
        var times: [Double] = []
        for _ in 0..<rounds { times.append(try once(program)) }
        times.sort()
        let middle = times[rounds / 2]
        print(
            "first answer after starting the process: \(middle.digits(1)) ms "
                + "(\(times[0].digits(1)) to \(times[rounds - 1].digits(1)))")
        return middle
    }

    private static func once(_ program: String) throws(BenchmarkFault) -> Double {
        var metadata = MetadataWriter()
        metadata.route("portico.v1.Control/GetEnvironment")
        var writer = FrameWriter()
        writer.request(.response, on: 1, metadata: metadata.bytes, data: [])
        let clock = ContinuousClock()
        let start = clock.now
        let child = try ServeChild(
            program: program,
            [
                "serve", "--env", "development", "--listen", "127.0.0.1:0", "--set", "operator.address=none",
                "--set", "sandbox.address=127.0.0.1:0", "--set", "log.level=error",
            ])
        defer { child.terminate() }
        guard let line = child.line(), let port = line.split(separator: ":").last.flatMap({ UInt16($0) })
        else {
            throw .peer("`portico serve` does not say where it listens.")
        }
        _ = try WireProbe.answer(from: port, to: writer.bytes)
        return (clock.now - start).inSeconds * 1e3
    }
}
