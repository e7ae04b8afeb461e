import PorticoSchema
import PorticoConfig

/// Takes a command's arguments apart: `--option value`, `--option=value`, operands, and `--`, behind which everything
/// is an operand.
struct ParsedArguments: Equatable {
    private(set) var values: [String: [String]] = [:]
    private(set) var operands: [String] = []
    private(set) var asksForHelp = false

    /// The value of an option that is given once.
    func value(_ option: String) -> String? { values[option]?.last }
    func values(_ option: String) -> [String] { values[option] ?? [] }
    func has(_ option: String) -> Bool { values[option] != nil }

    /// - Parameter arguments: without the names of program and command.
    init(_ arguments: some Sequence<String>, for command: CommandDefinition) throws(UsageError) {
        var rest = Array(arguments)[...]
        while let argument = rest.popFirst() {
            if argument == "--" {
                operands += rest
                break
            } else if argument == "--help" || argument == "-h" {
                asksForHelp = true
            } else if argument.hasPrefix("-"), argument != "-" {
                try takeOption(argument, from: &rest, of: command)
            } else {
                operands.append(argument)
            }
        }
        guard !asksForHelp else { return }
        try checkOperands(of: command)
    }

    private mutating func takeOption(
        _ argument: String, from rest: inout ArraySlice<String>, of command: CommandDefinition
    ) throws(UsageError) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let written = String(parts[0])
        guard written.hasPrefix("--"), let option = command.option(named: String(written.dropFirst(2))) else {
            let known = command.options.map { "--\($0.name)" } + ["--help"]
            throw UsageError(
                "unknown option \(written)", command: command.name,
                suggestion: Spelling.nearest(to: written, among: known))
        }
        var value = parts.count == 2 ? String(parts[1]) : nil
        if let placeholder = option.value {
            // A value that begins with a dash is most likely the next option: it takes the `=`.
            if value == nil, let next = rest.first, !next.hasPrefix("-") || next == "-" {
                value = rest.popFirst()
            }
            guard let value, !value.isEmpty else {
                throw UsageError(
                    "--\(option.name) needs a value: --\(option.name) \(placeholder)", command: command.name)
            }
        } else if value != nil {
            throw UsageError("--\(option.name) takes no value", command: command.name)
        }
        guard option.isRepeatable || !has(option.name) else {
            throw UsageError("--\(option.name) is given twice", command: command.name)
        }
        values[option.name, default: []].append(value ?? "")
    }

    private func checkOperands(of command: CommandDefinition) throws(UsageError) {
        let required = command.operands.prefix { $0.isRequired }
        if operands.count < required.count {
            let missing = command.operands[operands.count]
            throw UsageError("\(missing.name) is missing: \(missing.help)", command: command.name)
        }
        if operands.count > command.operands.count {
            let extra = operands[command.operands.count]
            let isCommand = Command.definitions.contains { $0.name == extra }
            let advice = isCommand ? "; the command comes first: portico \(extra) …" : ""
            throw UsageError("unexpected argument \(extra)\(advice)", command: command.name)
        }
    }
}

/// A command line that cannot be understood; exit code 64.
struct UsageError: Error, Equatable {
    let message: String
    /// The command whose help applies; nil: the program's.
    let command: String?

    init(_ message: String, command: String? = nil, suggestion: String? = nil) {
        self.message = message + (suggestion.map { "; did you mean \($0)?" } ?? "")
        self.command = command
    }

    /// For standard error.
    var text: String {
        let help = command.map { "portico \($0) --help" } ?? "portico --help"
        return "\(message)\nTry '\(help)'."
    }
}
