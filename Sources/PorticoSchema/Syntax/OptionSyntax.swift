/// The options of one declaration: as written, as typed values, and encoded.
///
///     option (portico.v1.view) = { from: "ListPeople" };
///
/// is a statement with the name part `(portico.v1.view)` and a message value with one field. The interpreter finds the
/// extension, checks the value against its type and fills ``message`` and ``bytes``.
struct OptionsNode: Sendable {
    var statements: [OptionStatement] = []
    /// Filled by the interpreter.
    var message = OptionMessage()
    /// The options message, encoded.
    var bytes: [UInt8] = []
    /// A statement did not fit: what is missing here has been reported.
    var isFaulty = false
}

struct OptionStatement: Sendable {
    /// `(portico.v1.upstream).paging.next` has three.
    var parts: [Part]
    var value: OptionSyntax

    struct Part: Sendable {
        var name: Name
        /// In parentheses.
        var isExtension: Bool
    }

    /// As written, for faults.
    var title: String {
        parts.map { $0.isExtension ? "(\($0.name.text))" : $0.name.text }.joined(separator: ".")
    }
}

/// The value of an option, before its type is known.
struct OptionSyntax: Sendable {
    indirect enum Form: Sendable {
        case identifier(String)
        /// `-inf`
        case negatedIdentifier(String)
        case integer(UInt64, isNegative: Bool)
        case float(Double)
        case string([UInt8])
        case message([Field])
        /// `[x, y]`, only inside a message value.
        case list([OptionSyntax])
    }

    struct Field: Sendable {
        var name: Name
        /// In brackets.
        var isExtension: Bool
        var value: OptionSyntax
    }

    var form: Form
    var location: SourceLocation
}

/// An options message with its values typed.
struct OptionMessage: Sendable {
    struct Entry: Sendable {
        var number: Int
        /// The field's name, an extension's full name.
        var name: String
        var values: [OptionValue]
        var location: SourceLocation
        /// Of the field, to refuse two of one.
        var oneof: Int?
    }
    var entries: [Entry] = []

    func entry(_ name: String) -> Entry? { entries.first { $0.name == name } }
}

/// One value, as the wire has it, and where it was written.
struct OptionValue: Sendable {
    enum Form: Sendable {
        case varint(UInt64)
        case fixed32(UInt32)
        case fixed64(UInt64)
        case text(String)
        case bytes([UInt8])
        case enumeration(Int32, name: String)
        indirect case message(OptionMessage)
    }
    var form: Form
    var location: SourceLocation
}
