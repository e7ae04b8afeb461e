/// Where a picture named by a whole URL lies below its upstream's base.
package enum ImageLocation {
    package enum Refusal: Error, Equatable, Sendable {
        /// There is no picture, which is no fault.
        case empty
        case notAURL
        case outside

        package var reason: String {
            switch self {
            case .empty: "there is no picture"
            case .notAURL: "the picture's address is not a URL"
            case .outside: "the picture's address is not one that pictures are fetched from"
            }
        }
    }

    /// - Returns: path and query below `base`.
    package static func find(
        _ text: String, under base: UpstreamBase
    ) throws(Refusal) -> (path: String, query: String?) {
        guard !text.isEmpty else { throw .empty }
        guard let url = HTTPURL(text) else { throw .notAURL }
        guard base.contains(url) else { throw .outside }
        return (String(url.path.dropFirst(base.url.path.count)), url.query)
    }
}
