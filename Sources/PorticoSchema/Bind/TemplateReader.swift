/// Reads texts with places to fill: `people/{id}/`, `{key} ({count})`.
///
///     "w{width}/x"   →   literal "w", field "width", literal "/x"
enum TemplateReader {
    /// - Returns: nil when braces do not pair.
    static func template(_ text: Substring) -> Template? {
        var pieces: [Template.Piece] = []
        var rest = text
        while !rest.isEmpty {
            let literal = rest.prefix { $0 != "{" && $0 != "}" }
            if !literal.isEmpty { pieces.append(.literal(String(literal))) }
            rest = rest.dropFirst(literal.count)
            guard !rest.isEmpty else { break }
            guard rest.first == "{", let close = rest.firstIndex(of: "}") else { return nil }
            let name = rest[rest.index(after: rest.startIndex)..<close]
            guard !name.isEmpty, !name.contains("{") else { return nil }
            pieces.append(.field(String(name)))
            rest = rest[rest.index(after: close)...]
        }
        return Template(pieces)
    }

    /// `people/?page={page}&sort=name`: the path up to the first `?`, then items with `&` between them.
    static func path(_ text: String) -> PathTemplate? {
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard let path = template(parts[0]) else { return nil }
        var query: [PathTemplate.QueryItem] = []
        for item in parts.dropFirst().joined().split(separator: "&") {
            let sides = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard !sides[0].contains("{"), !sides[0].contains("}"),
                let value = template(sides.dropFirst().first ?? "")
            else { return nil }
            query.append(.init(name: String(sides[0]), value: value))
        }
        return PathTemplate(path: path, query: query)
    }
}

extension Template {
    /// The names in braces, in their order.
    package var fields: [String] {
        pieces.compactMap { piece in
            guard case .field(let name) = piece else { return nil }
            return name
        }
    }
}

extension PathTemplate {
    var fields: [String] { path.fields + query.flatMap(\.value.fields) }
}

extension Binder {
    /// A path below an upstream's base; nil after a fault.
    mutating func pathTemplate(_ text: Name, request: MessageID) -> PathTemplate? {
        if let reason = Self.unfit(text.text) {
            faults.add(text.location, reason)
            return nil
        }
        guard let template = TemplateReader.path(text.text) else {
            faults.add(
                text.location, "the braces in \"\(text.text)\" must enclose a field's name each: \"{page}\"")
            return nil
        }
        for name in template.fields {
            guard isURLField(Name(text: name, location: text.location), of: request) else { return nil }
        }
        return template
    }

    /// A field of the request, or one inside a message of it: `employee.uuid`. False after a fault.
    private mutating func isURLField(_ name: Name, of request: MessageID) -> Bool {
        if name.text.contains(".") { return path(name, from: request) != nil }
        let wanted = "a single number, bool, string or enum to stand in a URL"
        return field(name, of: request, wanted: wanted, where: \.isSingleValue) != nil
    }

    private static func unfit(_ path: String) -> String? {
        if path.hasPrefix("/") || path.contains("://") {
            return "a path continues the upstream's base URL: it has no host and does not begin with \"/\""
        }
        if path.split(separator: "?").first?.split(separator: "/").contains("..") == true {
            return "a path cannot lead out of the upstream's base URL with \"..\""
        }
        let isPlain = path.unicodeScalars.allSatisfy {
            (0x21...0x7e).contains($0.value) && $0 != "#" && $0 != "\\"
        }
        return isPlain ? nil : "a path is written in the characters of a URL, percent-encoded where needed"
    }
}
