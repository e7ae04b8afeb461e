import PorticoUpstream
import Testing

@Suite struct HTTPURLTests {
    @Test(arguments: [
        ("https://swapi.dev/api/", "https://swapi.dev/api/"),
        ("HTTP://Example.ORG:80/x?y=1", "http://example.org/x?y=1"),
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080/"), ("http://[::1]:99/a", "http://[::1]:99/a"),
        ("https://h?q", "https://h/?q"),
    ])
    func aURLIsReadAndWrittenBack(text: String, expected: String) {
        #expect(HTTPURL(text)?.text == expected)
    }

    @Test(arguments: [
        "", "swapi.dev/api", "ftp://h/", "http:/h", "http://", "http:///x", "http://user@h/", "http://u:p@h/",
        "http://h:0/", "http://h:70000/", "http://h:x/", "http://h:/", "http://h\\@evil/", "http://h/%zz",
        "http://h/%2",
        "http://h/a b", "http://h/ü", "http://h/a#b", "http://h%2eevil/", "http://[::1/", "javascript://h/",
        "http://h/\u{0}", "//h/a",
    ])
    func whatIsDoubtfulIsNotAURL(text: String) {
        #expect(HTTPURL(text) == nil)
    }

    @Test(arguments: [
        ("https://s3.example/photos/a.jpg", true), ("https://s3.example:443/photos/a.jpg", true),
        ("https://S3.EXAMPLE/photos/a/b.jpg?v=1", true), ("http://s3.example/photos/a.jpg", false),
        ("https://s3.example:8443/photos/a.jpg", false), ("https://s3.example.evil/photos/a.jpg", false),
        ("https://evil/photos/a.jpg", false), ("https://s3.example/photosx/a.jpg", false),
        ("https://s3.example/other", false), ("https://s3.example/photos/../secret", false),
        ("https://s3.example/photos/%2e%2e/secret", false), ("https://s3.example/photos/a%2Fb", false),
        ("https://s3.example/photos/a%5cb", false), ("https://s3.example/photos//b", false),
        ("https://s3.example/photos/./b", false), ("https://s3.example/photos/a%00.jpg", false),
    ])
    func onlyURLsUnderTheBaseAreContained(text: String, expected: Bool) throws {
        let base = try #require(UpstreamBase("https://s3.example/photos/"))
        #expect(HTTPURL(text).map(base.contains) == expected)
    }

    @Test(arguments: ["http://h/a?b=c", "sandbox:x/", "http://h/../", "http://h/a%2fb/"])
    func aBaseIsAPlainURLWithoutQuery(text: String) {
        #expect(UpstreamBase(text) == nil)
    }

    @Test func aBaseEndsWithASlash() {
        #expect(UpstreamBase("http://h/api")?.url.text == "http://h/api/")
    }

    /// RFC 3986 section 5.4, those examples that HTTP can meet.
    @Test(arguments: [
        ("http://g/x", "http://g/x"), ("//g/x", "http://g/x"), ("/g", "http://a/g"), ("g", "http://a/b/c/g"),
        ("./g", "http://a/b/c/g"), ("../g", "http://a/b/g"), ("../../../g", "http://a/g"),
        ("?y", "http://a/b/c/d?y"),
        ("g?y", "http://a/b/c/g?y"), ("g#s", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
        (".", "http://a/b/c/"),
        ("..", "http://a/b/"), ("http://g/a/../b", "http://g/b"),
    ])
    func aLocationIsResolvedAgainstTheRequest(reference: String, expected: String) throws {
        let url = try #require(HTTPURL("http://a/b/c/d?q"))
        #expect(url.resolving(reference)?.text == expected)
    }
}
