internal import PorticoWire

/// SVG (W3C SVG 2), as far as it is a picture: well-formed elements in an `svg`, without anything that runs, listens or
/// looks elsewhere (``SVGRules``). Its size is that of the attributes `width` and `height` in pixels, else of the `viewBox`,
/// else 300 by 150, which browsers take.
package enum SVGStructure {
    private static let preambleLimitBytes = 4096
    private static let depthLimit = 256

    /// Whether an `svg` element begins it, behind white space, a declaration and comments.
    static func isSignature(_ bytes: Span<UInt8>) -> Bool {
        var start = bytes.has("\u{feff}", at: 0) ? 3 : 0
        while start < bytes.count, [0x20, 0x09, 0x0a, 0x0d].contains(bytes[start]) { start += 1 }
        if bytes.has("<svg", at: start) { return true }
        guard bytes.has("<?xml", at: start) || bytes.has("<!", at: start) else { return false }
        let end = min(bytes.count, start + preambleLimitBytes)
        for offset in start..<end where bytes.has("<svg", at: offset) { return true }
        return false
    }

    static func facts(_ bytes: Span<UInt8>) throws(ImageFault) -> ImageFacts {
        guard String(validating: Array(copying: bytes), as: UTF8.self) != nil else {
            throw .broken(.svg, .markup, atByte: 0)
        }
        var scanner = MarkupScanner(bytes.has("\u{feff}", at: 0) ? 3 : 0)
        var open: [String] = []
        var facts: ImageFacts?
        var style = ""
        while let token = try scanner.next(in: bytes) {
            switch token {
            case .start(let element):
                guard open.count < depthLimit else { throw scanner.broken(.nesting) }
                guard !open.isEmpty || (facts == nil && element.localName == "svg") else {
                    throw scanner.broken(.order)
                }
                guard SVGRules.allow(element, in: open.last) else { throw scanner.broken(.activeContent) }
                if facts == nil { facts = size(of: element) }
                if !element.isEmpty { open.append(element.name) }
            case .end(let name):
                guard open.popLast() == name else { throw scanner.broken(.order) }
            case .text(let text):
                guard !open.isEmpty || text.allSatisfy(\.isWhitespace) else { throw scanner.broken(.markup) }
                // Comments and sections cut it, and whoever reads it joins it again.
                if SVGRules.isStyle(open.last) { style += text }
            }
        }
        guard SVGRules.allow(style: style) else { throw scanner.broken(.activeContent) }
        guard let facts, open.isEmpty else { throw .cutShort(.svg, atByte: bytes.count) }
        return facts
    }

    private static func size(of element: MarkupScanner.Element) -> ImageFacts {
        let box = (element.attributes["viewBox"] ?? "").split { $0 == " " || $0 == "," }.compactMap {
            Double($0)
        }
        let isWhole = box.count == 4
        return ImageFacts(
            format: .svg,
            width: pixels(element.attributes["width"]) ?? (isWhole ? pixels("\(box[2])") : nil) ?? 300,
            height: pixels(element.attributes["height"]) ?? (isWhole ? pixels("\(box[3])") : nil) ?? 150)
    }

    /// Nil: absent, or in another unit.
    private static func pixels(_ text: String?) -> Int? {
        guard let text, let number = Double(text.hasSuffix("px") ? String(text.dropLast(2)) : text),
            number.isFinite, number >= 0, number < 1e9
        else { return nil }
        return Int(number.rounded(.up))
    }
}

/// What an SVG may hold that is shown to somebody who has not written it.
enum SVGRules {
    private static let refusedElements: Set<String> = [
        "script", "foreignobject", "iframe", "object", "embed", "handler", "listener", "audio", "video",
    ]

    /// - Parameter parent: the element's around it; nothing stands in a style sheet but text.
    static func allow(_ element: MarkupScanner.Element, in parent: String?) -> Bool {
        guard !refusedElements.contains(element.localName.lowercased()), !isStyle(parent) else {
            return false
        }
        return element.attributes.allSatisfy { name, value in
            let local = MarkupScanner.localName(name).lowercased()
            if local.hasPrefix("on") { return false }
            if local == "href" || local == "src" || local == "base" { return isInside(value) }
            // An animation must not give another element what it could not have itself.
            if local == "attributename" { return MarkupScanner.localName(value).lowercased() != "href" }
            return name.hasPrefix("xmlns") ? isHarmless(namespace: value) : hasNoReference(value)
        }
    }

    /// - Parameter style: the text of all style sheets.
    static func allow(style: String) -> Bool { hasNoReference(style) }

    static func isStyle(_ element: String?) -> Bool {
        element.map { MarkupScanner.localName($0).lowercased() == "style" } ?? false
    }

    /// HTML's elements have ways of their own to look elsewhere: `srcset`, `meta`, forms.
    private static func isHarmless(namespace: String) -> Bool {
        !namespace.contains("&") && !namespace.lowercased().contains("xhtml")
    }

    private static func isInside(_ reference: String) -> Bool {
        if reference.isEmpty || reference.hasPrefix("#") { return true }
        return ["png", "jpeg", "gif", "webp"].contains { reference.hasPrefix("data:image/\($0);base64,") }
    }

    /// What style sheets and attributes name other places by, besides `url(…)`.
    private static let references = [
        "@import", "javascript:", "image-set(", "src(", "cross-fade(",
        // Escapes could hide them.
        "\\", "&#",
    ]

    private static func hasNoReference(_ text: String) -> Bool {
        let lowered = text.lowercased()
        guard !references.contains(where: { lowered.contains($0) }) else { return false }
        return lowered.split(separator: "url(", omittingEmptySubsequences: false).dropFirst().allSatisfy {
            $0.drop { $0 == " " || $0 == "\"" || $0 == "'" }.hasPrefix("#")
        }
    }
}
