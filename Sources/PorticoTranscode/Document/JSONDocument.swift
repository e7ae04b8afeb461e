package import PorticoSchema

/// A JSON value that remembers where it was written, for the files people keep: each fault can say its line.
///
/// `{ "limits": { "connections": 0 } }` is an object at 1:1 with one member, whose name is at 1:3 and whose value,
/// an object, is at 1:13; the number inside it is at 1:30.
package struct JSONDocument: Sendable, Equatable {
    package var location: SourceLocation
    package var content: Content

    package indirect enum Content: Sendable, Equatable {
        case null
        case bool(Bool)
        /// The number's own text, so that no digit is lost.
        case number(String)
        case string(String)
        case array([JSONDocument])
        /// In the order of the file; no name occurs twice.
        case object([Member])
    }

    package struct Member: Sendable, Equatable {
        package var name: String
        package var nameLocation: SourceLocation
        package var value: JSONDocument

        package init(name: String, nameLocation: SourceLocation, value: JSONDocument) {
            self.name = name
            self.nameLocation = nameLocation
            self.value = value
        }
    }

    package init(location: SourceLocation, content: Content) {
        self.location = location
        self.content = content
    }

    /// The same value without its places.
    package var value: JSONValue {
        switch content {
        case .null: .null
        case .bool(let bool): .bool(bool)
        case .number(let text): .number(text)
        case .string(let text): .string(text)
        case .array(let elements): .array(elements.map(\.value))
        case .object(let members): .object(members.map { .init($0.name, $0.value.value) })
        }
    }

    /// What a person calls it: `an object`, `a number`.
    package var kindName: String {
        switch content {
        case .null: "null"
        case .bool: "true or false"
        case .number: "a number"
        case .string: "a text"
        case .array: "a list"
        case .object: "an object"
        }
    }

    package subscript(name: String) -> JSONDocument? {
        guard case .object(let members) = content else { return nil }
        return members.first { $0.name == name }?.value
    }
}

/// What is wrong with a document, where, in a sentence for the person who wrote it.
package struct DocumentFault: Error, Sendable, Equatable, CustomStringConvertible {
    package var location: SourceLocation
    package var message: String

    package init(_ location: SourceLocation, _ message: String) {
        self.location = location
        self.message = message
    }

    /// `file:line:column: message`
    package var description: String {
        "\(location.file):\(location.line):\(location.column): \(message)"
    }
}

/// Everything found wrong with a document, in the order of its text.
package struct DocumentFaults: Error, Sendable, Equatable {
    package var faults: [DocumentFault]
}
