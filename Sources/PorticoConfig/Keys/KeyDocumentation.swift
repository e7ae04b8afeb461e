/// The table of keys for people: `portico config --keys`, and `Environments/README.md`, which a test compares with it.
package enum KeyDocumentation {
    /// One key, in the words of the documentation.
    package struct Row: Sendable, Equatable {
        package let key: String
        package let variable: String
        package let kind: String
        /// Nil: it must be given.
        package let defaultText: String?
        package let reload: String
        package let documentation: String
    }

    package static let rows: [Row] = KeyTable.keys.map { key in
        Row(
            key: key.pattern.text, variable: key.pattern.variable([]), kind: key.kindName,
            defaultText: key.defaultText, reload: key.reload.rawValue, documentation: key.documentation)
    }

    /// As a Markdown table.
    package static var markdown: String {
        let head = """
            | key | environment variable | type | default | reload | what it is |
            |---|---|---|---|---|---|
            """
        let lines = rows.map { row in
            let given = row.defaultText.map { "`\($0)`" } ?? "required"
            return
                "| `\(row.key)` | `\(row.variable)` | \(row.kind) | \(given) | \(row.reload) | \(row.documentation) |"
        }
        return ([head] + lines).joined(separator: "\n")
    }

    /// Key by key, for a terminal.
    package static var text: String {
        rows.map { row in
            """
            \(row.key)
                \(row.documentation)
                \(row.kind); \(row.defaultText.map { "default \($0)" } ?? "required")
                \(row.variable); reload: \(row.reload)
            """
        }.joined(separator: "\n")
    }
}
