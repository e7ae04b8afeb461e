internal import PorticoWire

/// Cuts XML (1.0, fifth edition) into elements and text, strictly and without what pictures need not have: an internal
/// subset, in which entities are declared, ends the reading.
struct MarkupScanner {
    struct Element: Equatable {
        let name: String
        /// As they are written, references not undone.
        let attributes: [String: String]
        /// `<g/>`
        let isEmpty: Bool

        var localName: String { MarkupScanner.localName(name) }
    }

    enum Token: Equatable {
        case start(Element)
        case end(name: String)
        case text(String)
    }

    private var cursor: Int

    init(_ start: Int) { cursor = start }

    static func localName(_ name: String) -> String {
        name.lastIndex(of: ":").map { String(name[name.index(after: $0)...]) } ?? name
    }

    func broken(_ part: ImageFault.Part) -> ImageFault { .broken(.svg, part, atByte: cursor) }

    /// Nil: the end. Comments, instructions and the document type are passed over.
    mutating func next(in bytes: Span<UInt8>) throws(ImageFault) -> Token? {
        while cursor < bytes.count {
            if bytes[cursor] != 0x3c {
                return .text(try text(upTo: "<", skipping: 0, orEnd: true, in: bytes))
            }
            if bytes.has("<!--", at: cursor) {
                _ = try text(upTo: "-->", skipping: 4, orEnd: false, in: bytes)
            } else if bytes.has("<![CDATA[", at: cursor) {
                return .text(try text(upTo: "]]>", skipping: 9, orEnd: false, in: bytes))
            } else if bytes.has("<?xml ", at: cursor) {
                let declaration = try text(upTo: "?>", skipping: 6, orEnd: false, in: bytes)
                guard Self.isPlain(declaration) else { throw broken(.activeContent) }
            } else if bytes.has("<!DOCTYPE", at: cursor) {
                guard try !text(upTo: ">", skipping: 9, orEnd: false, in: bytes).contains("[") else {
                    throw broken(.activeContent)
                }
            } else if bytes.has("</", at: cursor) {
                return .end(name: try endTag(in: bytes))
            } else {
                return .start(try startTag(in: bytes))
            }
        }
        return nil
    }

    /// In another encoding the same bytes could be other text for whoever shows it.
    private static func isPlain(_ declaration: String) -> Bool {
        let compact = declaration.lowercased().filter { !$0.isWhitespace && $0 != "'" && $0 != "\"" }
        return compact.split(separator: "encoding=", omittingEmptySubsequences: false).dropFirst().allSatisfy
        {
            $0.hasPrefix("utf-8") || $0.hasPrefix("us-ascii")
        }
    }

    /// What stands between here and `end`, which is passed too, unless it begins the next token.
    private mutating func text(
        upTo end: String, skipping count: Int, orEnd mayEnd: Bool, in bytes: Span<UInt8>
    ) throws(ImageFault) -> String {
        let start = cursor + count
        var offset = start
        while offset < bytes.count, !bytes.has(end, at: offset) { offset += 1 }
        guard offset < bytes.count || mayEnd else { throw .cutShort(.svg, atByte: bytes.count) }
        cursor = mayEnd ? offset : offset + end.utf8.count
        return Self.string(start..<offset, bytes)
    }

    private mutating func endTag(in bytes: Span<UInt8>) throws(ImageFault) -> String {
        cursor += 2
        let name = try name(in: bytes)
        skipSpace(in: bytes)
        try pass(">", in: bytes)
        return name
    }

    private mutating func startTag(in bytes: Span<UInt8>) throws(ImageFault) -> Element {
        cursor += 1
        let name = try name(in: bytes)
        var attributes: [String: String] = [:]
        while true {
            let hasSpace = skipSpace(in: bytes)
            if bytes.has("/>", at: cursor) {
                cursor += 2
                return Element(name: name, attributes: attributes, isEmpty: true)
            }
            if bytes.has(">", at: cursor) {
                cursor += 1
                return Element(name: name, attributes: attributes, isEmpty: false)
            }
            guard hasSpace else {
                throw cursor < bytes.count ? broken(.markup) : .cutShort(.svg, atByte: cursor)
            }
            let (attribute, value) = try attribute(in: bytes)
            guard attributes.updateValue(value, forKey: attribute) == nil else { throw broken(.markup) }
        }
    }

    private mutating func attribute(in bytes: Span<UInt8>) throws(ImageFault) -> (String, String) {
        let name = try name(in: bytes)
        skipSpace(in: bytes)
        try pass("=", in: bytes)
        skipSpace(in: bytes)
        guard bytes.has("\"", at: cursor) || bytes.has("'", at: cursor) else { throw broken(.markup) }
        let quote = bytes[cursor] == 0x22 ? "\"" : "'"
        let value = try text(upTo: quote, skipping: 1, orEnd: false, in: bytes)
        guard !value.contains("<") else { throw broken(.markup) }
        return (name, value)
    }

    private mutating func name(in bytes: Span<UInt8>) throws(ImageFault) -> String {
        let start = cursor
        while cursor < bytes.count, Self.isName(bytes[cursor]) { cursor += 1 }
        guard cursor < bytes.count else { throw .cutShort(.svg, atByte: cursor) }
        guard cursor > start else { throw broken(.markup) }
        return Self.string(start..<cursor, bytes)
    }

    private mutating func pass(_ text: String, in bytes: Span<UInt8>) throws(ImageFault) {
        guard cursor < bytes.count else { throw .cutShort(.svg, atByte: cursor) }
        guard bytes.has(text, at: cursor) else { throw broken(.markup) }
        cursor += text.utf8.count
    }

    @discardableResult
    private mutating func skipSpace(in bytes: Span<UInt8>) -> Bool {
        let start = cursor
        while cursor < bytes.count, [0x20, 0x09, 0x0a, 0x0d].contains(bytes[cursor]) { cursor += 1 }
        return cursor > start
    }

    private static func isName(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x3a, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f, 0x80...: true
        default: false
        }
    }

    private static func string(_ range: Range<Int>, _ bytes: Span<UInt8>) -> String {
        String(decoding: Array(copying: bytes.extracting(range)), as: UTF8.self)
    }
}
