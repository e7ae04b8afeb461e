/// A request, whole, its target taken apart.
package struct HTTPRequest: Equatable, Sendable {
    package struct Field: Equatable, Sendable {
        /// Lower case.
        package var name: String
        package var value: String
    }

    package struct QueryItem: Equatable, Sendable {
        package var name: String
        package var value: String
    }

    /// As sent: methods are case-sensitive.
    package var method: String
    /// As sent, percent-encoding included.
    package var target: String
    /// The target's path, decoded and split at its slashes, empty segments left out: `["people", "7"]`.
    package var segments: [String]
    /// Decoded, `+` as a space.
    package var query: [QueryItem]
    package var fields: [Field]
    package var body: [UInt8]
    /// Whether the peer expects the connection to stay open (RFC 9112 section 9.3).
    package var isKeptAlive: Bool

    /// The first field of that name, given in lower case.
    package subscript(field name: String) -> String? { fields.first { $0.name == name }?.value }
    package subscript(query name: String) -> String? { query.first { $0.name == name }?.value }
}

extension HTTPRequest {
    /// Takes a target in origin, absolute or asterisk form apart (RFC 9112 section 3.2).
    ///
    /// - Returns: nil when it is none of them, or its percent-encoding is broken or hides text that is not UTF-8.
    static func split(target: String) -> (segments: [String], query: [QueryItem])? {
        var rest = Substring(target)
        if rest == "*" { return ([], []) }
        if rest.lowercased().hasPrefix("http://") {
            rest = rest.dropFirst("http://".count).drop { $0 != "/" && $0 != "?" }
            if rest.isEmpty || rest.hasPrefix("?") { rest = "/" + rest }
        }
        guard rest.hasPrefix("/"), !rest.contains("#") else { return nil }
        let halves = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard let path = percentDecoded(halves[0], plusIsSpace: false) else { return nil }
        var query: [QueryItem] = []
        for item in halves.count == 2 ? halves[1].split(separator: "&") : [] {
            let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = percentDecoded(pair[0], plusIsSpace: true),
                let value = percentDecoded(pair.count == 2 ? pair[1] : "", plusIsSpace: true)
            else { return nil }
            query.append(QueryItem(name: name, value: value))
        }
        return (path.split(separator: "/").map(String.init), query)
    }

    private static func percentDecoded(_ text: Substring, plusIsSpace: Bool) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8.makeIterator()
        while let byte = rest.next() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = rest.next().flatMap(hexValue), let low = rest.next().flatMap(hexValue) else {
                    return nil
                }
                bytes.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func hexValue(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
