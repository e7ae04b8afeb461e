import PorticoConfig
import PorticoEventLoop
import PorticoSchema
import PorticoTranscode
import PorticoUpstream
import PorticoWire
import Synchronization
import Testing

@testable import PorticoServer

/// Generations of configuration under connections that live on.
@Suite struct ReloadTests {
    private static func configuration(_ change: (inout Configuration) -> Void = { _ in }) -> Configuration {
        var configuration = Configuration(environment: "Test")
        configuration.limits.callTimeout = .seconds(600)
        configuration.limits.longestCallTimeout = .seconds(600)
        change(&configuration)
        return configuration
    }

    @Test func callsGoOnThroughManyReloadsAndOldGenerationsAreFreed() async throws {
        try await withServer { running, address, source in
            source.keep([8, 8], Answer(message: [66], origin: .hit))
            let end = End()
            let clients = (0..<4).map { _ in
                Task {
                    try await onThread {
                        var client = try WireClient.ready(address)
                        var id: UInt32 = 1
                        while !end.isReached.load(ordering: .relaxed) {
                            // One from the cache, one that waits for a task.
                            client.request("test.v1.Test/Remember", on: id, data: [8, 8])
                            client.request("test.v1.Test/Echo", on: id + 2, data: [8, 9])
                            let lines = Set([try client.line(), try client.line()])
                            #expect(lines == ["\(id) PAYLOAD B", "\(id + 2) PAYLOAD \u{8}\u{9}"])
                            id += 4
                            end.rounds.add(1, ordering: .relaxed)
                        }
                    }
                }
            }
            var reloads = 0
            // At least 300, and as many as it takes until calls have gone through all the time.
            while reloads < 300 || end.rounds.load(ordering: .relaxed) < 100 {
                reloads += 1
                await running.server.adopt(
                    configuration: Self.configuration(), schema: FakeSource.schema, source: source)
            }
            end.isReached.store(true, ordering: .relaxed)
            for client in clients { try await client.value }
            #expect(running.server.generations.newest == reloads + 1)
            while running.server.generations.living > 1 { await Task.yield() }
            #expect(running.count("portico_generations_in_memory") == 1)
            #expect(running.count("portico_connections_total") == 4)
        }
    }

    @Test func aCallInFlightEndsWithItsGenerationWhichIsFreedThen() async throws {
        try await withServer { running, address, source in
            var events = source.events.makeAsyncIterator()
            let caller = Task {
                try await onThread {
                    var client = try WireClient.ready(address)
                    client.request("test.v1.Test/Never", on: 1)
                    // Answered by the second generation, while the first call still waits in the first.
                    var id: UInt32 = 3
                    repeat {
                        client.request("test.v1.Test/Echo", on: id, data: [8, 1])
                        id += 2
                    } while try !client.line().hasSuffix("NOT_FOUND: gone")
                    #expect(running.server.generations.living == 2)
                    client.send { $0.cancel(1) }
                    client.request("test.v1.Test/Echo", on: id, data: [8, 1])
                    return try client.line()
                }
            }
            // The tasks of two calls may begin in either order.
            while await events.next() != .asked("Never") {}
            await running.server.adopt(
                configuration: Self.configuration(), schema: FakeSource.schema, source: GoneSource())
            let last = try await caller.value
            #expect(last.hasSuffix("ERROR 201 NOT_FOUND: gone"))
            while running.server.generations.living > 1 { await Task.yield() }
        }
    }

    @Test func aFlagSwitchesAMethodForSomeClients() async throws {
        func use(_ variant: String) -> Configuration {
            Self.configuration { configuration in
                configuration.flags["echo"] = FlagDefinition(
                    isEnabled: true, variants: ["on": .bool(true), "off": .bool(false)],
                    defaultVariant: variant,
                    targeting: .object([
                        .init(
                            "if",
                            .array([
                                .object([
                                    .init(
                                        "==",
                                        .array([.object([.init("var", .string("platform"))]), .string("ios")])
                                    )
                                ]), .string("on"),
                            ]))
                    ]))
                configuration.methods["test.v1.Test/Echo", default: .init()].enabledBy = "echo"
            }
        }
        let off =
            "ERROR 201 UNIMPLEMENTED: test.v1.Test/Echo is switched off for this client by the flag echo"
        try await withServer { running, address, source in
            await running.server.adopt(configuration: use("off"), schema: FakeSource.schema, source: source)
            try await onThread {
                var client = try WireClient.ready(address)
                client.request("test.v1.Test/Echo", on: 1, data: [8, 1])
                #expect(try client.line() == "1 \(off)")
                client.request("test.v1.Test/Remember", on: 3, data: [8, 1])
                #expect(try client.line() == "3 PAYLOAD \u{8}\u{1}")
                var hello = Hello()
                hello.platform = "ios"
                var chosen = try WireClient.ready(address, hello: hello)
                chosen.request("test.v1.Test/Echo", on: 1, data: [8, 1])
                #expect(try chosen.line() == "1 PAYLOAD \u{8}\u{1}")
            }
            await running.server.adopt(configuration: use("on"), schema: FakeSource.schema, source: source)
            try await onThread {
                var client = try WireClient.ready(address)
                client.request("test.v1.Test/Echo", on: 1, data: [8, 1])
                #expect(try client.line() == "1 PAYLOAD \u{8}\u{1}")
            }
        }
    }

    @Test func newTokensCountForNewConnections() async throws {
        try await withServer { running, address, source in
            await running.server.adopt(
                configuration: Self.configuration { $0.auth.tokens = [AccessToken("t")] },
                schema: FakeSource.schema,
                source: source)
            try await onThread {
                var client = try WireClient.ready(address)
                client.request("test.v1.Test/Echo", on: 1)
                #expect(try client.line().contains("UNAUTHENTICATED"))
                var known = try WireClient.ready(address, token: "t")
                known.request("test.v1.Test/Echo", on: 1, data: [8, 1])
                #expect(try known.line() == "1 PAYLOAD \u{8}\u{1}")
            }
        }
    }
}

/// Tells the clients' threads.
private final class End: Sendable {
    let isReached = Atomic(false)
    let rounds = Atomic(0)
}

/// Has nothing.
private struct GoneSource: AnswerSource {
    var generation: UInt64 { 0 }

    func cachedAnswer(to method: MethodID, request: Span<UInt8>) -> Answer? { nil }

    func answer(to call: Call) async throws(CallError) -> Answer { throw CallError(.notFound, "gone") }

    func observe(
        _ call: Call, tell: @escaping @Sendable (Observed) -> Void
    ) throws(CallError) -> Observation { throw CallError(.notFound, "gone") }
}
