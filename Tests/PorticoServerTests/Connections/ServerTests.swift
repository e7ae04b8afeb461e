import PorticoConfig
import PorticoUpstream
import PorticoWire
import Testing

@testable import PorticoServer

@Suite struct ServerTests {
    @Test func anAnswerIsFetchedOnceAndThenServedFromTheCache() async throws {
        try await withServer { server, address, _ in
            try await onThread {
                var client = try WireClient.ready(address)
                client.request("test.v1.Test/Remember", on: 1, data: [10, 2, 104, 105])
                #expect(try client.line() == "1 PAYLOAD \n\u{2}hi")
                client.request("test.v1.Test/Remember", on: 3, data: [10, 2, 104, 105])
                #expect(try client.line() == "3 PAYLOAD \n\u{2}hi")
            }
            #expect(server.count("portico_calls_total", "OK") == 2)
            #expect(server.count("portico_answers_total", "hit") == 2)
        }
    }

    @Test func aFireAndForgetWarmsTheCache() async throws {
        try await withServer { server, address, source in
            try await onThread {
                let client = try WireClient.ready(address)
                client.request("test.v1.Test/Remember", on: 1, .fireAndForget, data: [8, 1])
            }
            var events = source.events.makeAsyncIterator()
            #expect(await events.next() == .asked("Remember"))
            try await onThread {
                var client = try WireClient.ready(address)
                client.request("test.v1.Test/Remember", on: 1, data: [8, 1])
                #expect(try client.line() == "1 PAYLOAD \u{8}\u{1}")
            }
        }
    }

    @Test func aRequestInTinyPiecesAndFragmentsIsUnderstood() async throws {
        try await withServer { _, address, _ in
            try await onThread {
                var client = try WireClient.ready(address)
                var metadata = MetadataWriter()
                metadata.route("test.v1.Test/Echo")
                var writer = FrameWriter()
                writer.request(
                    .response, on: 1, flags: .follows, metadata: Array(metadata.bytes.prefix(9)), data: [])
                writer.payload(on: 1, .follows, metadata: Array(metadata.bytes.dropFirst(9)), data: [10].span)
                writer.payload(on: 1, .next, metadata: nil, data: [1, 120].span)
                for byte in writer.bytes { client.send([byte]) }
                #expect(try client.line() == "1 PAYLOAD \n\u{1}x")
            }
        }
    }

    @Test func aLargeAnswerComesInFragmentsAndASmallOnePassesIt() async throws {
        try await withServer({ $0.limits.queuedBytesPerConnection = 70_000 }) { _, address, source in
            source.keep([8, 9], Answer(message: [UInt8](repeating: 65, count: 8 << 20), origin: .hit))
            source.keep([8, 8], Answer(message: [66], origin: .hit))
            try await onThread {
                var client = try WireClient.ready(address)
                client.request("test.v1.Test/Remember", on: 1, data: [8, 9])
                client.request("test.v1.Test/Remember", on: 3, data: [8, 8])
                var (order, large) = ([UInt32](), 0)
                while large < 8 << 20, let (frame, _) = try client.frame(),
                    case .payload(let payload) = frame.body
                {
                    #expect(payload.data.count <= 64 << 10)
                    if frame.streamID == 1 { large += payload.data.count }
                    if frame.flags.contains(.complete) { order.append(frame.streamID) }
                }
                #expect(large == 8 << 20)
                #expect(order == [3, 1])
            }
        }
    }

    @Test func manyRequestsInOneWriteAreAllAnswered() async throws {
        try await withServer { _, address, source in
            source.keep([8, 8], Answer(message: [66], origin: .hit))
            try await onThread {
                var client = try WireClient.ready(address)
                var metadata = MetadataWriter()
                metadata.route("test.v1.Test/Remember")
                client.send { writer in
                    for id in 0..<5000 {
                        writer.request(
                            .response, on: UInt32(id * 2 + 1), metadata: metadata.bytes, data: [8, 8])
                    }
                }
                for id in 0..<5000 { #expect(try client.line() == "\(id * 2 + 1) PAYLOAD B") }
            }
        }
    }

    @Test func failuresAreToldByCodeAndTheConnectionLives() async throws {
        try await withServer { server, address, _ in
            try await onThread {
                var client = try WireClient.ready(address)
                client.request("test.v1.Test/Fail", on: 1)
                #expect(try client.line() == "1 ERROR 201 NOT_FOUND: the upstream `fake` has no such thing")
                client.request("test.v1.Test/Ecco", on: 3)
                #expect(
                    try client.line()
                        == "3 ERROR 201 UNIMPLEMENTED: there is no method test.v1.Test/Ecco; the nearest is test.v1.Test/Echo"
                )
                client.request("test.v1.Test/Echo", on: 5, data: [0x0a, 5, 1])
                #expect(
                    try client.line()
                        == "5 ERROR 204 INVALID_ARGUMENT: the request is not a protobuf message of its type (byte 1)"
                )
                client.send { $0.request(.response, on: 7, metadata: [0xfe, 0, 0, 9], data: []) }
                #expect(
                    try client.line()
                        == "7 ERROR 204 INVALID_ARGUMENT: the metadata item at byte 0 is cut short")
                client.send { $0.request(.response, on: 9, metadata: nil, data: []) }
                #expect(
                    try client.line() == "9 ERROR 204 INVALID_ARGUMENT: the request's metadata has no route")
                client.request("test.v1.Test/Echo", on: 11, data: [8, 1])
                #expect(try client.line() == "11 PAYLOAD \u{8}\u{1}")
            }
            #expect(server.count("portico_calls_total", "INVALID_ARGUMENT") == 3)
            #expect(server.count("portico_calls_total", "NOT_FOUND") == 1)
        }
    }

    @Test func theResponseContextComesWhenAskedFor() async throws {
        try await withServer { _, address, _ in
            try await onThread {
                var client = try WireClient.ready(address)
                var context = CallContext()
                context.wantsResponseContext = true
                client.request("test.v1.Test/Echo", on: 1, data: [8, 1], context: context)
                let (frame, bytes) = try #require(try client.frame())
                guard case .payload(let payload) = frame.body else { throw WireError.badStreamID }
                let items = try RequestMetadata(try #require(payload.metadata), in: bytes.span)
                let response = try ResponseContext(try #require(items.context), in: bytes.span)
                #expect(response.source == .miss && response.skippedItems == 2 && response.encoding == "")
            }
        }
    }

    /// It need not be made by this server: whatever came with the answer is what goes out.
    @Test func aDeflatedFormThatIsAtHandIsSentAsItIs() async throws {
        try await withServer { _, address, source in
            let plain = [UInt8](repeating: 65, count: 5000)
            let mark = [UInt8](repeating: 1, count: 10)
            source.keep([8, 1], Answer(message: plain, deflated: .atHand(mark), origin: .hit))
            source.keep([8, 2], Answer(message: plain, deflated: .notWorthwhile, origin: .hit))
            try await onThread {
                var client = try WireClient.ready(address)
                var context = CallContext()
                context.acceptEncodings = ["deflate"]
                for (id, data, expected) in [(1, [8, 1], mark), (3, [8, 2], plain)]
                    as [(UInt32, [UInt8], [UInt8])]
                {
                    client.request("test.v1.Test/Echo", on: id, data: data, context: context)
                    let (frame, bytes) = try #require(try client.frame())
                    guard case .payload(let payload) = frame.body else { throw WireError.badStreamID }
                    #expect(Array(bytes[payload.data]) == expected)
                    #expect((payload.metadata == nil) == (expected == plain))
                }
                client.request("test.v1.Test/Echo", on: 5, data: [8, 1])
                #expect(try client.line().utf8.count == 5000 + "5 PAYLOAD ".utf8.count)
            }
        }
    }

    @Test func anAnswerIsDeflatedOnlyForThoseWhoAskAndOnlyIfItShrinks() async throws {
        try await withServer { _, address, source in
            let large = [UInt8](repeating: 65, count: 5000)
            source.keep([8, 1], Answer(message: large, origin: .hit))
            source.keep([8, 2], Answer(message: Array(large.prefix(1023)), origin: .hit))
            try await onThread {
                var client = try WireClient.ready(address)
                var context = CallContext()
                context.acceptEncodings = ["gzip", "deflate"]
                // Deflated in a task the first time, at hand the second.
                for id in [1, 7] as [UInt32] {
                    client.request("test.v1.Test/Echo", on: id, data: [8, 1], context: context)
                    let (frame, bytes) = try #require(try client.frame())
                    guard case .payload(let payload) = frame.body else { throw WireError.badStreamID }
                    let items = try RequestMetadata(try #require(payload.metadata), in: bytes.span)
                    #expect(
                        try ResponseContext(try #require(items.context), in: bytes.span).encoding == "deflate"
                    )
                    #expect(Deflate.decompress(Array(bytes[payload.data]), length: 5000) == large)
                }
                client.request("test.v1.Test/Echo", on: 3, data: [8, 2], context: context)
                #expect(try client.line().utf8.count == 1023 + "3 PAYLOAD ".utf8.count)
                client.request("test.v1.Test/Echo", on: 5, data: [8, 1])
                #expect(try client.line().utf8.count == 5000 + "5 PAYLOAD ".utf8.count)
            }
        }
    }
}
