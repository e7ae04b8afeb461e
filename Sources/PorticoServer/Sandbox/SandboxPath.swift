/// A route's path: segments, each a text with at most one `{name}` in it.
struct SandboxPath: Sendable, Equatable {
    struct Segment: Sendable, Equatable {
        var prefix: String
        var parameter: String?
        var suffix: String
    }
    let segments: [Segment]

    /// - Returns: nil when braces do not pair up, a name is empty or used twice, or a segment has two of them.
    init?(_ text: String) {
        var segments: [Segment] = []
        for part in text.split(separator: "/") {
            guard let segment = Self.segment(part) else { return nil }
            segments.append(segment)
        }
        let names = segments.compactMap(\.parameter)
        guard Set(names).count == names.count else { return nil }
        self.segments = segments
    }

    var parameters: [String] { segments.compactMap(\.parameter) }

    /// - Returns: the parameters' values, none of them empty; nil: the path is another one.
    func match(_ path: ArraySlice<String>) -> [String: String]? {
        guard path.count == segments.count else { return nil }
        var values: [String: String] = [:]
        for (segment, text) in zip(segments, path) {
            guard let name = segment.parameter else {
                guard text == segment.prefix else { return nil }
                continue
            }
            let fixed = segment.prefix.utf8.count + segment.suffix.utf8.count
            guard text.utf8.count > fixed, text.hasPrefix(segment.prefix), text.hasSuffix(segment.suffix)
            else {
                return nil
            }
            values[name] = String(text.dropFirst(segment.prefix.count).dropLast(segment.suffix.count))
        }
        return values
    }

    private static func segment(_ text: Substring) -> Segment? {
        guard let open = text.firstIndex(of: "{") else {
            return text.contains("}") ? nil : Segment(prefix: String(text), parameter: nil, suffix: "")
        }
        guard let close = text.firstIndex(of: "}"), open < close else { return nil }
        let name = text[text.index(after: open)..<close]
        let suffix = text[text.index(after: close)...]
        guard !name.isEmpty, !name.contains("{"), !suffix.contains(where: { "{}".contains($0) }) else {
            return nil
        }
        return Segment(prefix: String(text[..<open]), parameter: String(name), suffix: String(suffix))
    }
}
