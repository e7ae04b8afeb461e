import PorticoConfig

/// `portico convert`
struct ConvertCommand: Equatable, Sendable {
    enum Format: String, CaseIterable, Sendable {
        case json
        /// One JSON value a line.
        case ndjson
        /// One encoded message.
        case binary
        /// Encoded messages, each behind its length as a varint.
        case delimited
    }

    /// Full name: `starwars.v1.PeoplePage`.
    var message: String
    var from: Format
    var to: Format
    /// Nil: found by ``Directories``.
    var schemas: String?

    private static let formats = Format.allCases.map(\.rawValue)

    static let definition = CommandDefinition(
        name: "convert",
        summary: "Convert messages between JSON and protobuf, without a server.",
        details: """
            Reads standard input, writes standard output: tries a schema on an upstream's saved answer.
            FORMAT is one of \(formats.joined(separator: ", ")).
            """,
        operands: [],
        options: [
            .init(name: "message", value: "NAME", help: "The message's full name."),
            .init(name: "from", value: "FORMAT", help: "What standard input holds."),
            .init(name: "to", value: "FORMAT", help: "What standard output gets."),
            .init(name: "schemas", value: "DIR", help: "The schemas; ./Schemas if left out."),
        ])

    init(_ parsed: ParsedArguments) throws(UsageError) {
        message = try Self.required("message", in: parsed)
        from = try Self.format("from", in: parsed)
        to = try Self.format("to", in: parsed)
        schemas = parsed.value("schemas")
    }

    private static func required(_ option: String, in parsed: ParsedArguments) throws(UsageError) -> String {
        guard let value = parsed.value(option) else {
            throw UsageError("--\(option) is missing", command: definition.name)
        }
        return value
    }

    private static func format(_ option: String, in parsed: ParsedArguments) throws(UsageError) -> Format {
        let text = try required(option, in: parsed)
        guard let format = Format(rawValue: text) else {
            throw UsageError(
                "--\(option) takes one of \(formats.joined(separator: ", ")), not \(text)",
                command: definition.name, suggestion: Spelling.nearest(to: text, among: formats))
        }
        return format
    }

    func run(_ console: Console) async -> ExitStatus {
        console.fail("converting is not part of this build")
        return .software
    }
}
