/// What an upstream told about an answer, so that it can be asked whether the answer still holds (RFC 9110 section 8.8).
package struct Validators: Equatable, Sendable {
    package var entityTag: String?
    package var lastModified: String?

    package init(entityTag: String? = nil, lastModified: String? = nil) {
        self.entityTag = entityTag
        self.lastModified = lastModified
    }

    /// As they came; values that cannot be sent back as they are do not count.
    package init(_ response: HTTPResponse) {
        entityTag = response["ETag"].flatMap(Self.sendable)
        lastModified = response["Last-Modified"].flatMap(Self.sendable)
    }

    /// Nothing to ask with.
    package var isEmpty: Bool { entityTag == nil && lastModified == nil }

    /// For the request that asks. A tag is the stronger of the two, but both may be sent (RFC 9110 section 13.1.3).
    package var fields: [HTTPField] {
        [
            entityTag.map { HTTPField("If-None-Match", $0) },
            lastModified.map { HTTPField("If-Modified-Since", $0) },
        ].compactMap { $0 }
    }

    package var bytes: Int { (entityTag?.utf8.count ?? 0) + (lastModified?.utf8.count ?? 0) }

    private static let longest = 1024

    private static func sendable(_ value: String) -> String? {
        let isPlain = value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f }
        return isPlain && !value.isEmpty && value.utf8.count <= longest ? value : nil
    }
}
