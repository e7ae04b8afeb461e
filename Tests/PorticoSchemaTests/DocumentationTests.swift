import Foundation
import PorticoSchema
import Testing

@Suite struct DocumentationTests {
    /// Schemas/README.md, "All options", against options.proto: every option is there with its meaning, and nothing else.
    @Test func theTableOfOptionsIsComplete() throws {
        let rows = try Self.optionRows()
        #expect(Set(rows.map(\.name)) == (try Self.options()))
        #expect(Set(rows.map(\.name)).count == rows.count, "an option stands in the table twice")
        for row in rows { #expect(!row.meaning.isEmpty, "\(row.name) has no meaning") }
    }

    /// Schemas/README.md shows each option at work.
    @Test func everyOptionStandsInAnExample() throws {
        let text = try String(contentsOf: SchemaFiles.root.appending(path: "README.md"), encoding: .utf8)
        let examples = text.matches(of: /```proto\n([\s\S]*?)```/).map(\.1).joined(separator: "\n")
        for name in try Self.options() {
            let last = name.split(separator: ".").last ?? ""
            let isShown =
                name.contains(".")
                ? examples.contains(try Regex("\\b\(last)( =|:| \\{)"))
                : examples.contains(try Regex("\\(portico\\.v1\\.\(last)\\)"))
            #expect(isShown, "\(name) is shown nowhere")
        }
    }

    /// The extensions that options.proto declares, and each field inside them: `rules`, `rules.max_length`.
    private static func options() throws -> Set<String> {
        let file = try SchemaFiles.file("portico/v1/options.proto")
        let schema = try SchemaCompiler.compile(files: SchemaFiles.all())
        var waiting: [(name: String, type: String)] = []
        for block in file.text.matches(of: /(?m)^extend google\.protobuf\.\w+ \{([\s\S]*?)^\}/) {
            for field in block.1.matches(of: /(?m)^  (?:repeated )?(\w+) (\w+) = \d+;/) {
                waiting.append((String(field.2), "portico.v1.\(field.1)"))
            }
        }
        var names: Set<String> = []
        while let (name, type) = waiting.popLast() {
            names.insert(name)
            for field in schema.message(named: type).map({ schema[$0].fields }) ?? [] {
                if case .message(let inner) = field.type {
                    waiting.append(("\(name).\(field.name)", schema[inner].fullName))
                } else {
                    names.insert("\(name).\(field.name)")
                }
            }
        }
        return names
    }

    /// A row may name several options that mean one thing.
    private static func optionRows() throws -> [(name: String, meaning: Substring)] {
        let text = try String(contentsOf: SchemaFiles.root.appending(path: "README.md"), encoding: .utf8)
        let table = try #require(text.firstMatch(of: /## All options\n\n((?:\|.*\n)+)/)).1
        return table.split(separator: "\n").dropFirst(2).flatMap { row in
            let cells = row.split(separator: "|").map { $0.trimmingPrefix(" ") }
            return cells[0].matches(of: /`([^`]+)`/).map { (String($0.1), cells[2]) }
        }
    }

    /// The fault that the README shows.
    @Test func theExampleOfAFaultIsRight() throws {
        let text = try String(contentsOf: SchemaFiles.root.appending(path: "README.md"), encoding: .utf8)
        let block = try #require(text.firstMatch(of: /```proto\n(syntax[\s\S]*?)```/))
        let example = String(block.1)
        #expect(try SchemaFiles.faults(in: example) == [])
        let fault = try #require(text.firstMatch(of: /weather\/v1\/weather\.proto:(.*)/))
        let broken = example.replacing("{town}", with: "{twon}")
        #expect(try SchemaFiles.faults(in: broken) == [String(fault.1)])
    }
}
