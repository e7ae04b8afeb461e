/// What a command takes: read by the parser and by its help, so that the two agree.
struct CommandDefinition: Sendable {
    let name: String
    /// One line for the list of commands.
    let summary: String
    /// Paragraphs for the command's own help.
    let details: String
    let operands: [Operand]
    let options: [Option]

    struct Operand: Sendable {
        let name: String
        let help: String
        var isRequired = true
    }

    struct Option: Sendable {
        /// Without its dashes.
        let name: String
        /// What stands for its value in the help; nil: it takes none.
        let value: String?
        let help: String
        var isRepeatable = false
        var isRequired = false

        /// `--env NAME`
        var usage: String { value.map { "--\(name) \($0)" } ?? "--\(name)" }
    }

    func option(named name: String) -> Option? { options.first { $0.name == name } }
}

extension CommandDefinition {
    /// `portico check [--env NAME] …`
    var synopsis: String {
        let operands = operands.map { $0.isRequired ? $0.name : "[\($0.name)]" }
        let options = options.map {
            ($0.isRequired ? $0.usage : "[\($0.usage)]") + ($0.isRepeatable ? "…" : "")
        }
        return (["portico", name] + operands + options).joined(separator: " ")
    }

    /// The answer to `--help`.
    var help: String {
        let rows =
            operands.map { ($0.name, $0.help) } + options.map { ("\($0.usage)", $0.help) }
            + [("--help", "Print this and exit.")]
        return """
            usage: \(synopsis)

            \(details)

            \(HelpTable.text(rows))
            """
    }
}

/// Two columns: what to type, and what it does.
enum HelpTable {
    /// - Parameter widestTerm: a longer one has its help on the next line.
    static func text(_ rows: [(term: String, help: String)], widestTerm: Int = 34) -> String {
        let width = min(rows.map(\.term.count).max() ?? 0, widestTerm)
        return rows.map { term, help in
            guard term.count <= width else {
                return "  \(term)\n  \(String(repeating: " ", count: width))  \(help)"
            }
            return "  \(term)\(String(repeating: " ", count: width - term.count))  \(help)"
        }.joined(separator: "\n")
    }
}
