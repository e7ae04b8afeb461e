/// A JSON value as a tree, for the small documents people write (environment files, flags): never on the request path.
package indirect enum JSONValue: Sendable, Equatable {
    case null
    case bool(Bool)
    /// The number's own text, so that no digit is lost: `1.50`, `9007199254740993`.
    case number(String)
    case string(String)
    case array([JSONValue])
    /// In the order of the file.
    case object([Member])

    package struct Member: Sendable, Equatable {
        package var name: String
        package var value: JSONValue
        package init(_ name: String, _ value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    package subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.name == name }?.value
    }
}
