/// The smallest piece of a schema file that means something.
struct Token {
    enum Kind: Equatable {
        /// A name or a keyword; which of the two depends on where it stands.
        case identifier(String)
        case integer(UInt64)
        case float(Double)
        /// The bytes between the quotes, escapes resolved.
        case string([UInt8])
        /// One ASCII character: `{`, `=`, `;`, …
        case symbol(Character)
        case end
    }

    let kind: Kind
    let location: SourceLocation
    /// Just behind the token.
    let end: SourceLocation
    /// The comment that stands right above the token, without its markers.
    let documentation: String

    /// How a fault names the token.
    var described: String {
        switch kind {
        case .identifier(let name): "\"\(name)\""
        case .integer(let value): "\"\(value)\""
        case .float(let value): "\"\(value)\""
        case .string: "a string"
        case .symbol(let character): "\"\(character)\""
        case .end: "the end of the file"
        }
    }
}
