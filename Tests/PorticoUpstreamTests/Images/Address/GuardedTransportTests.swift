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

    @Test func anUnknownHostIsUnreachable() async {
        await #expect(throws: TransportError.unreachable) {
            try await send(to: "https://none.example/", ["none.example": []])
        }
    }
}
