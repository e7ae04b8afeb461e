import Foundation
import PorticoConfig
import PorticoEventLoop
import PorticoTranscode
import Testing

@testable import PorticoServer

/// The folder this repository ships, as the four services' upstreams would be called.
@Suite struct ShippedSandboxTests {
    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Environments/Sandbox")

    private func withSandbox(_ body: (borrowing RawClient) throws -> Void) async throws {
        let loop = try EventLoop()
        try loop.start()
        let server = try await SandboxServer.start(
            serving: SandboxContent(readingFrom: Self.folder), configuration: Configuration.Sandbox(),
            loop: loop)
        let client = try RawClient(server.address)
        let result = Result { try body(client) }
        loop.stop()
        await loop.join()
        try result.get()
    }

    private static func json(_ client: borrowing RawClient, _ path: String) throws -> JSONValue {
        let response = client.get(path)
        let answer = try #require(response)
        #expect(answer.status == 200)
        return try DocumentReader.read(Array(answer.body.utf8), file: path).value
    }

    @Test func ninePagesHoldAllEightyTwoPeople() async throws {
        try await withSandbox { client in
            var colours: [String: Int] = [:]
            for page in 1...9 {
                let json = try Self.json(client, "/starwars/people/?page=\(page)")
                #expect(json["count"] == .number("82"))
                #expect((json["next"] == .null) == (page == 9))
                guard case .array(let people)? = json["results"] else { throw CancellationError() }
                for person in people { colours[person["eye_color"]?.plainText ?? "", default: 0] += 1 }
            }
            #expect(colours.values.reduce(0, +) == 82)
            #expect(colours["brown"] == 20)
            let pastTheEnd = client.get("/starwars/people/?page=10")?.status
            #expect(pastTheEnd == 404)
        }
    }

    private static let paths = [
        "/starwars/people/1/", "/staff/employees", "/staff/employee/1", "/staff-images/1.png",
        "/directory/employees.json", "/directory/employees_malformed.json", "/directory/employees_empty.json",
        "/directory-photos/bjorn/small.jpg", "/tv/trending/tv/day?api_key=k&page=1", "/tv/trending/tv/week",
        "/tv-images/w342/breaking-bad.jpg", "/tv-images/w342//breaking-bad.jpg",
        "/tv-images/w342/%2Fbreaking-bad.jpg",
    ]

    /// In one sandbox: reading the folder is most of the test's time.
    @Test func whatTheServicesAskForIsThere() async throws {
        try await withSandbox { client in
            for path in Self.paths {
                let status = client.get(path)?.status
                #expect(status == 200, "\(path)")
            }
        }
    }
}
