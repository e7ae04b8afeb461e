/// The part of the web that belongs to one upstream: an origin and the path below which everything lies.
package struct UpstreamBase: Hashable, Sendable {
    /// Its path ends with a slash; it has no query.
    package let url: HTTPURL

    /// Nil: `text` is not an http or https URL with a plain path and without a query.
    package init?(_ text: String) {
        guard var url = HTTPURL(text), url.query == nil, url.hasPlainPath else { return nil }
        if !url.path.hasSuffix("/") { url.path += "/" }
        self.url = url
    }

    /// Whether scheme, host and port are equal and the path lies below, without a trick in it.
    package func contains(_ other: HTTPURL) -> Bool {
        other.scheme == url.scheme && other.host == url.host && other.port == url.port && other.hasPlainPath
            && other.path.hasPrefix(url.path)
    }

    /// - Parameter path: percent-encoded, without a leading slash.
    package func appending(path: String, query: String?) -> HTTPURL {
        var whole = url
        whole.path += path
        whole.query = query
        return whole
    }
}
