/// Paths that mean the same to everybody who reads them: no dot segments, no empty ones, and nothing encoded that could
/// become either, or a separator.
package enum PlainPath {
    private static let tricks = ["%2f", "%5c", "%2e", "%00", "%252f", "%255c", "%252e", "\\", "//"]

    /// - Parameter path: percent-encoded.
    package static func isPlain(_ path: some StringProtocol) -> Bool {
        let lowered = path.lowercased()
        guard !tricks.contains(where: { lowered.contains($0) }) else { return false }
        return !path.split(separator: "/").contains { segment in
            let name = segment.prefix { $0 != ";" }
            return name == "." || name == ".."
        }
    }

    /// Each `%` begins two hexadecimal digits.
    package static func hasWholeEscapes(_ path: some StringProtocol) -> Bool {
        path.split(separator: "%", omittingEmptySubsequences: false).dropFirst().allSatisfy {
            $0.utf8.prefix(2).count { UnicodeScalar($0).properties.isASCIIHexDigit } == 2
        }
    }
}
