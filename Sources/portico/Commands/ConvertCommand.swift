import Foundation
import PorticoConfig
import PorticoSchema

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
            Reads standard input, writes standard output: tries a schema on an upstream's saved answer. JSON is read
            as from an upstream, by the names and paths it uses, and written by the schema's own names.
            FORMAT is one of \(formats.joined(separator: ", ")).
            """,
        operands: [],
        options: [
            .init(name: "message", value: "NAME", help: "The message's full name.", isRequired: true),
            .init(name: "from", value: "FORMAT", help: "What standard input holds.", isRequired: true),
            .init(name: "to", value: "FORMAT", help: "What standard output gets.", isRequired: true),
            .init(
                name: "schemas", value: "DIR",
                help: "The schemas; ./Schemas, or beside the program, if left out."),
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

    func run(_ console: Console, in process: ProcessContext = .current) -> ExitStatus {
        do throws(ConfigurationFaults) {
            let schema = try SchemaDirectory.compile(schemas, in: process)
            guard let id = schema.message(named: message) else {
                let names = schema.messages.filter { !$0.isMapEntry }.map(\.fullName)
                let advice = Spelling.nearest(to: message, among: names).map { "; did you mean \($0)?" } ?? ""
                console.fail("the schemas have no message \(message)\(advice)")
                return .usage
            }
            return convert(MessageConversion(schema: schema, message: id), console)
        } catch {
            console.report(error)
            return .configuration
        }
    }

    private func convert(_ conversion: MessageConversion, _ console: Console) -> ExitStatus {
        guard let input = try? FileHandle.standardInput.readToEnd() else {
            console.fail("standard input cannot be read; give it a file or a pipe")
            return .badInput
        }
        do throws(MessageConversion.Fault) {
            let result = try conversion.convert([UInt8](input), from: from, to: to)
            console.write(result.output)
            if result.skippedItems > 0 {
                console.complain(
                    "portico: \(result.skippedItems) items did not fit the schema and were left out")
            }
            return .success
        } catch {
            console.fail("standard input, \(error.place): \(error.reason)")
            return .badInput
        }
    }
}
