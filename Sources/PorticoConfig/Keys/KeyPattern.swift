/// A key's path, in which names that the files choose are open: `upstreams.NAME.timeout`.
struct KeyPattern: Sendable, Equatable {
    enum Segment: Sendable, Equatable {
        case fixed(String)
        case open(NameKind)
    }

    let segments: [Segment]

    /// - Parameter text: capitals stand for open names, one of ``NameKind``'s: `decode.methods.ROUTE`.
    init(_ text: String) {
        segments = text.split(separator: ".").map { part in
            NameKind(rawValue: String(part)).map(Segment.open) ?? .fixed(String(part))
        }
    }

    /// As the documentation writes it.
    var text: String {
        segments.map { segment in
            switch segment {
            case .fixed(let name): name
            case .open(let kind): kind.rawValue
            }
        }.joined(separator: ".")
    }

    /// The key for names in place of the open segments.
    func key(_ names: [String]) -> String {
        var names = names[...]
        return segments.map { segment in
            switch segment {
            case .fixed(let name): name
            case .open(let kind): names.popFirst() ?? kind.rawValue
            }
        }.joined(separator: ".")
    }

    /// The names in a key that has this pattern, nil for any other key. Open names may hold dots (routes do): the
    /// fixed segments around them decide.
    func names(in key: String) -> [String]? {
        let parts = key.split(separator: ".", omittingEmptySubsequences: false)
        return Self.match(segments[...], parts[...])
    }

    private static func match(_ segments: ArraySlice<Segment>, _ parts: ArraySlice<Substring>) -> [String]? {
        guard let segment = segments.first else { return parts.isEmpty ? [] : nil }
        switch segment {
        case .fixed(let name):
            return parts.first.map(String.init) == name ? match(segments.dropFirst(), parts.dropFirst()) : nil
        case .open:
            // The shortest name that leaves a match; bounded by the parts, and at most two segments are open.
            for count in stride(from: 1, through: parts.count, by: 1) {
                guard let rest = match(segments.dropFirst(), parts.dropFirst(count)) else { continue }
                return [parts.prefix(count).joined(separator: ".")] + rest
            }
            return nil
        }
    }

    /// The environment variable of a key: `PORTICO_`, then its segments in capitals, words parted by `_`.
    func variable(_ names: [String]) -> String {
        var names = names[...]
        let words = segments.map { segment in
            switch segment {
            case .fixed(let name): Self.words(name)
            case .open(let kind): names.popFirst().map(Self.words) ?? kind.rawValue
            }
        }
        return "PORTICO_\(words.joined(separator: "_"))"
    }

    /// `frameBytes` → `FRAME_BYTES`, `baseURL` → `BASE_URL`, `staff-images` → `STAFF_IMAGES`: a new word begins at a
    /// capital behind a small letter or digit; whatever is no letter or digit becomes `_`.
    static func words(_ name: String) -> String {
        var words = ""
        var wasLow = false
        for scalar in name.unicodeScalars {
            let isCapital = ("A"..."Z").contains(scalar)
            let isLow = ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar)
            if isCapital, wasLow { words.append("_") }
            wasLow = isLow
            words.unicodeScalars.append(isCapital || isLow ? scalar : "_")
        }
        return words.uppercased()
    }
}

/// What an open segment of a key holds; the raw value stands for it in patterns and in the documentation.
enum NameKind: String, Sendable {
    /// An upstream's name, as schemas use it.
    case upstream = "NAME"
    /// `package.Service/Method`
    case route = "ROUTE"
    case flag = "FLAG"
    /// The name of a query item.
    case queryItem = "ITEM"
    /// The name of a header field.
    case header = "FIELD"

    /// Nil: the name is one; else what it should be.
    func problem(with name: String) -> String? {
        switch self {
        case .upstream:
            Self.isWord(name, besides: "-_") ? nil : "an upstream's name holds letters, digits, - and _ only"
        case .route:
            Self.isRoute(name) ? nil : "a method is named package.Service/Method"
        case .flag:
            Self.isWord(name, besides: "-_.") ? nil : "a flag's name holds letters, digits, -, _ and . only"
        case .queryItem:
            name.isEmpty ? "a query item needs a name" : nil
        case .header:
            // token, RFC 9110 §5.6.2
            Self.isWord(name, besides: "!#$%&'*+-.^_`|~") ? nil : "this is not the name of a header field"
        }
    }

    private static func isRoute(_ name: String) -> Bool {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count == 2 && isWord(parts[0], besides: "_.") && isWord(parts[1], besides: "_")
    }

    private static func isWord(_ text: some StringProtocol, besides others: String) -> Bool {
        !text.isEmpty
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || others.contains($0)) }
    }
}
