import PorticoConfig
import PorticoEventLoop
import PorticoUpstream
import PorticoWire
import Synchronization
import Testing

@testable import PorticoServer

@Suite struct ServerLimitTests {
    @Test func cancellingACallCancelsItsTask() async throws {
        try await withServer { _, address, source in
            var events = source.events.makeAsyncIterator()
            let client = try await onThread { try Held(WireClient.ready(address)) }
            client.with { $0.request("test.v1.Test/Never", on: 1) }
            #expect(await events.next() == .asked("Never"))
            client.with { client in client.send { $0.cancel(1) } }
            #expect(await events.next() == .cancelled("Never"))
        }
    }

    @Test func closingTheConnectionCancelsItsCalls() async throws {
        try await withServer { _, address, source in
            var events = source.events.makeAsyncIterator()
            try await onThread { try WireClient.ready(address).request("test.v1.Test/Never", on: 1) }
            #expect(await events.next() == .asked("Never"))
            #expect(await events.next() == .cancelled("Never"))
        }
    }

    @Test func aCallEndsAtItsDeadlineAndItsTaskIsCancelled() async throws {
        try await withServer { _, address, source in
            try await onThread {
                var client = try WireClient.ready(address)
                var context = CallContext()
                context.timeoutMilliseconds = 20
                client.request("test.v1.Test/Never", on: 1, context: context)
                #expect(try client.line() == "1 ERROR 201 DEADLINE_EXCEEDED: no answer within 20 ms")
            }
            var events = source.events.makeAsyncIterator()
            #expect(await events.next() == .asked("Never"))
            #expect(await events.next() == .cancelled("Never"))
        }
    }

    @Test(arguments: ["GET / HTTP/1.1\r\nHost: a\r\n\r\n", "\u{0}\u{0}\u{6}\u{0}\u{0}\u{0}\u{1}\u{10}\u{0}"])
    func garbageInsteadOfSetupIsAnsweredAndClosed(text: String) async throws {
        try await withServer { _, address, _ in
            try await onThread {
                var client = try WireClient(address)
                client.send(Array(text.utf8))
                #expect(try client.line().hasPrefix("0 ERROR 1 "))
                #expect(try client.line() == "closed")
            }
        }
    }

    @Test func aFrameOverTheLimitEndsTheConnection() async throws {
        try await withServer({ $0.limits.frameBytes = 10_000 }) { _, address, _ in
            try await onThread {
                var client = try WireClient.ready(address)
                client.request(
                    "test.v1.Test/Echo", on: 1, data: [10, 0x80, 0x40] + [UInt8](repeating: 65, count: 8192))
                #expect(try client.line().hasPrefix("1 PAYLOAD"))
                client.send([0, 0x27, 0x11, 0, 0])
                #expect(
                    try client.line()
                        == "0 ERROR 101 INVALID_ARGUMENT: a frame of 10001 bytes is over the limit of 10000")
                #expect(try client.line() == "closed")
            }
        }
    }

    @Test func noSetupInTimeEndsTheConnection() async throws {
        try await withServer({ $0.limits.setupTimeout = .milliseconds(20) }) { _, address, _ in
            try await onThread {
                var client = try WireClient(address)
                #expect(try client.line() == "0 ERROR 1 DEADLINE_EXCEEDED: no SETUP in time")
                #expect(try client.line() == "closed")
            }
        }
    }

    @Test func aFrameThatDoesNotEndInTimeEndsTheConnection() async throws {
        try await withServer({ $0.limits.frameTimeout = .milliseconds(20) }) { _, address, _ in
            try await onThread {
                var client = try WireClient.ready(address)
                client.send([0, 0, 9, 0])
                #expect(
                    try client.line() == "0 ERROR 101 DEADLINE_EXCEEDED: a frame took too long to arrive")
                #expect(try client.line() == "closed")
            }
        }
    }

    @Test func tokensAreAskedForInSetupOrPerCall() async throws {
        try await withServer({ $0.auth.tokens = [AccessToken("good"), AccessToken("other")] }) {
            _, address, _ in
            try await onThread {
                let refused = "1 ERROR 201 UNAUTHENTICATED: a valid bearer token is needed"
                var wrong = try WireClient.ready(address, token: "bad!")
                #expect(try wrong.line() == "0 ERROR 3 UNAUTHENTICATED: a valid bearer token is needed")
                #expect(try wrong.line() == "closed")
                var good = try WireClient.ready(address, token: "good")
                good.request("test.v1.Test/Echo", on: 1, data: [8, 1], token: "bad")
                #expect(try good.line() == refused)
                good.request("test.v1.Test/Echo", on: 3, data: [8, 1])
                #expect(try good.line().hasPrefix("3 PAYLOAD"))
                var anonymous = try WireClient.ready(address)
                anonymous.request("test.v1.Test/Nothing", on: 1, data: [8, 1])
                #expect(try anonymous.line() == refused)
                anonymous.request("test.v1.Test/Echo", on: 3, data: [8, 1], token: "other")
                #expect(try anonymous.line().hasPrefix("3 PAYLOAD"))
            }
        }
    }

    @Test func aTokenIsForWhatItsRolesSay() async throws {
        let tokens = [
            AccessToken("r", roles: [.read]), AccessToken("w", roles: [.write]), AccessToken("both"),
        ]
        try await withServer({ $0.auth.tokens = tokens }) { _, address, _ in
            try await onThread {
                let denied = "1 ERROR 201 PERMISSION_DENIED: this token is not for methods that "
                for (token, method, error) in [
                    ("r", "Echo", nil), ("r", "Write", denied + "write"), ("w", "Echo", denied + "read"),
                    ("w", "Write", nil), ("both", "Echo", nil), ("both", "Write", nil),
                ] as [(String, String, String?)] {
                    var inSetup = try WireClient.ready(address, token: token)
                    inSetup.request("test.v1.Test/\(method)", on: 1, data: [8, 1])
                    var perCall = try WireClient.ready(address)
                    perCall.request("test.v1.Test/\(method)", on: 1, data: [8, 1], token: token)
                    for line in [try inSetup.line(), try perCall.line()] {
                        #expect(error.map { line == $0 } ?? line.hasPrefix("1 PAYLOAD"), "\(line)")
                    }
                    inSetup.request("portico.v1.Control/GetEnvironment", on: 3, data: [])
                    #expect(try inSetup.line().hasPrefix("3 PAYLOAD"))
                }
            }
        }
    }

    @Test func aWriteIsCalledForOneAnswerOnly() async throws {
        try await withServer { _, address, source in
            try await onThread {
                var client = try WireClient.ready(address)
                client.request("test.v1.Test/Write", on: 1, .fireAndForget, data: [8, 1])
                client.request("test.v1.Test/Write", on: 3, .stream, data: [8, 1])
                #expect(
                    try client.line()
                        == "3 ERROR 201 UNIMPLEMENTED: test.v1.Test/Write writes: it is called by request/response only"
                )
                client.request("test.v1.Test/Write", on: 5, data: [8, 1])
                #expect(try client.line().hasPrefix("5 PAYLOAD"))
            }
            var asked = source.events.makeAsyncIterator()
            #expect(await asked.next() == .asked("Write"))
            #expect(source.askedCount == 1)
        }
    }

    @Test func aReaderThatIsSlowIsNotReadFromUntilItCatchesUp() async throws {
        try await withServer({ $0.limits.queuedBytesPerConnection = 100_000 }) { server, address, source in
            let large = [UInt8](repeating: 65, count: 200_000)
            source.keep([8, 1], Answer(message: large, origin: .hit))
            try await onThread {
                var client = try WireClient.ready(address)
                for id in 0..<200 {
                    client.request("test.v1.Test/Echo", on: UInt32(id * 2 + 1), data: [8, 1])
                }
                var ended = 0
                while ended < 200, let (frame, _) = try client.frame() {
                    if frame.flags.contains(.complete) { ended += 1 }
                }
                #expect(ended == 200)
            }
            #expect(server.count("portico_calls_total", "OK") == 200)
        }
    }

    @Test func oneConnectionMoreThanTheLimitWaitsForAnotherToEnd() async throws {
        try await withServer({ $0.limits.connections = 1 }) { _, address, _ in
            try await onThread {
                var second: WireClient
                do {
                    var first = try WireClient.ready(address)
                    first.request("test.v1.Test/Echo", on: 1, data: [8, 1])
                    #expect(try first.line().hasPrefix("1 PAYLOAD"))
                    second = try WireClient.ready(address)
                    second.request("test.v1.Test/Echo", on: 1, data: [8, 1])
                    first.request("test.v1.Test/Echo", on: 3, data: [8, 1])
                    #expect(try first.line().hasPrefix("3 PAYLOAD"))
                }
                #expect(try second.line().hasPrefix("1 PAYLOAD"))
            }
        }
    }

    @Test func drainingTellsClientsFinishesCallsAndCloses() async throws {
        try await withServer({ $0.limits.drain = .milliseconds(300) }) { server, address, source in
            var hello = Hello()
            hello.acceptsGoAway = true
            let client = try await onThread { [hello] in try Held(WireClient.ready(address, hello: hello)) }
            client.with { $0.request("test.v1.Test/Never", on: 1) }
            var events = source.events.makeAsyncIterator()
            #expect(await events.next() == .asked("Never"))
            async let drained: Void = server.server.drain()
            try await onThread { () throws in
                #expect(try client.line() == "GOAWAY the server is going away")
                client.with { $0.request("test.v1.Test/Echo", on: 3, data: [8, 1]) }
                #expect(
                    try client.line()
                        == "3 ERROR 202 UNAVAILABLE: the server is going away, connect again")
                #expect(
                    try client.line() == "0 ERROR 102 UNAVAILABLE: the server is going away")
                #expect(try client.line() == "closed")
                client.close()
            }
            await drained
            #expect(await events.next() == .cancelled("Never"))
            #expect(!server.server.isReady)
            #expect(server.count("portico_connections_open") == 0)
        }
    }

    @Test func aPortInUseIsSaid() async throws {
        try await withServer { _, address, source in
            var configuration = Configuration(environment: "Test")
            configuration.listen.address = "\(address)"
            let second = Server(
                configuration: configuration, schema: FakeSource.schema, source: source,
                log: Log(Configuration.Log(), write: { _ in }))
            await #expect(throws: SystemError.addressInUse("\(address)")) { try await second.start() }
        }
    }

    @Test func severalLoopsShareOnePort() async throws {
        try await withServer({ $0.listen.loops = 3 }) { _, address, _ in
            try await onThread {
                for _ in 0..<20 {
                    var client = try WireClient.ready(address)
                    client.request("test.v1.Test/Echo", on: 1, data: [8, 1])
                    #expect(try client.line().hasPrefix("1 PAYLOAD"))
                }
            }
        }
    }

    @Test func aUnixSocketServesLikeAPort() async throws {
        let path = "/tmp/portico-test-\(UInt64.random(in: 0 ... .max)).sock"
        try await withServer({
            $0.listen.address = "unix:\(path)"; $0.listen.loops = 2
        }) { _, address, _ in
            #expect("\(address)" == "unix:\(path)")
            try await onThread {
                var client = try WireClient.ready(address)
                client.send { $0.keepalive(.respond, data: [0x61].span) }
                #expect(try client.line() == "KEEPALIVE a")
            }
        }
    }

    @Test func aConnectionsEndIsOneLineInTheLogWithoutItsToken() async throws {
        let lines = Mutex<[String]>([])
        let (ends, end) = AsyncStream<Void>.makeStream()
        let log = Log(Configuration.Log()) { bytes in
            lines.withLock { $0.append(String(decoding: bytes, as: UTF8.self)) }
            end.yield()
        }
        try await withServer({ $0.auth.tokens = [AccessToken("s3cret")] }, log: log) { _, address, _ in
            try await onThread {
                var hello = Hello()
                hello.clientID = "phone\n1"
                var client = try WireClient.ready(address, token: "s3cret", hello: hello)
                client.request("test.v1.Test/Echo", on: 1, data: [8, 1])
                #expect(try client.line().hasPrefix("1 PAYLOAD"))
            }
            for await _ in ends { break }
        }
        let text = lines.withLock { $0.joined() }
        #expect(
            text.contains(
                " info connection ended reason=\"the client closed\" peer=127.0.0.1:"))
        #expect(text.contains(" client=\"phone\\u000a1\" requests=1 failures=0 "))
        #expect(!text.contains("s3cret") && text.filter { $0 == "\n" }.count == 1)
    }
}

/// Keeps a client between steps of a test that runs here and there.
final class Held: Sendable {
    private let client: Mutex<WireClient?>
    init(_ client: consuming sending WireClient) { self.client = Mutex(client) }

    func with<Value>(_ body: (inout WireClient) throws -> sending Value) rethrows -> sending Value {
        try client.withLock { try body(&$0!) }
    }

    func line() throws -> String { try with { try $0.line() } }

    func close() { client.withLock { $0 = nil } }
}
