internal import PorticoSchema

/// Where an upstream may send a call on to: only within its own base, and not for long.
package struct Redirection: Sendable {
    package static let limit = 3

    package enum Refusal: Error, Equatable, Sendable {
        case tooMany
        /// No `Location`, or an unreadable one.
        case unreadable
        /// To another origin, or out of the base.
        case outside
        /// A call with a body, or one that must not be repeated, is not sent a second time.
        case notRepeatable

        package var sentence: String {
            switch self {
            case .tooMany: "redirected more than \(Redirection.limit) times"
            case .unreadable: "redirected to something that is not a URL"
            case .outside: "redirected to a place outside its base URL; such redirects are not followed"
            case .notRepeatable: "redirected a write; such redirects are not followed"
            }
        }
    }

    private let base: UpstreamBase
    private var followed = 0

    package init(within base: UpstreamBase) { self.base = base }

    /// Nil: the answer is no redirect.
    package mutating func next(
        after request: HTTPRequest, answered response: HTTPResponse
    ) throws(Refusal) -> HTTPRequest? {
        guard [301, 302, 303, 307, 308].contains(response.status) else { return nil }
        guard request.method == .get else { throw .notRepeatable }
        guard followed < Self.limit else { throw .tooMany }
        guard let location = response["Location"], let url = request.url.resolving(location) else {
            throw .unreadable
        }
        guard base.contains(url) else { throw .outside }
        followed += 1
        var next = request
        next.url = url
        return next
    }
}
