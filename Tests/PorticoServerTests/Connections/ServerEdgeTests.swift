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
        try await withServer({ $0.auth.tokens = [Secret("good")] }) { _, address, source in
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

    @Test func aHeaderThatDoesNotComeCountsAgainstTheTimeForSetup() async throws {
        try await withServer({
            $0.listen.proxyProtocol = true
            $0.limits.setupTimeout = .milliseconds(20)
        }) { _, address, _ in
            try await onThread {
                var client = try WireClient(address)
                client.send(Array(ProxyHeader.signature))
                #expect(try client.line() == "0 ERROR 1 DEADLINE_EXCEEDED: no SETUP in time")
            }
        }
    }
}

extension FrameWriter {
    fileprivate mutating func goodSetup() {
        setup(
            keepaliveMilliseconds: 20_000, lifetimeMilliseconds: 60_000,
            metadataMIME: MetadataMIME.composite.name, dataMIME: MetadataMIME.protobuf.name, metadata: nil,
            data: [])
    }
}
