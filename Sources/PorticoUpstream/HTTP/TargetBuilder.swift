package import PorticoSchema

/// Fills a path template from a request message.
package struct TargetBuilder: Sendable {
    /// What a request cannot be turned into a URL for.
    package enum Fault: Error, Equatable, Sendable {
        case missing(field: String)
        /// The value would leave the template's path: dot segments, empty segments, encoded or backward slashes.
        case unsafePath(field: String)
    }

    /// Which field values may hold slashes.
    package enum Slashes: Sendable {
        /// Encoded like anything else.
        case encoded
        /// Kept in a field that is the whole rest of the path, as in `w{width}/{poster_path}`; a leading one is dropped.
        case keptInTrailingField
    }

    package let template: PathTemplate
    package let slashes: Slashes

    package init(_ template: PathTemplate, slashes: Slashes = .encoded) {
        self.template = template
        self.slashes = slashes
    }

    /// - Parameter value: the text of a request field; nil: unset.
    /// - Returns: path and query below the upstream's base, percent-encoded.
    package func fill(
        _ value: (_ field: String) -> String?
    ) throws(Fault) -> (path: String, query: String?) {
        var path = ""
        for (index, piece) in template.path.pieces.enumerated() {
            switch piece {
            case .literal(let text): path += text
            case .field(let name):
                guard let text = value(name) else { throw .missing(field: name) }
                path += try encoded(text, field: name, isTrailing: isTrailing(index, after: path))
            }
        }
        guard !Self.leavesItsPath(path) else {
            throw .unsafePath(field: template.path.fields.joined(separator: ", "))
        }
        let items = template.query.compactMap { item in Self.item(item, value) }
        return (path, items.isEmpty ? nil : items.joined(separator: "&"))
    }

    private func isTrailing(_ index: Int, after path: String) -> Bool {
        index == template.path.pieces.count - 1 && (path.isEmpty || path.hasSuffix("/"))
    }

    private func encoded(_ text: String, field: String, isTrailing: Bool) throws(Fault) -> String {
        switch slashes {
        case .keptInTrailingField where isTrailing:
            let rest = text.hasPrefix("/") ? text.dropFirst() : text[...]
            let lowered = rest.lowercased()
            let isTricky = ["%2f", "%5c", "%2e", "%00", "\\"].contains { lowered.contains($0) }
            let segments = rest.split(separator: "/", omittingEmptySubsequences: false)
            guard !isTricky, segments.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }) else {
                throw .unsafePath(field: field)
            }
            return PercentEncoding.encodeSegments(rest)
        case .keptInTrailingField, .encoded:
            return PercentEncoding.encode(text)
        }
    }

    /// A value of `..` stays as it is under percent-encoding, and would climb out of the base.
    private static func leavesItsPath(_ path: String) -> Bool {
        path.utf8.contains(UInt8(ascii: "."))
            && path.split(separator: "/").contains { $0 == "." || $0 == ".." }
    }

    /// `name=value`; nil: a field of it is unset.
    private static func item(_ item: PathTemplate.QueryItem, _ value: (String) -> String?) -> String? {
        var text = ""
        for piece in item.value.pieces {
            switch piece {
            case .literal(let literal): text += PercentEncoding.encode(literal)
            case .field(let name):
                guard let filled = value(name) else { return nil }
                text += PercentEncoding.encode(filled)
            }
        }
        return "\(PercentEncoding.encode(item.name))=\(text)"
    }
}
