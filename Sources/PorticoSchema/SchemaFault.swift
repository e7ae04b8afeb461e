/// A schema file as the caller read it.
package struct SchemaFile: Sendable {
    /// As other files import it, with `/`: `starwars/v1/characters.proto`.
    package let path: String
    package let text: String

    package init(path: String, text: String) {
        self.path = path
        self.text = text
    }
}

/// One thing wrong with a schema file, and where.
package struct SchemaFault: Error, Equatable, Sendable, CustomStringConvertible {
    package let location: SourceLocation
    package let message: String

    package init(location: SourceLocation, message: String) {
        self.location = location
        self.message = message
    }

    /// `file:line:column: message`, as compilers write it and editors jump to it.
    package var description: String {
        "\(location.file):\(location.line):\(location.column): \(message)"
    }
}

/// Everything wrong with a set of schema files, in the order of the files and of the places in them.
package struct SchemaFaults: Error, Equatable, Sendable, CustomStringConvertible {
    package let faults: [SchemaFault]

    package init(faults: [SchemaFault]) { self.faults = faults }

    /// One line for each fault.
    package var description: String { faults.map(\.description).joined(separator: "\n") }
}

/// Bounds that keep hostile schema files from costing more than they are worth.
package enum SchemaLimits {
    /// Bytes of one schema file.
    package static let fileBytes = 4 << 20
    /// Parts of a dotted name: each part of a package is a scope of its own.
    package static let nameParts = 100
    /// Messages inside messages; protoc has the same bound.
    package static let messageDepth = 32
    /// Braces and brackets inside an option's value.
    package static let optionDepth = 32
    /// Faults that are reported; further ones are left out.
    package static let faults = 1000
    /// Faults that are given a suggestion, since each one looks through all names.
    static let suggestions = 50
}

/// Collects faults, up to the limit.
struct FaultList {
    private(set) var faults: [SchemaFault] = []

    mutating func add(_ location: SourceLocation, _ message: String) {
        add(SchemaFault(location: location, message: message))
    }

    mutating func add(_ fault: SchemaFault) {
        if faults.count < SchemaLimits.faults { faults.append(fault) }
    }

    /// `; did you mean "Person"?` for the candidate nearest to a misspelt name, or nothing.
    func suggestion(for name: String, among candidates: some Sequence<String>) -> String {
        guard faults.count < SchemaLimits.suggestions else { return "" }
        guard let nearest = Spelling.nearest(to: name, among: candidates) else { return "" }
        return "; did you mean \"\(nearest)\"?"
    }
}
