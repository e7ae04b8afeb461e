package import PorticoSchema

/// Where a value comes from.
package enum Origin: Sendable, Hashable, CustomStringConvertible {
    case builtIn
    case file(SourceLocation)
    /// `${NAME}` in a file; the value is never shown.
    case secret(variables: [String], SourceLocation)
    /// An environment variable `PORTICO_…`.
    case variable(String)
    /// On the command line: `--set`.
    case option(String)

    package var description: String {
        switch self {
        case .builtIn: "default"
        case .file(let location): Self.text(location)
        case .secret(let variables, let location):
            "\(variables.map { "${\($0)}" }.joined(separator: ", ")) in \(Self.text(location))"
        case .variable(let name): name
        case .option(let option): option
        }
    }

    private static func text(_ location: SourceLocation) -> String {
        "\(location.file):\(location.line):\(location.column)"
    }
}

/// Something that keeps an environment from being used, and where it was said.
package struct ConfigurationFault: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Place: Sendable, Equatable {
        case file(SourceLocation)
        case variable(String)
        /// `--set limits.connections`
        case option(String)
        /// No place in particular: the environment as a whole, or its directory.
        case environment(String)
    }
    package var place: Place
    package var message: String

    package init(_ place: Place, _ message: String) {
        self.place = place
        self.message = message
    }

    /// `file:line:column: message`, or the variable or option in the location's place.
    /// One line, whatever characters a file has: nobody forges a second one, or speaks to the terminal.
    package var description: String {
        let text =
            switch place {
            case .file(let location): "\(location.file):\(location.line):\(location.column): \(message)"
            case .variable(let subject), .option(let subject), .environment(let subject):
                "\(subject): \(message)"
            }
        return text.unicodeScalars.reduce(into: "") { line, scalar in
            let isControl = scalar.properties.generalCategory == .control
            line += isControl ? scalar.escaped(asASCII: true) : String(scalar)
        }
    }
}

/// Everything found wrong, not only the first: files in the order they were read, then variables, then options.
package struct ConfigurationFaults: Error, Sendable, Equatable, CustomStringConvertible {
    package var faults: [ConfigurationFault]

    package init(_ faults: [ConfigurationFault]) { self.faults = faults }

    /// One fault a line.
    package var description: String { faults.map(\.description).joined(separator: "\n") }
}
