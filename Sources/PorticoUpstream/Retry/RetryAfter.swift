/// The `Retry-After` field (RFC 9110 section 10.2.3): seconds, or a date.
package enum RetryAfter {
    /// How long from now; nil: unreadable. A date in the past is no wait.
    package static func duration(_ text: String, secondsSince1970 now: Int64) -> Duration? {
        let trimmed = text.filter { $0 != " " && $0 != "\t" }
        if !trimmed.isEmpty, trimmed.allSatisfy(\.isASCIIDigit) {
            // More digits than fit are a very long wait all the same.
            return .seconds(min(Int64(trimmed) ?? maximumSeconds, maximumSeconds))
        }
        return HTTPDate.secondsSince1970(text).map { .seconds(min(max(0, $0 - now), maximumSeconds)) }
    }

    /// A year: far beyond every cap, and far from overflow.
    private static let maximumSeconds: Int64 = 365 * 86_400
}

extension Character {
    fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}
