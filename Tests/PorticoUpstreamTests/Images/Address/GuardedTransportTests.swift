import PorticoUpstream
import Testing

@Suite struct GuardedTransportTests {
    private let inner = FakeTransport { _ in HTTPResponse(status: 200) }

    private func send(to url: String, _ names: [String: [String]]) async throws {
        let transport = GuardedTransport(inner) { host, _ in
            (names[host] ?? [host]).compactMap { NetworkAddress($0) }
        }
        let url = try #require(HTTPURL(url))
        _ = try await transport.send(HTTPRequest(url: url, timeout: .seconds(1), bodyLimitBytes: 1))
    }

    @Test func aPublicHostIsAsked() async throws {
        try await send(to: "https://pictures.example/a", ["pictures.example": ["1.2.3.4", "2a00::1"]])
        #expect(inner.targets == ["/a"])
    }

    @Test(arguments: [
        ("https://inside.example/a", ["10.0.0.1"]), ("https://inside.example/a", ["1.2.3.4", "fe80::1"]),
        ("http://127.0.0.1/a", ["127.0.0.1"]), ("http://[::1]/a", ["::1"]),
        ("http://metadata.example/a", ["169.254.169.254"]),
    ])
    func aHostInsideIsNot(url: String, addresses: [String]) async throws {
        let host = try #require(HTTPURL(url)).host
        await #expect(throws: TransportError.privateAddress) { try await send(to: url, [host: addresses]) }
        #expect(inner.targets == [])
    }

    /// As when a name server gives one address to whoever checks and another to whoever connects.
    @Test(arguments: ["localhost", "127.0.0.1"])
    func aNameThatChangesBehindTheCheckIsNotConnectedTo(host: String) async throws {
        let server = LoopbackServer { _ in [.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"), .keep] }
        defer { server.stop() }
        let inner = try EventLoopTransport()
        let transport = GuardedTransport(inner) { _, _ in [.v4(0x0102_0304)] }
        let url = HTTPURL(scheme: .http, host: host, port: server.port)
        let request = HTTPRequest(url: url, timeout: .seconds(60), bodyLimitBytes: 1)
        await #expect(throws: TransportError.privateAddress) { try await transport.send(request) }
        #expect(server.connections == 0)
        // Neither does a connection that others may have make a difference.
        #expect(try await inner.send(request).status == 200)
        await #expect(throws: TransportError.privateAddress) { try await transport.send(request) }
        #expect(server.requests.count == 1)
    }

    @Test func anUnknownHostIsUnreachable() async {
        await #expect(throws: TransportError.unreachable) {
            try await send(to: "https://none.example/", ["none.example": []])
        }
    }
}
