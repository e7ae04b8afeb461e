import PorticoConfig
import PorticoTranscode
import PorticoUpstream
import PorticoWire
import Testing

@testable import PorticoServer

/// REQUEST_STREAM over a socket: what an observer is sent, and when its stream ends.
@Suite struct ObservingTests {
    private let echo = "test.v1.Test/Echo"

    @Test func theCurrentAnswerComesAtOnceAndThenEachDifferentOne() async throws {
        try await withServer { server, address, source in
            try await onThread { [echo] in
                var client = try WireClient.ready(address)
                client.request(echo, on: 1, .stream, data: Array("now".utf8))
                let (frame, bytes) = try #require(try client.frame())
                #expect(frame.flags == .next && bytes.suffix(3) == Array("now".utf8))
                source.tell(Array("now".utf8))
                source.tell(Array("then".utf8))
                #expect(try client.line() == "1 PAYLOAD then")
                client.send { $0.cancel(1) }
                client.request(echo, on: 3, data: [8, 1])
                #expect(try client.line().hasPrefix("3 PAYLOAD"))
                #expect(source.observerCount == 0)
            }
            #expect(server.count("portico_calls_total", "CANCELLED") == 1)
        }
    }

    @Test func withoutCreditTheNewestWaitsAndWhatTheClientHasIsNotSentAgain() async throws {
        try await withServer { _, address, source in
            try await onThread { [echo] in
                var client = try WireClient.ready(address)
                client.request(echo, on: 1, .stream, data: Array("a".utf8), credits: 1)
                #expect(try client.line() == "1 PAYLOAD a")
                for text in ["b", "c", "d"] { source.tell(Array(text.utf8)) }
                client.request(echo, on: 3, data: [8, 1])
                _ = try client.line()
                client.send { $0.requestN(1, on: 1) }
                #expect(try client.line() == "1 PAYLOAD d")
                source.tell(Array("e".utf8))
                source.tell(Array("d".utf8))
                client.request(echo, on: 5, data: [8, 1])
                _ = try client.line()
                client.send { $0.requestN(2, on: 1) }
                source.tell(Array("f".utf8))
                #expect(try client.line() == "1 PAYLOAD f")
            }
        }
    }

    @Test func ageIsToldToThoseWhoAskForItWithTheCursorToGoOnFrom() async throws {
        try await withServer { _, address, source in
            try await onThread { [echo] in
                var client = try WireClient.ready(address)
                var context = CallContext()
                context.wantsResponseContext = true
                client.request(echo, on: 1, .stream, data: Array("a".utf8), context: context)
                let first = try #require(try client.responseContext())
                #expect(first.source == .miss && first.ageMilliseconds >= 2000)
                source.tell(Array("a".utf8), .stale)
                let second = try #require(try client.responseContext())
                #expect(second.source == .stale && second.resumeCursor == first.resumeCursor)
                context.resumeCursor = first.resumeCursor
                client.request(echo, on: 3, .stream, data: Array("a".utf8), context: context)
                // Behind it on the same connection: then it is observed.
                client.request(echo, on: 5, data: [8, 1])
                _ = try client.line()
                source.tell(Array("b".utf8))
                var lines = [try client.line(), try client.line()]
                lines.sort()
                #expect(lines == ["1 PAYLOAD b", "3 PAYLOAD b"])
            }
        }
    }

    @Test func aFirstFailureIsTheStreamsEnd() async throws {
        try await withServer { _, address, source in
            try await onThread {
                var client = try WireClient.ready(address)
                client.request("test.v1.Test/Fail", on: 1, .stream)
                #expect(try client.line() == "1 ERROR 201 NOT_FOUND: the upstream `fake` has no such thing")
                var context = CallContext()
                context.timeoutMilliseconds = 1
                client.request("test.v1.Test/Never", on: 3, .stream, context: context)
                #expect(try client.line() == "3 ERROR 201 DEADLINE_EXCEEDED: no answer within 1 ms")
                #expect(source.observerCount == 0)
            }
        }
    }

    @Test func whoObservesIsEndedWhenTheServerGoes() async throws {
        try await withServer { server, address, source in
            var hello = Hello()
            hello.acceptsGoAway = true
            let client = try await onThread { [hello] in try Held(WireClient.ready(address, hello: hello)) }
            try await onThread { [echo] () throws in
                client.with { $0.request(echo, on: 1, .stream, data: Array("a".utf8)) }
                #expect(try client.line() == "1 PAYLOAD a")
            }
            async let drained: Void = server.server.drain()
            try await onThread { () throws in
                #expect(try client.line() == "GOAWAY the server is going away")
                #expect(
                    try client.line() == "1 ERROR 202 UNAVAILABLE: the server is going away, connect again")
                #expect(try client.line() == "0 ERROR 102 UNAVAILABLE: the server is going away")
                #expect(try client.line() == "closed")
                client.close()
            }
            await drained
            #expect(source.observerCount == 0)
        }
    }

    @Test func aReloadGoesOnWithTheNewSourceAndTellsWhatDiffers() async throws {
        try await withServer { server, address, source in
            let client = try await onThread { try Held(WireClient.ready(address)) }
            try await onThread { [echo] () throws in
                client.with { $0.request(echo, on: 1, .stream, data: Array("a".utf8)) }
                client.with { $0.request("portico.v1.Control/GetFlags", on: 3, .stream) }
                #expect(try [client.line(), client.line()].sorted() == ["1 PAYLOAD a", "3 PAYLOAD "])
            }
            let next = FakeSource(FakeSource.schema)
            var configuration = server.configuration
            configuration.flags["f"] = FlagDefinition(
                isEnabled: true, variants: ["on": .bool(true)], defaultVariant: "on")
            await server.server.adopt(configuration: configuration, schema: FakeSource.schema, source: next)
            try await onThread { () throws in
                #expect(try client.line().hasPrefix("3 PAYLOAD"))
                source.tell(Array("old".utf8))
                next.tell(Array("new".utf8))
                #expect(try client.line() == "1 PAYLOAD new")
                client.close()
            }
            #expect(source.observerCount == 0)
        }
    }

    @Test func theObservedRequestsOfAConnectionHaveOneMessagesRoom() async throws {
        try await withServer({ $0.limits.messageBytes = 1000 }) { _, address, source in
            try await onThread { [echo] in
                var client = try WireClient.ready(address)
                let request = [UInt8](repeating: UInt8(ascii: "x"), count: 400)
                for id in [1, 3, 5] as [UInt32] { client.request(echo, on: id, .stream, data: request) }
                var lines = try (0..<3).map { _ in try client.line() }
                lines.sort()
                #expect(lines[0].hasPrefix("1 PAYLOAD x") && lines[1].hasPrefix("3 PAYLOAD x"))
                #expect(
                    lines[2] == "5 ERROR 201 RESOURCE_EXHAUSTED: "
                        + "all observed requests of a connection have 1000 bytes together")
                client.send { $0.cancel(1) }
                client.request(echo, on: 7, .stream, data: request)
                #expect(try client.line().hasPrefix("7 PAYLOAD x"))
                #expect(source.observerCount == 2)
            }
        }
    }

    @Test func aSlowObserverHoldsTwoAnswersAtMost() async throws {
        try await withServer { _, address, source in
            try await onThread { [echo] in
                var client = try WireClient.ready(address)
                client.request(echo, on: 1, .stream, data: [1], credits: 1_000_000)
                _ = try client.line()
                for round in 0..<100 {
                    source.tell([UInt8](repeating: UInt8(65 + round % 2), count: 1 << 20))
                }
                source.tell(Array("last".utf8))
                var items = 1
                while try client.line() != "1 PAYLOAD last" { items += 1 }
                #expect(items < 100)
            }
        }
    }
}
