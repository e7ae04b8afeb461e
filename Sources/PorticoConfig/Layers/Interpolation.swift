import PorticoTranscode

/// Fills `${NAME}` and `${NAME:-default}` in the texts of a value; `$${` stands for `${` itself. The default is taken
/// when the variable is unset or empty, as shells do; without one, both are faults.
struct Interpolation {
    let variables: [String: String]
    let secrets: ConfigurationLoader.Secrets
    private(set) var names: [String] = []
    private(set) var problems: [String] = []

    init(variables: [String: String], secrets: ConfigurationLoader.Secrets = .required) {
        self.variables = variables
        self.secrets = secrets
    }

    /// Whether the value takes anything from the process environment.
    static func isNeeded(by document: JSONDocument) -> Bool {
        switch document.content {
        case .null, .bool, .number: false
        case .string(let text): text.contains("${")
        case .array(let elements): elements.contains(where: isNeeded)
        case .object(let members): members.contains { isNeeded(by: $0.value) }
        }
    }

    /// The names of all variables that a file's text takes, wherever they stand in it.
    static func names(in text: String) -> Set<String> {
        var names: Set<String> = []
        var rest = text[...]
        while let start = rest.firstRange(of: "${") {
            rest = rest[start.upperBound...]
            let name = rest.prefix { isNameCharacter($0) }
            if !name.isEmpty { names.insert(String(name)) }
        }
        return names
    }

    /// The value with its texts filled; what cannot be filled is in ``problems``.
    mutating func fill(_ document: JSONDocument) -> RawValue {
        let filled = filled(document)
        if case .string(let text) = filled.content, !names.isEmpty {
            return RawValue(form: .text(text), secretNames: names)
        }
        return RawValue(form: .document(filled), secretNames: names)
    }

    private mutating func filled(_ document: JSONDocument) -> JSONDocument {
        var document = document
        switch document.content {
        case .null, .bool, .number: break
        case .string(let text): document.content = .string(filled(text))
        case .array(let elements):
            document.content = .array(elements.map { filled($0) })
        case .object(let members):
            document.content = .object(
                members.map { .init(name: $0.name, nameLocation: $0.nameLocation, value: filled($0.value)) })
        }
        return document
    }

    private mutating func filled(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let start = rest.firstRange(of: "${") {
            let before = rest[..<start.lowerBound]
            rest = rest[start.upperBound...]
            if before.hasSuffix("$") {
                result += before.dropLast() + "${"
                continue
            }
            result += before
            guard let end = rest.firstIndex(of: "}") else {
                problems.append("${ is never closed; expected }. A plain ${ is written $${")
                return result
            }
            result += value(of: rest[..<end])
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }

    /// - Parameter reference: `NAME` or `NAME:-default`
    private mutating func value(of reference: Substring) -> String {
        let name = String(reference.prefix { Self.isNameCharacter($0) })
        let rest = reference.dropFirst(name.count)
        guard !name.isEmpty, name.first?.isNumber != true, rest.isEmpty || rest.hasPrefix(":-") else {
            problems.append("`${\(reference)}` is neither ${NAME} nor ${NAME:-default}")
            return ""
        }
        guard !rest.contains("${") else {
            problems.append("the default of ${\(name):-…} holds a ${; a default is plain text")
            return ""
        }
        if !names.contains(name) { names.append(name) }
        if let value = variables[name], !value.isEmpty { return value }
        guard rest.isEmpty else { return String(rest.dropFirst(2)) }
        if case .byName = secrets { return name }
        let state = variables[name] == nil ? "not set" : "empty"
        problems.append("the environment variable \(name) is \(state)")
        return ""
    }

    private static func isNameCharacter(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || character == "_")
    }
}
