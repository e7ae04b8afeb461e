internal import PorticoConfig
/// An absolute `http` or `https` URL, read strictly: what is at all doubtful is not a URL.
///
/// RFC 3986 without user information, fragments, raw non-ASCII, and empty hosts. Two servers that read a doubtful URL
/// differently are how a check is walked around, so nothing is repaired here.
package struct HTTPURL: Hashable, Sendable {
    package enum Scheme: String, Hashable, Sendable {
        case http, https
        /// The port that a URL without one means.
        package var defaultPort: Int {
            switch self {
            case .http: 80
            case .https: 443
            }
        }
    }
    package let scheme: Scheme
    /// Lower case; an IPv6 address stands in brackets.
    package let host: String
    package let port: Int
    /// Percent-encoded as it goes to the server; begins with a slash.
    package var path: String
    /// Percent-encoded, without the question mark.
    package var query: String?

    package init(scheme: Scheme, host: String, port: Int? = nil, path: String = "/", query: String? = nil) {
        self.scheme = scheme
        self.host = host.lowercased()
        self.port = port ?? scheme.defaultPort
        self.path = path
        self.query = query
    }

    /// Nil: not such a URL.
    package init?(_ text: String) {
        guard text.utf8.allSatisfy(Self.isAllowed), let mark = text.firstRange(of: "://"),
            let scheme = Scheme(rawValue: text[..<mark.lowerBound].lowercased())
        else { return nil }
        let rest = text[mark.upperBound...]
        let authorityEnd = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
        guard let (host, port) = Self.authority(rest[..<authorityEnd]) else { return nil }
        let target = rest[authorityEnd...]
        guard !target.contains("#"), PlainPath.hasWholeEscapes(target) else { return nil }
        let queryMark = target.firstIndex(of: "?") ?? target.endIndex
        let path = String(target[..<queryMark])
        self.init(
            scheme: scheme, host: host, port: port, path: path.isEmpty ? "/" : path,
            query: queryMark == target.endIndex ? nil : String(target[target.index(after: queryMark)...]))
    }

    /// As it is written in a request: the port only when it is not the scheme's own.
    package var text: String {
        let authority = port == scheme.defaultPort ? host : "\(host):\(port)"
        return "\(scheme.rawValue)://\(authority)\(path)" + (query.map { "?\($0)" } ?? "")
    }

    /// The URL that a `Location` field means here (RFC 3986 section 5.2); nil: unreadable.
    package func resolving(_ reference: String) -> HTTPURL? {
        let reference = String(reference.prefix { $0 != "#" })
        if reference.contains("://") && !reference.hasPrefix("/") && !reference.hasPrefix("?") {
            return HTTPURL(reference).map(\.withoutDotSegments)
        }
        if reference.hasPrefix("//") {
            return HTTPURL("\(scheme.rawValue):\(reference)").map(\.withoutDotSegments)
        }
        let origin = HTTPURL(scheme: scheme, host: host, port: port, path: "", query: nil).text
        if reference.hasPrefix("/") { return HTTPURL(origin + reference).map(\.withoutDotSegments) }
        if reference.hasPrefix("?") { return HTTPURL(origin + path + reference) }
        let folder = path[...(path.lastIndex(of: "/") ?? path.startIndex)]
        return HTTPURL(origin + folder + reference).map(\.withoutDotSegments)
    }

    /// Whether nothing in the path can be read as another path, not even by a server that decodes it twice or drops what
    /// follows a semicolon: no dot or empty segments, no encoded or backward slashes.
    package var hasPlainPath: Bool {
        PlainPath.isPlain(path)
    }

    private var withoutDotSegments: HTTPURL {
        var kept: [Substring] = []
        let segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            switch segment {
            case ".": if isLast { kept.append("") }
            case "..":
                _ = kept.popLast()
                if isLast { kept.append("") }
            default: kept.append(segment)
            }
        }
        var url = self
        url.path = "/" + kept.joined(separator: "/")
        return url
    }

    /// Host and port; nil for user information, an empty host or a port out of range.
    private static func authority(_ text: Substring) -> (String, Int?)? {
        guard !text.contains("@"), !text.contains("%"), !text.contains("\\") else { return nil }
        var host = text
        var port: Int?
        let colon = text.lastIndex(of: ":")
        if let colon, !text[colon...].contains("]") {
            let digits = text[text.index(after: colon)...]
            guard digits.count <= 5, digits.allSatisfy(\.isNumber), let number = Int(digits),
                (1...65535).contains(number)
            else { return nil }
            port = number
            host = text[..<colon]
        }
        guard !host.isEmpty else { return nil }
        if host.hasPrefix("[") {
            let inner = host.dropFirst().dropLast()
            guard host.hasSuffix("]"), !inner.isEmpty,
                inner.allSatisfy({ $0.isHexDigit || ":.".contains($0) })
            else { return nil }
            return (String(host), port)
        }
        guard host.allSatisfy({ $0.isLetter || $0.isNumber || "-._".contains($0) }) else { return nil }
        return (String(host), port)
    }

    /// Visible ASCII without the characters that RFC 3986 never allows unencoded.
    private static func isAllowed(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte < 0x7f && !"\"<>\\^`{|}".utf8.contains(byte)
    }
}
