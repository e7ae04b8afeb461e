import PorticoConfig
import PorticoSchema
import PorticoServer
import PorticoUpstream
import PorticoWire
import Testing

@testable import PorticoClient

/// The client against the real server on a port of the system's choosing; only the upstreams are made up.
@Suite struct PorticoClientTests {
    /// `test.Service` with three methods, all of them `Text` to `Text`.
    private static let schema: Schema = {
        let place = SourceLocation(file: "test.proto", line: 1, column: 1)
        let field = FieldDescriptor(
            name: "text", jsonName: "text", number: 1, type: .string, cardinality: .implicit, location: place)
        let binding = MethodBinding.upstream(
            UpstreamBinding(base: "none", method: .get, path: PathTemplate(path: Template([]), query: [])))
        return Schema(
            messages: [MessageDescriptor(fullName: "test.Text", fields: [field], location: place)], enums: [],
            methods: ["Echo", "Fail", "Hang"].map { name in
                MethodDescriptor(
                    name: name, service: "test.Service", input: MessageID(0), output: MessageID(0),
                    binding: binding, location: place)
            }, fileDescriptorSet: [])
    }()

    /// Answers as the method's name says.
    private struct Source: AnswerSource {
        let schema: Schema

        let generation: UInt64 = 0

        func cachedAnswer(to method: MethodID, request: Span<UInt8>) -> Answer? { nil }

        func answer(to call: Call) async throws(CallError) -> Answer {
            switch schema[call.method].name {
            case "Echo":
                return Answer(
                    message: call.request, origin: .stale, age: .milliseconds(1500), skippedItems: 2)
            case "Hang":
                do { try await Task.sleep(for: .seconds(3600)) } catch {}
                throw CallError(.cancelled, "the waiting ended")
            default: throw CallError(.notFound, "nothing here: really")
            }
        }

        /// Tells three answers, the last one like the one before.
        func observe(
            _ call: Call, tell: @escaping @Sendable (Observed) -> Void
        ) throws(CallError) -> Observation {
            for (version, cursor) in [1, 2, 2].enumerated() {
                tell(
                    .answer(
                        ObservedAnswer(
                            message: call.request + [0x10, UInt8(cursor)], fetchedAt: .now, origin: .miss,
                            cursor: [UInt8(cursor)], version: UInt64(version + 1))))
            }
            return Observation {}
        }
    }

    private func withServer(
        _ change: (inout Configuration) -> Void = { _ in }, _ body: (String) async throws -> Void
    ) async throws {
        let schema = Self.schema
        var configuration = Configuration(environment: "Test")
        configuration.listen.address = "127.0.0.1:0"
        configuration.listen.loops = 1
        // A call may wait for the whole suite before its task runs.
        configuration.limits.callTimeout = .seconds(600)
        configuration.limits.longestCallTimeout = .seconds(600)
        change(&configuration)
        let server = Server(
            configuration: configuration, schema: schema, source: Source(schema: schema),
            log: Log(configuration.log, write: { _ in }))
        let address = try await server.start()
        try await body("\(address)")
        await server.stop()
    }

    private func text(_ length: Int) -> [UInt8] {
        var writer = ProtobufWriter()
        writer.stringField(1, String(repeating: "x", count: length))
        return writer.bytes
    }

    @Test(arguments: [1, 1000, 300_000]) func anAnswerComesWholeAndWithItsOrigin(length: Int) async throws {
        try await withServer { address in
            let client = try PorticoClient.connect(to: address)
            let reply = try await client.call("test.Service/Echo", request: text(length))
            #expect(reply.message == text(length))
            #expect(reply.origin == .stale)
            #expect(reply.age == .milliseconds(1500))
            #expect(reply.skippedItems == 2)
        }
    }

    @Test func aFailedCallKeepsTheServersCodeAndWords() async throws {
        try await withServer { address in
            let client = try PorticoClient.connect(to: address)
            await #expect(
                throws: PorticoClientError.failed(code: "NOT_FOUND", message: "nothing here: really")
            ) {
                try await client.call("test.Service/Fail", request: [])
            }
        }
    }

    @Test func manyCallsShareOneConnection() async throws {
        try await withServer { address in
            let client = try PorticoClient.connect(to: address)
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for length in 1...100 {
                    group.addTask { [text] in
                        try await client.call("test.Service/Echo", request: text(length)).message
                            == text(length)
                    }
                }
                for try await isRight in group { #expect(isRight) }
            }
        }
    }

    @Test func aDeadlineOfTheClientsIsTheServersToKeep() async throws {
        try await withServer { address in
            let client = try PorticoClient.connect(to: address)
            var options = CallOptions()
            options.timeout = .milliseconds(20)
            let error = await #expect(throws: PorticoClientError.self) {
                try await client.call("test.Service/Hang", request: [], options: options)
            }
            guard case .failed(let code, _) = error else {
                Issue.record("unexpected \(String(describing: error))")
                return
            }
            #expect(code == "DEADLINE_EXCEEDED")
        }
    }

    @Test func aCancelledTaskLeavesTheConnectionUsable() async throws {
        try await withServer { address in
            let client = try PorticoClient.connect(to: address)
            let hanging = Task { try await client.call("test.Service/Hang", request: []) }
            hanging.cancel()
            await #expect(throws: (any Error).self) { try await hanging.value }
            #expect(try await client.call("test.Service/Echo", request: [10, 1, 65]).message == [10, 1, 65])
        }
    }

    @Test func anObservationGivesTheCurrentAnswerAndEachDifferentOne() async throws {
        try await withServer { address in
            let client = try PorticoClient.connect(to: address)
            var answers = try client.observe("test.Service/Echo", request: [10, 1, 65]).makeAsyncIterator()
            let first = try #require(try await answers.next())
            let second = try #require(try await answers.next())
            #expect(first.message == [10, 1, 65, 0x10, 1] && second.message == [10, 1, 65, 0x10, 2])
            var options = CallOptions()
            options.resumeCursor = first.resumeCursor
            var later = try client.observe("test.Service/Echo", request: [10, 1, 65], options: options)
                .makeAsyncIterator()
            #expect(try await later.next()?.message == second.message)
        }
    }

    @Test func aWrongTokenIsTold() async throws {
        try await withServer({ $0.auth.tokens = [AccessToken("right")] }) { address in
            let wrong = try PorticoClient.connect(to: address, options: ConnectionOptions(token: "wrong"))
            await #expect(throws: PorticoClientError.self) {
                try await wrong.call("test.Service/Echo", request: [])
            }
            let right = try PorticoClient.connect(to: address, options: ConnectionOptions(token: "right"))
            #expect(try await right.call("test.Service/Echo", request: []).message == [])
        }
    }

    @Test func closingEndsCallsInFlightAndRefusesLaterOnes() async throws {
        try await withServer { address in
            let client = try PorticoClient.connect(to: address)
            let hanging = Task { try await client.call("test.Service/Hang", request: []) }
            _ = try await client.call("test.Service/Echo", request: [])
            client.close()
            await #expect(throws: PorticoClientError.self) { try await hanging.value }
            await #expect(throws: PorticoClientError.disconnected(reason: "closed by this client")) {
                try await client.call("test.Service/Echo", request: [])
            }
        }
    }

    @Test(arguments: ["", "127.0.0.1", "127.0.0.1:99999", "unix:", "a:b"])
    func whatIsNoAddressIsRefused(address: String) {
        #expect(throws: PorticoClientError.badAddress(address)) { try PorticoClient.connect(to: address) }
    }

    @Test func aServerThatHasGoneCannotBeReached() async throws {
        var gone = ""
        try await withServer { gone = $0 }
        let error = #expect(throws: PorticoClientError.self) { try PorticoClient.connect(to: gone) }
        #expect(error?.description.contains("refused") == true)
    }
}
