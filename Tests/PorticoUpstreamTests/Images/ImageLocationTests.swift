import PorticoUpstream
import Testing

/// What a client, or an upstream's answer, may name, and what it may not. The base has the port of its scheme.
@Suite struct ImageLocationTests {
    private let base = UpstreamBase("https://pictures.example/photos/")!

    @Test(
        arguments: [
            ("https://pictures.example/photos/a.png", "a.png", nil),
            ("HTTPS://Pictures.EXAMPLE:443/photos/a/b.jpg", "a/b.jpg", nil),
            ("https://pictures.example/photos/a%20b.png?w=1&h=2", "a%20b.png", "w=1&h=2"),
            ("https://pictures.example/photos/%C3%A4.png", "%C3%A4.png", nil),
            (
                "https://pictures.example/photos/a?url=http://evil.example/..", "a",
                "url=http://evil.example/.."
            ),
        ] as [(String, String, String?)])
    func aURLBelowTheBaseIsFound(url: String, path: String, query: String?) throws {
        let found = try ImageLocation.find(url, under: base)
        #expect(found.path == path)
        #expect(found.query == query)
    }

    @Test(arguments: [
        // another origin
        "http://pictures.example/photos/a", "https://pictures.example:444/photos/a",
        "https://evil.example/photos/a",
        "https://pictures.example.evil.example/photos/a", "https://evil-pictures.example/photos/a",
        "https://pictures.example./photos/a", "https://127.0.0.1/photos/a", "https://2130706433/photos/a",
        "https://[::1]/photos/a", "https://[::ffff:7f00:1]/photos/a", "https://0x7f.0.0.1/photos/a",
        // user information
        "https://pictures.example@evil.example/photos/a",
        "https://pictures.example:443@evil.example/photos/a",
        "https://evil.example@pictures.example/photos/a", "https://a:b@pictures.example/photos/a",
        "https://pictures.example%40evil.example/photos/a", "https://@pictures.example/photos/a",
        // above or beside the base
        "https://pictures.example/photo", "https://pictures.example/photos",
        "https://pictures.example/photosx/a",
        "https://pictures.example/photos/../a", "https://pictures.example/photos/./a",
        "https://pictures.example/photos/a/..", "https://pictures.example/a/../photos/b",
        "https://pictures.example/photos/%2e%2e/a", "https://pictures.example/photos/.%2E/a",
        "https://pictures.example/photos/..%2fa", "https://pictures.example/photos/a%2fb",
        "https://pictures.example/photos/a%5cb", "https://pictures.example/photos//a",
        "https://pictures.example//photos/a", "https://pictures.example/photos/a%00.png",
        "https://pictures.example/photos/..;/a", "https://pictures.example/Photos/a",
        "https://pictures.example/photos/%252e%252e/a", "https://pictures.example/photos/a%252fb",
    ])
    func aURLElsewhereIsRefused(url: String) {
        #expect(throws: ImageLocation.Refusal.self) { try ImageLocation.find(url, under: base) }
    }

    @Test(arguments: [
        "a.png", "/photos/a.png", "//pictures.example/photos/a", "https:/pictures.example/photos/a",
        "https:pictures.example/photos/a", "https:\\\\pictures.example\\photos\\a",
        "https://pictures.example\\@evil.example/photos/a", "https://pictures.example/photos/a b",
        "https://pictures.example/photos/a#b", "https://pictures.example/photos/a\r\nHost: evil.example",
        "https://pictures.example/photos/\u{e4}", "https://pictures\u{3002}example/photos/a",
        "https://pictures.example/photos/%zz", "https://pictures.example/photos/%a",
        " https://pictures.example/photos/a",
        "https://pictures.example:/photos/a", "https://pictures.example:0/photos/a",
        "https://pictures.example:65536/photos/a", "https://pictures.example:443x/photos/a",
        "https:///photos/a",
        "https://", "ftp://pictures.example/photos/a", "file:///photos/a", "javascript:alert(1)",
        "data:image/png;base64,AA", "view-source:https://pictures.example/photos/a",
        "https://pictures.example?/photos/a", "https://[pictures.example]/photos/a",
        "https://%70ictures.example/photos/a",
        "https://pictures.example\t/photos/a", "https://pic\u{ad}tures.example/photos/a",
    ])
    func whatIsDoubtfulIsNoURL(url: String) {
        #expect(throws: ImageLocation.Refusal.self) { try ImageLocation.find(url, under: base) }
    }

    @Test func nothingIsNoPicture() {
        #expect(throws: ImageLocation.Refusal.empty) { try ImageLocation.find("", under: base) }
    }

    @Test(arguments: [
        "https://evil.example/photos/a", "http://pictures.example/photos/a", "../a",
        "//evil.example/photos/a",
        "https://pictures.example@evil.example/photos/a", "/other/a",
        "https://pictures.example/photos/%2e%2e/a",
    ])
    func aRedirectOutOfTheBaseIsNotFollowed(location: String) throws {
        var redirection = Redirection(within: base)
        let url = try #require(HTTPURL("https://pictures.example/photos/a"))
        #expect(throws: Redirection.Refusal.self) {
            try redirection.next(
                after: HTTPRequest(url: url, timeout: .seconds(1), bodyLimitBytes: 1),
                answered: HTTPResponse(status: 302, fields: [HTTPField("Location", location)]))
        }
    }
}
