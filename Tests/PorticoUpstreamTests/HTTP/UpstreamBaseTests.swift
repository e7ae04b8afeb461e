import PorticoUpstream
import Testing

@testable import PorticoConfig

@Suite struct UpstreamBaseTests {
    /// What the environment's checks let through can be built, so that a server that is "ready to start" starts.
    @Test(arguments: [
        "", "x", "%zz/", "%/", "%2/", "%41/", "a//b/", "./", "../", "a/../", "%2e%2e/", "%2E/", "a%2fb/",
        "a%5cb/", "..;x/",
        "a;b/", "~a/", "a:b/", "%00/", "%252e/", "\\/", "a b/", "é/", "-/", "a/b/c/",
    ])
    func theChecksAndTheClientAgreeOnPaths(path: String) {
        let text = "https://h.example/\(path)"
        let isChecked = BaseURL.problem(with: text.hasSuffix("/") ? text : "\(text)/") == nil
        #expect(isChecked == (UpstreamBase(text) != nil))
        let inSandbox = BaseURL.problem(with: "sandbox:tv/\(path)\(text.hasSuffix("/") ? "" : "/")") == nil
        #expect(inSandbox == isChecked)
    }
}
