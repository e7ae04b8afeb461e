import PorticoSchema
import PorticoTranscode

/// `HOST:PORT` or `unix:PATH`, taken apart only as far as a check needs it; names are resolved when they are used.
enum ListenAddress: Equatable {
    case host(String, port: Int)
    case unix(path: String)

    /// Nil: neither form. IPv6 addresses stand in brackets: `[::1]:7400`.
    init?(_ text: String) {
        if text.hasPrefix("unix:") {
            let path = text.dropFirst(5)
            // sockaddr_un holds 108 bytes, the closing zero among them (unix(7)).
            guard !path.isEmpty, path.utf8.count < 108, !path.utf8.contains(0) else { return nil }
            self = .unix(path: String(path))
            return
        }
        guard let colon = text.lastIndex(of: ":") else { return nil }
        let host = text[..<colon]
        let digits = text[text.index(after: colon)...]
        guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && $0.isNumber }), let port = Int(digits),
            port <= 65_535, Self.isHost(host)
        else { return nil }
        self = .host(String(host), port: port)
    }

    var isLoopback: Bool {
        switch self {
        case .host(let host, _):
            host == "localhost" || host == "[::1]" || (host.hasPrefix("127.") && Self.isIPv4(host))
        case .unix: false
        }
    }

    /// Whether two servers cannot both have it; port 0 is a new one each time.
    func collides(with other: ListenAddress) -> Bool {
        if case .host(_, port: 0) = self { return false }
        return self == other
    }

    private static func isIPv4(_ host: some StringProtocol) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
    }

    static func isHost(_ host: some StringProtocol) -> Bool {
        if host.hasPrefix("["), host.hasSuffix("]") {
            let inner = host.dropFirst().dropLast()
            return !inner.isEmpty && inner.allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
        }
        return !host.isEmpty && !host.hasPrefix("-")
            && host.allSatisfy {
                $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "." || $0 == "_")
            }
    }
}

extension ValueKind where Value == String {
    static let address = ValueKind(
        name: "HOST:PORT or unix:PATH", shape: .text(pattern: "^(unix:.+|.+:[0-9]+)$"),
        read: { raw throws(Refusal) in
            let text = try raw.text(expected: "HOST:PORT or unix:PATH")
            guard ListenAddress(text) != nil else {
                let hint = ListenAddress("127.0.0.1:\(text)").map { _ in "\"127.0.0.1:\(text)\"" }
                throw Refusal("\(raw.shown) is not HOST:PORT or unix:PATH\(raw.hint(hint))")
            }
            return text
        },
        show: { $0 })

    static let loopbackAddress = ValueKind(
        name: "HOST:PORT on a loopback address",
        shape: .text(pattern: "^(localhost|127\\.[0-9.]+|\\[::1\\]):[0-9]+$"),
        read: { raw throws(Refusal) in
            let text = try address.read(raw)
            guard ListenAddress(text)?.isLoopback == true else {
                let port = text.split(separator: ":").last.flatMap { Int($0) }
                throw Refusal(
                    "\(raw.shown) is not a loopback address; only this machine may reach it"
                        + raw.hint(port.map { "\"127.0.0.1:\($0)\"" }))
            }
            return text
        },
        show: { $0 })

    /// An absolute http or https URL, or `sandbox:NAME/`, that ends with a slash: paths are joined to its end.
    static let baseURL = ValueKind(
        name: "URL that ends with /", shape: .text(pattern: "^(https?://|sandbox:)[^?#]+/$"),
        read: { raw throws(Refusal) in
            let text = try raw.text(expected: "a URL")
            if let problem = BaseURL.problem(with: text) {
                // A password or a key may stand in it, meant for nobody's log.
                guard !text.contains(where: { $0 == "@" || $0 == "?" }) else {
                    throw Refusal("the URL \(problem.sentence)")
                }
                throw Refusal(
                    "\(raw.shown) \(problem.sentence)\(raw.hint(problem.repair.map { "\"\($0)\"" }))")
            }
            return text
        },
        show: { $0 })
}

enum BaseURL {
    static let schemes = ["http", "https", "sandbox"]

    /// Nil: none.
    static func problem(with text: String) -> (sentence: String, repair: String?)? {
        guard text.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value < 0x7f }) else {
            return ("is not a URL: it holds a space or a character that needs percent-encoding", nil)
        }
        guard let colon = text.firstIndex(of: ":") else {
            return ("is not a URL: it has no scheme", "https://\(text)\(text.hasSuffix("/") ? "" : "/")")
        }
        let scheme = String(text[..<colon])
        let rest = text[text.index(after: colon)...]
        guard schemes.contains(scheme) else {
            let nearest = Spelling.nearest(to: scheme, among: schemes)
            return (
                text.contains("@")
                    ? "has an unknown scheme; http, https and sandbox are known"
                    : "has the scheme `\(scheme)`; http, https and sandbox are known",
                nearest.map { "\($0):\(rest)" }
            )
        }
        if let index = text.firstIndex(where: { $0 == "?" || $0 == "#" }) {
            return ("must not hold `\(text[index])`; query items go into `query`", nil)
        }
        if scheme == "sandbox" { return sandboxProblem(text, rest: rest) }
        guard rest.hasPrefix("//") else { return ("is not a URL: // is missing", "\(scheme)://\(rest)") }
        let authority = rest.dropFirst(2).prefix { $0 != "/" }
        guard !authority.contains("@") else {
            return ("must not hold a user or password; use `headers`", nil)
        }
        guard isAuthority(authority) else { return ("is not a URL: its host or port is wrong", nil) }
        return pathProblem(text, rest.dropFirst(2 + authority.count))
    }

    /// The name of the sandbox's upstream: `tv` in `sandbox:tv/`. Nil: not a sandbox URL.
    static func sandboxName(_ text: String) -> String? {
        guard text.hasPrefix("sandbox:") else { return nil }
        return String(text.dropFirst(8).prefix { $0 != "/" })
    }

    private static func sandboxProblem(
        _ text: String, rest: Substring
    ) -> (sentence: String, repair: String?)? {
        if rest.hasPrefix("/") {
            return ("has slashes before the sandbox's name", "sandbox:\(rest.drop { $0 == "/" })")
        }
        guard !rest.isEmpty else { return ("names nothing in the sandbox", nil) }
        return pathProblem(text, rest)
    }

    private static func pathProblem(
        _ text: String, _ path: Substring
    ) -> (sentence: String, repair: String?)? {
        guard PlainPath.hasWholeEscapes(path) else { return ("has a % without two hexadecimal digits", nil) }
        guard PlainPath.isPlain(path) else {
            return ("has a path with empty or dot segments, or encoded slashes or dots", nil)
        }
        return text.hasSuffix("/") ? nil : ("does not end with a slash", "\(text)/")
    }

    private static func isAuthority(_ authority: Substring) -> Bool {
        let hasPort = authority.hasPrefix("[") ? !authority.hasSuffix("]") : authority.contains(":")
        guard hasPort else { return ListenAddress.isHost(authority) }
        guard case .host(_, let port) = ListenAddress(String(authority)) else { return false }
        return port > 0
    }
}
