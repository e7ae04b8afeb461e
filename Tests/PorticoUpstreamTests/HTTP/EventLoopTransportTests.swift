import PorticoEventLoop
import PorticoSchema
import Testing

@testable import PorticoUpstream

@Suite struct EventLoopTransportTests {
    private func request(
        _ server: LoopbackServer, path: String = "/", host: String = "127.0.0.1", limit: Int = 1000
    ) -> HTTPRequest {
        HTTPRequest(
            url: HTTPURL(scheme: .http, host: host, port: server.port, path: path), timeout: .seconds(600),
            bodyLimitBytes: limit)
    }

    /// So long that a connection is not given up meanwhile, however busy the machine is.
    private static let patient: ClientLimits = {
        var limits = ClientLimits()
        limits.idle = .seconds(3600)
        return limits
    }()

    private static let kept = [
        LoopbackServer.Step.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"), .keep,
    ]

    @Test func aConnectionIsUsedAgain() async throws {
        let server = LoopbackServer { _ in Self.kept }
        defer { server.stop() }
        let transport = try EventLoopTransport(limits: Self.patient)
        for _ in 0..<3 { #expect(try await transport.send(request(server)).body == Array("ok".utf8)) }
        #expect(server.requests.count == 3)
        #expect(server.connections == 1)
    }

    @Test(arguments: ["Connection: close", "Keep-Alive: timeout=1", "Keep-Alive: timeout=9, max=0"])
    func aConnectionThatThePeerWillCloseIsNotUsedAgain(field: String) async throws {
        let server = LoopbackServer { _ in
            [.write("HTTP/1.1 200 OK\r\n\(field)\r\nContent-Length: 2\r\n\r\nok"), .waitForPeerToLeave]
        }
        defer { server.stop() }
        let transport = try EventLoopTransport(limits: Self.patient)
        for _ in 0..<2 { _ = try await transport.send(request(server)) }
        #expect(server.connections == 2)
    }

    @Test func aReusedConnectionThatThePeerHasClosedIsAnErrorOfItsOwn() async throws {
        let server = LoopbackServer { $0 == "/second" ? [.reset] : Self.kept }
        defer { server.stop() }
        let transport = try EventLoopTransport(limits: Self.patient)
        _ = try await transport.send(request(server))
        await #expect(throws: TransportError.reusedConnectionClosed) {
            try await transport.send(request(server, path: "/second"))
        }
        await #expect(throws: TransportError.unreachable) {
            try await transport.send(request(server, path: "/second"))
        }
    }

    @Test func waitersAreServedWhenTheLimitIsReached() async throws {
        let server = LoopbackServer { _ in Self.kept }
        defer { server.stop() }
        var limits = Self.patient
        limits.connectionsPerOrigin = 1
        let transport = try EventLoopTransport(limits: limits)
        let bodies = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<50 { group.addTask { try await transport.send(self.request(server)).body } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(bodies.count == 50)
        #expect(server.connections == 1)
    }

    @Test func cancellingClosesTheConnectionAndServesTheNextInLine() async throws {
        let server = LoopbackServer { $0 == "/hang" ? [.waitForPeerToLeave] : Self.kept }
        defer { server.stop() }
        var limits = Self.patient
        limits.connectionsPerOrigin = 1
        let transport = try EventLoopTransport(limits: limits)
        let hanging = Task { try await transport.send(request(server, path: "/hang")) }
        while server.requests.isEmpty { await Task.yield() }
        let waiting = Task { try await transport.send(request(server)) }
        hanging.cancel()
        await #expect(throws: TransportError.cancelled) { try await hanging.value }
        #expect(try await waiting.value.status == 200)
        #expect(server.departures == 1)
    }

    @Test func aTaskStaysOnItsLoopWhichHasConnectionsOfItsOwn() async throws {
        let server = LoopbackServer { _ in Self.kept }
        defer { server.stop() }
        let transport = try EventLoopTransport(limits: Self.patient)
        for _ in 0..<2 {
            let loop = try EventLoop()
            try loop.start()
            for _ in 0..<2 {
                let hasStayed = try await Task(executorPreference: loop) {
                    _ = try await transport.send(request(server))
                    return EventLoop.current === loop
                }.value
                #expect(hasStayed)
            }
            // The server serves one connection at a time: the loop's ends with it.
            loop.stop()
            await loop.join()
        }
        #expect(server.connections == 2)
        #expect(server.requests.count == 4)
    }

    @Test func theEndOfALoopEndsItsExchangesOnConnectionsAndInLine() async throws {
        let server = LoopbackServer { _ in [.waitForPeerToLeave] }
        defer { server.stop() }
        var limits = Self.patient
        limits.connectionsPerOrigin = 1
        let transport = try EventLoopTransport(limits: limits)
        let loop = try EventLoop()
        try loop.start()
        let tasks = (0..<3).map { _ in
            Task(executorPreference: loop) { try await transport.send(request(server)) }
        }
        while server.requests.isEmpty { await Task.yield() }
        loop.stop()
        for task in tasks { await #expect(throws: TransportError.cancelled) { try await task.value } }
        await loop.join()
        #expect(server.connections == 1)
    }

    @Test func aTransportThatGoesClosesItsConnectionsOnEveryLoop() async throws {
        let server = LoopbackServer { _ in Self.kept }
        defer { server.stop() }
        let loop = try EventLoop()
        try loop.start()
        var transport: EventLoopTransport? = try EventLoopTransport(limits: Self.patient)
        if let transport {
            _ = try await Task(executorPreference: loop) { try await transport.send(request(server)) }.value
        }
        transport = nil
        while await handlers(of: loop) > 0 { await Task.yield() }
        loop.stop()
        await loop.join()
    }

    private func handlers(of loop: EventLoop) async -> Int {
        await withCheckedContinuation { continuation in
            loop.execute { continuation.resume(returning: $0.handlerCount) }
        }
    }

    @Test func aNameIsLookedUpAndAnUnknownOneIsUnreachable() async throws {
        let server = LoopbackServer { _ in Self.kept }
        defer { server.stop() }
        let transport = try EventLoopTransport(limits: Self.patient)
        #expect(try await transport.send(request(server, host: "localhost")).status == 200)
        await #expect(throws: TransportError.unreachable) {
            try await transport.send(request(server, host: "no-such-host.invalid"))
        }
    }

    @Test func aConnectionIsGivenUpWhenItsIdleTimeIsOver() async throws {
        let server = LoopbackServer { _ in Self.kept.dropLast() + [.waitForPeerToLeave] }
        defer { server.stop() }
        var limits = Self.patient
        limits.idle = .milliseconds(20)
        let transport = try EventLoopTransport(limits: limits)
        #expect(try await transport.send(request(server)).status == 200)
        while server.departures == 0 { await Task.yield() }
        #expect(try await transport.send(request(server)).status == 200)
        #expect(server.connections == 2)
    }

    /// The loop ends with the transport, and its connections with the loop.
    @Test func aTransportThatGoesClosesItsConnections() async throws {
        let server = LoopbackServer { _ in Self.kept.dropLast() + [.waitForPeerToLeave] }
        defer { server.stop() }
        #expect(try await EventLoopTransport(limits: Self.patient).send(request(server)).status == 200)
        while server.departures == 0 { await Task.yield() }
    }

    @Test func httpsIsNotItsBusiness() async throws {
        let url = HTTPURL(scheme: .https, host: "127.0.0.1", port: 1)
        let transport = try EventLoopTransport(limits: Self.patient)
        await #expect(throws: TransportError.unsendable) {
            try await transport.send(HTTPRequest(url: url, timeout: .seconds(1), bodyLimitBytes: 1))
        }
    }

    @Test func aBodyIsSentWhole() async throws {
        let server = LoopbackServer { _ in
            [.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"), .waitForPeerToLeave]
        }
        defer { server.stop() }
        var request = request(server)
        request.method = .post
        request.body = [UInt8](repeating: 97, count: 4 << 20)
        #expect(try await EventLoopTransport().send(request).status == 200)
        #expect(server.requests.first?.contains("Content-Length: \(4 << 20)\r\n") == true)
    }

    @Test func aPeerThatClosesWhileIdleIsNotAskedAgain() async throws {
        let server = LoopbackServer { _ in
            [.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")]
        }
        defer { server.stop() }
        let transport = try EventLoopTransport(limits: Self.patient)
        for _ in 0..<3 {
            do throws(TransportError) {
                #expect(try await transport.send(request(server)).status == 200)
            } catch {
                #expect(error == .reusedConnectionClosed)
            }
        }
    }
}
