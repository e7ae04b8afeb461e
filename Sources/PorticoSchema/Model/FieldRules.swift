internal import Synchronization

/// `(portico.v1.rules)`: what a field of a request must hold before an upstream is called.
///
///     string email_address = 4 [(portico.v1.rules) = { required: true max_length: 254 email: true }];
package struct FieldRules: Sendable {
    package var isRequired = false
    /// In Unicode scalars; nil: no bound.
    package var minimumLength: Int?
    package var maximumLength: Int?
    package var pattern: TextPattern?
    package var isEmail = false
    /// Of an enum field: only values that the schema names.
    package var isKnown = false

    package init() {}
}

/// A regular expression of a schema, compiled once.
package final class TextPattern: Sendable {
    /// As written.
    package let text: String
    /// `Regex` is not `Sendable`; one reader at a time is enough for writes.
    private let regex: Mutex<Regex<AnyRegexOutput>>

    /// - Throws: ``Fault``, in the words of Swift's regex parser.
    package init(_ text: String) throws(Fault) {
        self.text = text
        do { regex = Mutex(try Regex(text)) } catch { throw Fault(reason: "\(error)") }
    }

    package struct Fault: Error, Equatable, Sendable {
        package let reason: String
    }

    /// Whether all of `text` matches.
    package func matches(_ text: String) -> Bool {
        regex.withLock { (try? $0.wholeMatch(in: text)) != nil }
    }
}
