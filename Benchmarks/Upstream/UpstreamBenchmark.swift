import Foundation
import PorticoUpstream
import PorticoWire

/// Calls that no cache can answer, through whole servers: fetch a page of ten people, decode it, group it, answer.
///
/// In the clock: everything from the client's request to its answer. Clients and Portico share this process; nginx and
/// the Go server have their own.
enum UpstreamBenchmark {
    private static let calls = 20_000
    private static let rounds = 3

    static func run() throws(BenchmarkFault) {
        var writer = PeopleWriter(seed: 10)
        guard let upstream = try StaticUpstream.start(page: writer.page(people: 10)) else {
            return print("\nupstream: skipped, there is no nginx to fetch from")
        }
        let finished = DispatchSemaphore(value: 0)
        let outcome = Outcome()
        Task.detached {
            do { try await measure(upstream) } catch { outcome.fault = error }
            finished.signal()
        }
        finished.wait()
        upstream.stop()
        if let error = outcome.fault { throw .wrongResult("upstream: \(error)") }
    }

    private final class Outcome: @unchecked Sendable {
        // SAFETY: written before the semaphore is signalled, read after it was waited for.
        var fault: (any Error)?
    }

    private static func measure(_ upstream: StaticUpstream) async throws {
        print("\nupstream: \(calls) uncached calls a round, \(CallLoad.callers) at a time, best of \(rounds)")
        let transport = try EventLoopTransport()
        let portico = try await PorticoSide.start(baseURL: upstream.baseURL, transport: transport)
        let session = try await PorticoSide.start(
            baseURL: upstream.baseURL, transport: URLSessionTransport())
        let go = try GoPeer.start(upstream: upstream.baseURL, transport: transport)
        defer { go?.stop() }
        if let go { try await check(portico.call(0, 1), go.client.call(1)) }
        var table = Table(["", "calls/s", "RSS before", "after"])
        if let go {
            let client = go.client
            try await add("Go net/http, encoding/json", to: &table, memory: { go.memory }) { _, number in
                _ = try await client.call(number)
            }
        } else {
            print("Go: skipped, it is not installed")
        }
        try await add("Portico, event loop", to: &table) { _ = try await portico.call($0, $1) }
        try await add("Portico, URLSession", to: &table) { _ = try await session.call($0, $1) }
        print(table.text)
        await portico.stop()
        await session.stop()
    }

    private static func add(
        _ name: String, to table: inout Table, memory: () -> Int = { ResidentMemory.bytes() },
        _ call: @escaping @Sendable (Int, Int) async throws -> Void
    ) async throws {
        _ = try await CallLoad(calls: calls / 10).run(call)
        let before = memory()
        var best = 0.0
        for _ in 0..<rounds { best = max(best, try await CallLoad(calls: calls).run(call)) }
        table.add([name, best.digits(0), megabytes(before), megabytes(memory())])
    }

    private static func megabytes(_ bytes: Int) -> String { (Double(bytes) / 1e6).digits(1) + " MB" }

    /// Both sides must find the same number of groups.
    private static func check(_ records: [UInt8], _ json: [UInt8]) throws {
        var cursor = ProtobufCursor(0..<records.count)
        var count = 0
        while let tag = try cursor.nextTag(in: records.span) {
            try cursor.skip(tag.wireType, in: records.span)
            count += 1
        }
        let object = try JSONSerialization.jsonObject(with: Data(json)) as? [String: [Any]]
        guard count > 1, object?["segments"]?.count == count else {
            throw BenchmarkFault.wrongResult("Portico and Go group differently.")
        }
    }
}
