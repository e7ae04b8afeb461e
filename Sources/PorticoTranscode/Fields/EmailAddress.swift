/// E-mail addresses as HTML's forms take them (html.spec.whatwg.org, "valid e-mail address"), no longer than can be
/// delivered to (RFC 5321 section 4.5.3.1).
///
///     a.b+c@example.org   yes       a@-b.org, a b@c, @b, a@b..c   no
package enum EmailAddress {
    private static let longest = 254
    private static let longestLocalPart = 64
    private static let longestLabel = 63

    package static func isOne(_ text: String) -> Bool {
        guard text.utf8.count <= longest else { return false }
        let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard parts.count == 2, (1...longestLocalPart).contains(parts[0].count) else { return false }
        return parts[0].allSatisfy(isLocal)
            && parts[1].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy(
                isLabel)
    }

    private static func isLabel(_ label: Substring.UTF8View) -> Bool {
        guard (1...longestLabel).contains(label.count), let first = label.first, let last = label.last else {
            return false
        }
        return isAlphanumeric(first) && isAlphanumeric(last)
            && label.allSatisfy { isAlphanumeric($0) || $0 == UInt8(ascii: "-") }
    }

    private static func isLocal(_ byte: UInt8) -> Bool {
        isAlphanumeric(byte) || ".!#$%&'*+/=?^_`{|}~-".utf8.contains(byte)
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
