/// Percent-encoding of text that becomes part of a URL (RFC 3986 section 2.1).
package enum PercentEncoding {
    /// Everything but RFC 3986's unreserved characters (section 2.3) is encoded, slashes too.
    package static func encode(_ text: some StringProtocol) -> String {
        // Most text is a number or a word, and stays as it is.
        if text.utf8.allSatisfy(isUnreserved) { return String(text) }
        var encoded: [UInt8] = []
        encoded.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if isUnreserved(byte) {
                encoded.append(byte)
            } else {
                encoded += [UInt8(ascii: "%"), hexDigit(byte >> 4), hexDigit(byte & 15)]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// Encodes each segment and keeps the slashes between them.
    package static func encodeSegments(_ path: some StringProtocol) -> String {
        path.split(separator: "/", omittingEmptySubsequences: false).map { encode($0) }.joined(separator: "/")
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}
