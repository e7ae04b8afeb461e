import PorticoSchema
import PorticoTranscode

/// A value as a layer gave it, before its key has made sense of it.
struct RawValue: Sendable {
    enum Form: Sendable {
        /// From an environment file.
        case document(JSONDocument)
        /// From a variable, an option, or a `${NAME}` that stood alone in a file's text.
        case text(String)
    }
    var form: Form
    /// The variables whose values are inside; not empty: the value is never shown.
    var secretNames: [String] = []

    /// For an error: the value in quotes, or what stands in for it.
    var shown: String {
        guard secretNames.isEmpty else {
            return "the value of \(secretNames.map { "${\($0)}" }.joined(separator: ", "))"
        }
        switch form {
        case .text(let text): return "\"\(text)\""
        case .document(let document):
            switch document.content {
            case .string(let text): return "\"\(text)\""
            case .number(let text): return text
            case .bool(let bool): return "\(bool)"
            case .null, .array, .object: return document.kindName
            }
        }
    }

    /// `; did you mean …?`, unless that would tell something of a secret.
    func hint(_ suggestion: String?) -> String {
        guard let suggestion, secretNames.isEmpty else { return "" }
        return "; did you mean \(suggestion)?"
    }

    /// - Parameter expected: `a duration such as "5s"`
    func text(expected: String) throws(Refusal) -> String {
        switch form {
        case .text(let text): return text
        case .document(let document):
            guard case .string(let text) = document.content else {
                throw Refusal("expected \(expected), found \(document.kindName)")
            }
            return text
        }
    }

    /// A tree; text from a variable or an option is read as JSON.
    func document(expected: String) throws(Refusal) -> JSONDocument {
        switch form {
        case .document(let document): return document
        case .text(let text):
            do {
                return try DocumentReader.read(Array(text.utf8), file: "")
            } catch {
                let fault = error.faults.first
                let place = fault.map { "; column \($0.location.column): \($0.message)" } ?? ""
                throw Refusal("expected \(expected) in JSON\(secretNames.isEmpty ? place : "")")
            }
        }
    }

    var isNone: Bool {
        switch form {
        case .text(let text): text == "none"
        case .document(let document): document.content == .null
        }
    }
}

/// Why a key does not take a value, in a sentence that follows the key's name.
struct Refusal: Error {
    let message: String
    /// Inside the value, if a part of it is at fault.
    let location: SourceLocation?

    init(_ message: String, at location: SourceLocation? = nil) {
        self.message = message
        self.location = location
    }
}
