import PorticoSchema

/// Reads the JSON that people write, keeping the place of every name and value, and going on after a fault as long
/// as what follows can be trusted, so that one reading reports as many faults as it can.
///
/// RFC 8259; ``Syntax-swift.struct`` adds comments and trailing commas. A name that occurs twice in an object is a
/// fault. Nesting is bounded by ``maximumDepth`` and the number of faults by ``maximumFaults``.
package struct DocumentReader {
    /// What is allowed beyond RFC 8259.
    package struct Syntax: OptionSet, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        /// `// to the end of the line` and `/* … */`, which do not nest.
        package static let comments = Syntax(rawValue: 1)
        /// One comma behind the last member or element.
        package static let trailingCommas = Syntax(rawValue: 2)
        package static let strict: Syntax = []
        package static let relaxed: Syntax = [.comments, .trailingCommas]
    }

    package static let maximumDepth = 64
    package static let maximumFaults = 50

    var text: DocumentText
    let syntax: Syntax
    private var faults: [DocumentFault] = []
    private var depth = 0

    /// - Parameters:
    ///   - bytes: UTF-8, with or without a byte order mark.
    ///   - file: the name that locations carry.
    /// - Throws: every fault that could be found.
    package static func read(
        _ bytes: [UInt8], file: String, syntax: Syntax = .strict
    ) throws(DocumentFaults) -> JSONDocument {
        var reader = DocumentReader(text: DocumentText(bytes, file: file), syntax: syntax)
        let document: JSONDocument
        do {
            document = try reader.wholeDocument()
        } catch {
            throw DocumentFaults(faults: reader.faults)
        }
        guard reader.faults.isEmpty else { throw DocumentFaults(faults: reader.faults) }
        return document
    }

    private init(text: DocumentText, syntax: Syntax) {
        self.text = text
        self.syntax = syntax
    }

    /// Thrown once nothing that follows can be trusted; the reason is in ``faults``.
    private struct Lost: Error {}

    private mutating func report(_ location: SourceLocation, _ message: String) throws(Lost) {
        faults.append(DocumentFault(location, message))
        if faults.count >= Self.maximumFaults { throw Lost() }
    }

    private mutating func giveUp(_ location: SourceLocation, _ message: String) -> Lost {
        faults.append(DocumentFault(location, message))
        return Lost()
    }

    private mutating func wholeDocument() throws(Lost) -> JSONDocument {
        text.skipByteOrderMark()
        if let offset = text.firstMalformedOffset {
            throw giveUp(text.location(ofOffset: offset), "the file is not UTF-8 from here on")
        }
        try skipSpace()
        guard text.peek != nil else {
            throw giveUp(text.location, "the text is empty; it should hold one object: { … }")
        }
        let document = try value()
        try skipSpace()
        if text.peek != nil {
            try report(text.location, "nothing may follow the document's closing bracket")
        }
        return document
    }

    /// White space, and comments where they are allowed.
    private mutating func skipSpace() throws(Lost) {
        while true {
            text.skipWhiteSpace()
            guard text.peek == UInt8(ascii: "/") else { return }
            let start = text.location
            guard syntax.contains(.comments) else {
                throw giveUp(start, "comments are not allowed here")
            }
            switch text.skipComment() {
            case .skipped: continue
            case .notAComment: throw giveUp(start, "`/` begins no value; a comment is // … or /* … */")
            case .unterminated: throw giveUp(start, "this comment is never closed; expected */")
            }
        }
    }
}

// MARK: - Values

extension DocumentReader {
    private mutating func value() throws(Lost) -> JSONDocument {
        let start = text.location
        guard let byte = text.peek else { throw giveUp(start, "the file ends where a value should be") }
        let content: JSONDocument.Content
        switch byte {
        case UInt8(ascii: "{"):
            content = .object(try nested { (reader) throws(Lost) in try reader.members() })
        case UInt8(ascii: "["):
            content = .array(try nested { (reader) throws(Lost) in try reader.elements() })
        case UInt8(ascii: "\""):
            content = .string(try string())
        case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ","), UInt8(ascii: ":"):
            throw giveUp(start, "expected a value, found `\(Character(UnicodeScalar(byte)))`")
        default:
            content = try word()
        }
        return JSONDocument(location: start, content: content)
    }

    private mutating func nested<T>(
        _ body: (inout DocumentReader) throws(Lost) -> [T]
    ) throws(Lost) -> [T] {
        guard depth < Self.maximumDepth else {
            throw giveUp(text.location, "nested deeper than \(Self.maximumDepth) levels")
        }
        depth += 1
        text.advance()
        let contents = try body(&self)
        depth -= 1
        return contents
    }

    /// Everything up to the closing brace, which is taken too.
    private mutating func members() throws(Lost) -> [JSONDocument.Member] {
        var members: [JSONDocument.Member] = []
        var places: [String: SourceLocation] = [:]
        try skipSpace()
        while text.peek != UInt8(ascii: "}") {
            let member = try member()
            if let first = places[member.name] {
                try report(
                    member.nameLocation,
                    "`\(member.name)` occurs twice in this object; first at line \(first.line)")
            } else {
                places[member.name] = member.nameLocation
                members.append(member)
            }
            try separator(before: UInt8(ascii: "}"))
        }
        text.advance()
        return members
    }

    private mutating func member() throws(Lost) -> JSONDocument.Member {
        let start = text.location
        guard let byte = text.peek else { throw giveUp(start, "the file ends inside an object; expected }") }
        let name: String
        if byte == UInt8(ascii: "\"") {
            name = try string()
        } else if let bare = text.takeWord(), !bare.isEmpty {
            try report(start, "a name needs quotes: \"\(bare)\"")
            name = bare
        } else {
            let found = Character(UnicodeScalar(byte))
            throw giveUp(start, "expected a name in quotes, found `\(found)`")
        }
        try skipSpace()
        guard text.peek == UInt8(ascii: ":") else {
            throw giveUp(text.location, "expected : behind the name \"\(name)\"")
        }
        text.advance()
        try skipSpace()
        return JSONDocument.Member(name: name, nameLocation: start, value: try value())
    }

    private mutating func elements() throws(Lost) -> [JSONDocument] {
        var elements: [JSONDocument] = []
        try skipSpace()
        while text.peek != UInt8(ascii: "]") {
            guard text.peek != nil else {
                throw giveUp(text.location, "the file ends inside a list; expected ]")
            }
            elements.append(try value())
            try separator(before: UInt8(ascii: "]"))
        }
        text.advance()
        return elements
    }

    /// The comma, or what stands in its place: a closing bracket is left for the caller, a missing comma is reported
    /// and taken as read.
    private mutating func separator(before closing: UInt8) throws(Lost) {
        let end = text.location
        try skipSpace()
        guard let byte = text.peek else {
            let bracket = Character(UnicodeScalar(closing))
            throw giveUp(text.location, "the text ends here; expected , or \(bracket)")
        }
        if byte == closing { return }
        guard byte == UInt8(ascii: ",") else {
            if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") || byte == UInt8(ascii: ":") {
                let found = Character(UnicodeScalar(byte))
                let bracket = Character(UnicodeScalar(closing))
                throw giveUp(text.location, "expected , or \(bracket), found `\(found)`")
            }
            return try report(end, "a comma is missing here")
        }
        let comma = text.location
        text.advance()
        try skipSpace()
        if text.peek == closing, !syntax.contains(.trailingCommas) {
            try report(comma, "a comma may not stand before the closing bracket")
        }
    }
}

// MARK: - Scalars

extension DocumentReader {
    private mutating func string() throws(Lost) -> String {
        let start = text.location
        var faults: [DocumentFault] = []
        guard let string = text.takeString(reportingTo: &faults) else {
            throw giveUp(start, "this text is never closed; expected \" on the same line")
        }
        for fault in faults { try report(fault.location, fault.message) }
        return string
    }

    /// A number, `true`, `false`, `null`, or something that only looks like one: reported, and read as null.
    private mutating func word() throws(Lost) -> JSONDocument.Content {
        let start = text.location
        guard let word = text.takeWord(), !word.isEmpty else {
            throw giveUp(start, "expected a value, found `\(text.takeScalar())`")
        }
        switch word {
        case "true": return .bool(true)
        case "false": return .bool(false)
        case "null": return .null
        default: break
        }
        if JSONNumber.isValid(word) { return .number(word) }
        let meant = ["true", "false", "null"].first { $0 == word.lowercased() }
        let hint = meant.map { "; did you mean \($0)?" } ?? "; a text needs quotes"
        try report(
            start, "`\(word)` is not a value\(JSONNumber.startsLikeOne(word) ? ", nor a number" : hint)")
        return .null
    }
}

/// The grammar of RFC 8259 §6.
enum JSONNumber {
    static func startsLikeOne(_ word: String) -> Bool {
        guard let first = word.utf8.first else { return false }
        return isDigit(first) || first == UInt8(ascii: "-") || first == UInt8(ascii: "+")
            || first == UInt8(ascii: ".")
    }

    static func isValid(_ word: String) -> Bool {
        var rest = Array(word.utf8)[...]
        if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
        let whole = rest.prefix(while: isDigit)
        guard !whole.isEmpty, whole.count == 1 || whole.first != UInt8(ascii: "0") else { return false }
        rest = rest.dropFirst(whole.count)
        if rest.first == UInt8(ascii: ".") {
            guard takeDigits(behind: 1, of: &rest) else { return false }
        }
        if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
            let sign = rest.dropFirst().first
            let signed = sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-")
            guard takeDigits(behind: signed ? 2 : 1, of: &rest) else { return false }
        }
        return rest.isEmpty
    }

    private static func takeDigits(behind count: Int, of rest: inout ArraySlice<UInt8>) -> Bool {
        rest = rest.dropFirst(count)
        let digits = rest.prefix(while: isDigit)
        rest = rest.dropFirst(digits.count)
        return !digits.isEmpty
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
