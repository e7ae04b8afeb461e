import PorticoConfig
import PorticoEventLoop
import PorticoUpstream
import PorticoWire
import Synchronization
import Testing

@testable import PorticoServer

/// Limits at their edges: the last value that passes and the first that does not.
@Suite struct ServerEdgeTests {
    @Test func aSetupAtTheLimitPassesAndOneByteMoreDoesNot() async throws {
        try await withServer({ $0.limits.metadataBytes = 1000 }) { _, address, _ in
            try await onThread {
                func setup(frameBytes: Int) -> [UInt8] {
                    let mime = MetadataMIME.composite.name
                    let fixed = 6 + 12 + 2 + mime.utf8.count
                    var writer = FrameWriter()
                    writer.setup(
                        keepaliveMilliseconds: 1000, lifetimeMilliseconds: 60_000, metadataMIME: mime,
                        dataMIME: "", metadata: nil, data: [UInt8](repeating: 0, count: frameBytes - fixed))
                    return writer.bytes
                }
                var good = try WireClient(address)
                good.send(setup(frameBytes: 5096))
                good.send { $0.keepalive(.respond, data: [0x61].span) }
                #expect(try good.line() == "KEEPALIVE a")
                var bad = try WireClient(address)
                bad.send(setup(frameBytes: 5097))
                #expect(
                    try bad.line()
                        == "0 ERROR 1 INVALID_ARGUMENT: a frame of 5097 bytes is over the limit of 5096")
                #expect(try bad.line() == "closed")
            }
        }
    }

    @Test func aRequestAboveTheStreamLimitIsRejectedAndTheConnectionLives() async throws {
        try await withServer({ $0.limits.streamsPerConnection = 2 }) { _, address, _ in
            try await onThread {
                var client = try WireClient.ready(address)
                for id in [1, 3, 5] as [UInt32] { client.request("test.v1.Test/Never", on: id) }
                #expect(
                    try client.line()
                        == "5 ERROR 202 RESOURCE_EXHAUSTED: 2 requests are in flight on this connection")
                client.send { $0.cancel(1) }
                client.request("test.v1.Test/Echo", on: 7, data: [8, 1])
                #expect(try client.line().hasPrefix("7 PAYLOAD"))
            }
        }
    }

    @Test func aSilentClientIsAskedAndThenClosedWhateverLifetimeItNamed() async throws {
        try await withServer({ $0.limits.idleTimeout = .milliseconds(60) }) { _, address, _ in
            try await onThread {
                var client = try WireClient.ready(address)
                #expect(try client.line() == "KEEPALIVE ")
                #expect(
                    try client.line() == "0 ERROR 101 DEADLINE_EXCEEDED: nothing heard within the lifetime")
                #expect(try client.line() == "closed")
            }
        }
    }

    @Test func noCallIsGivenLongerThanTheLongestTimeout() async throws {
        try await withServer({ $0.limits.longestCallTimeout = .milliseconds(20) }) { _, address, _ in
            try await onThread {
                var client = try WireClient.ready(address)
                var context = CallContext()
                context.timeoutMilliseconds = .max
                client.request("test.v1.Test/Never", on: 1, context: context)
                #expect(try client.line() == "1 ERROR 201 DEADLINE_EXCEEDED: no answer within 20 ms")
            }
        }
    }

    @Test func onlyAClientThatIsSlowItselfIsSlow() async throws {
        try await withServer({ $0.limits.frameTimeout = .milliseconds(50) }) { _, address, source in
            source.keep([8, 1], Answer(message: [UInt8](repeating: 65, count: 300_000), origin: .hit))
            try await onThread {
                let deaf = try WireClient.ready(address)
                for id in 0..<100 {
                    deaf.request("test.v1.Test/Echo", on: UInt32(id * 2 + 1), data: [8, 1])
                }
                let slow = try WireClient.ready(address)
                slow.send([0, 1])
                var client = try WireClient.ready(address)
                for id in 0..<50 {
                    client.request("test.v1.Test/Echo", on: UInt32(id * 2 + 1), data: [8, 2])
                    #expect(try client.line().hasPrefix("\(id * 2 + 1) PAYLOAD"))
                }
                deaf.send([])
                slow.send([])
            }
        }
    }

    @Test func aRequestThatDoesNotEndInTimeIsRejectedAndTheConnectionLives() async throws {
        try await withServer({ $0.limits.requestTimeout = .milliseconds(20) }) { _, address, _ in
            try await onThread {
                var client = try WireClient.ready(address)
                client.send { $0.firstFragment(on: 1, bytes: 3) }
                #expect(
                    try client.line()
                        == "1 ERROR 202 DEADLINE_EXCEEDED: the request took too long to arrive")
                client.send { $0.payload(on: 1, .next, metadata: nil, data: [0].span) }
                client.request("test.v1.Test/Echo", on: 3, data: [8, 1])
                #expect(try client.line().hasPrefix("3 PAYLOAD"))
            }
        }
    }

    private static let overBudget =
        "0 ERROR 101 RESOURCE_EXHAUSTED: too many unfinished requests; send this one again later"

    /// Each keeps 5,000 bytes and what its array has to spare: three fit, and with a fourth the largest goes.
    @Test func whoKeepsMostOfAllUnfinishedRequestsIsEnded() async throws {
        let limit: @Sendable (inout Configuration) -> Void = {
            $0.listen.loops = 1
            $0.limits.unfinishedBytes = 20_000
        }
        try await withServer(limit) { server, address, _ in
            try await onThread {
                var clients = try (0..<3).map { _ in try Held(WireClient.ready(address)) }
                for (client, bytes) in zip(clients, [5000, 5500, 5000]) {
                    client.with { $0.send { $0.firstFragment(on: 1, bytes: bytes) } }
                    client.with { client in client.send { $0.keepalive(.respond, data: [0x61].span) } }
                    #expect(try client.line() == "KEEPALIVE a")
                }
                #expect(try #require(server.count("portico_unfinished_bytes")) > 15_500)
                clients.append(try Held(WireClient.ready(address)))
                clients[3].with { $0.send { $0.firstFragment(on: 1, bytes: 5000) } }
                #expect(try clients[1].line() == Self.overBudget)
                #expect(try clients[1].line() == "closed")
                for client in [clients[0], clients[2], clients[3]] {
                    client.with { $0.send { $0.payload(on: 1, .next, metadata: nil, data: [8, 1].span) } }
                    #expect(try client.line().hasPrefix("1 ERROR"))
                }
            }
            #expect(server.count("portico_unfinished_bytes") == 0)
        }
    }

    @Test func whoeverGoesOverTheBudgetAloneIsToldSo() async throws {
        try await withServer({ $0.limits.unfinishedBytes = 20_000 }) { _, address, _ in
            try await onThread {
                var client = try WireClient.ready(address)
                client.send { $0.firstFragment(on: 1, bytes: 30_000) }
                #expect(try client.line() == Self.overBudget)
                #expect(try client.line() == "closed")
            }
        }
    }

    @Test func theLargestAreChosenUntilAnEighthIsFree() {
        let holders = [("a", 10), ("b", 70), ("c", 0), ("d", 40), ("e", 45)].map {
            (owner: $0.0, bytes: $0.1)
        }
        func chosen(_ excess: Int, _ limit: Int) -> [String] {
            UnfinishedShedding(holders, excessBytes: excess, limitBytes: limit).owners
        }
        #expect(chosen(1, 80) == ["b"])
        #expect(chosen(65, 80) == ["b", "e"])
        #expect(chosen(1000, 80) == ["b", "e", "d", "a"])
    }

    @Test func aFloodOfUnknownRoutesIsToldOfTheNearestOnlyAtFirst() async throws {
        try await withServer({ $0.listen.loops = 1 }) { _, address, _ in
            try await onThread {
                var client = try WireClient.ready(address)
                var hinted = 0
                for id in 0..<100 {
                    client.request("test.v1.Test/Ekho", on: UInt32(id * 2 + 1), data: [])
                    let line = try client.line()
                    #expect(line.contains("there is no method test.v1.Test/Ekho"))
                    if line.hasSuffix("; the nearest is test.v1.Test/Echo") { hinted += 1 }
                }
                #expect(hinted >= HintBudget.perSecond && hinted < 100)
            }
        }
    }

    // MARK: Answers that are remembered

    @Test func aRememberedAnswerIsGivenUntilTheSourceChanges() async throws {
        try await withServer { server, address, source in
            func keep(_ text: String) {
                source.keep(
                    [8, 1], Answer(message: Array(text.utf8), origin: .hit, holdsUntil: .now + .seconds(60)))
            }
            keep("old")
            let client = try await onThread { try Held(WireClient.ready(address)) }
            for (id, text) in [(1, "old"), (3, "old"), (5, "new"), (7, "new")] as [(UInt32, String)] {
                if id == 5 { keep("new") }
                client.with { $0.request("test.v1.Test/Echo", on: id, data: [8, 1]) }
                #expect(try client.line() == "\(id) PAYLOAD \(text)")
            }
            #expect(server.count("portico_calls_total", "OK") == 4)
        }
    }

    @Test func aRememberedAnswerNeedsTheSameToken() async throws {
        try await withServer({ $0.auth.tokens = [AccessToken("good")] }) { _, address, source in
            source.keep([8, 1], Answer(message: [65], origin: .hit, holdsUntil: .now + .seconds(60)))
            try await onThread {
                var good = try WireClient.ready(address, token: "good")
                for id in [1, 3] as [UInt32] {
                    good.request("test.v1.Test/Echo", on: id, data: [8, 1])
                    #expect(try good.line() == "\(id) PAYLOAD A")
                }
                var nobody = try WireClient.ready(address)
                nobody.request("test.v1.Test/Echo", on: 1, data: [8, 1])
                #expect(try nobody.line().hasPrefix("1 ERROR 201 UNAUTHENTICATED"))
            }
        }
    }

    @Test func aRememberedAnswerTakesNoStreamThatIsInUse() async throws {
        try await withServer { _, address, source in
            source.keep([8, 1], Answer(message: [65], origin: .hit, holdsUntil: .now + .seconds(60)))
            try await onThread {
                var client = try WireClient.ready(address)
                client.request("test.v1.Test/Echo", on: 1, data: [8, 1])
                #expect(try client.line() == "1 PAYLOAD A")
                client.request("test.v1.Test/Never", on: 3)
                client.request("test.v1.Test/Echo", on: 3, data: [8, 1])
                client.request("test.v1.Test/Echo", on: 4, data: [8, 1])
                #expect(
                    try client.line()
                        == "0 ERROR 101 INVALID_ARGUMENT: a client's streams are odd, not 4")
            }
        }
    }

    // MARK: PROXY protocol

    @Test func behindALoadBalancerTheLogNamesTheClient() async throws {
        let (lines, line) = AsyncStream<String>.makeStream()
        let log = Log(Configuration.Log()) { line.yield(String(decoding: $0, as: UTF8.self)) }
        try await withServer({ $0.listen.proxyProtocol = true }, log: log) { _, address, _ in
            try await onThread {
                var client = try WireClient(address)
                client.send(ProxyHeaderTests.header(0x21, 0x11, ProxyHeaderTests.ipv4))
                client.send { $0.goodSetup() }
                client.send { $0.keepalive(.respond, data: [0x61].span) }
                #expect(try client.line() == "KEEPALIVE a")
            }
            for await text in lines {
                #expect(text.contains(" peer=192.0.2.1:54321 "))
                break
            }
        }
    }

    @Test func withoutItsHeaderAConnectionIsClosedUnanswered() async throws {
        try await withServer({ $0.listen.proxyProtocol = true }) { _, address, _ in
            try await onThread {
                var client = try WireClient.ready(address)
                #expect(try client.line() == "closed")
            }
        }
    }

    @Test(arguments: [(0, "no PROXY header came"), (12, "the PROXY header did not end")])
    func aHeaderThatDoesNotComeInTimeEndsTheConnectionUnanswered(length: Int, reason: String) async throws {
        let (lines, line) = AsyncStream<String>.makeStream()
        let log = Log(Configuration.Log()) { line.yield(String(decoding: $0, as: UTF8.self)) }
        let shorten: @Sendable (inout Configuration) -> Void = {
            $0.listen.proxyProtocol = true
            $0.limits.setupTimeout = .milliseconds(20)
        }
        try await withServer(shorten, log: log) { _, address, _ in
            try await onThread {
                var client = try WireClient(address)
                client.send(Array(ProxyHeader.signature.prefix(length)))
                #expect(try client.line() == "closed")
            }
            for await text in lines {
                #expect(text.contains(" reason=\"\(reason)\" "))
                break
            }
        }
    }
}

extension FrameWriter {
    /// Of a request that is to go on.
    fileprivate mutating func firstFragment(on id: UInt32, bytes: Int) {
        request(
            .response, on: id, flags: .follows, initialCredits: nil, metadata: nil,
            data: [UInt8](repeating: 0, count: bytes))
    }

    fileprivate mutating func goodSetup() {
        setup(
            keepaliveMilliseconds: 20_000, lifetimeMilliseconds: 60_000,
            metadataMIME: MetadataMIME.composite.name, dataMIME: MetadataMIME.protobuf.name, metadata: nil,
            data: [])
    }
}
