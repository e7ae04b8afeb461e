import Foundation
import PorticoTranscode
import Testing

@testable import PorticoConfig

struct EnvironmentSchemaTests {
    private func read(_ text: String) throws -> JSONValue {
        try DocumentReader.read(Array(text.utf8), file: "", syntax: .relaxed).value
    }

    @Test func theCommittedSchemaIsMadeFromTheTableOfKeys() throws {
        let path = "\(Repository.environments)/environment.schema.json"
        let committed = try String(contentsOfFile: path, encoding: .utf8)
        #expect(
            try read(committed) == EnvironmentSchema.document,
            "portico config --json-schema > Environments/environment.schema.json")
    }

    @Test(arguments: ["Development", "Test", "Production"]) func theShippedFilesFollowIt(name: String) throws
    {
        let text = try String(contentsOfFile: "\(Repository.environments)/\(name).json", encoding: .utf8)
        #expect(SchemaValidator.accepts(try read(text), EnvironmentSchema.document))
    }

    @Test(arguments: KeyTable.keys.map(\.pattern.text)) func itTakesWhatTheReaderTakes(pattern: String) throws
    {
        let key = try #require(KeyTable.keys.first { $0.pattern.text == pattern })
        let sample = try #require(KeySample(key))
        #expect(SchemaValidator.accepts(try read(sample.file(0)), EnvironmentSchema.document))
    }

    @Test(arguments: [
        #"{"limit": {}}"#, #"{"limits": {"connections": "10"}}"#, #"{"limits": {"connections": 0}}"#,
        #"{"limits": {"drain": "5"}}"#, #"{"limits": {"frameBytes": "1MB"}}"#, #"{"limits": []}"#,
        #"{"log": {"level": "loud"}}"#, #"{"listen": {"address": "7400"}}"#,
        #"{"listen": {"address": null}}"#,
        #"{"sandbox": {"address": "0.0.0.0:1"}}"#, #"{"upstreams": {"tv": {"baseURL": "https://a"}}}"#,
        #"{"upstreams": {"tv": {"url": "https://a/"}}}"#, #"{"auth": {"tokens": [1]}}"#,
        #"{"flags": {"f": {"state": "ON"}}}"#, #"{"extends": 1}"#, #"{"$schema": 1}"#,
        #"{"methods": {"a.B/C": {"enabledBy": true}}}"#,
    ])
    func itRefusesWhatTheReaderRefuses(text: String) throws {
        #expect(!SchemaValidator.accepts(try read(text), EnvironmentSchema.document))
        #expect(try !Workspace(["Test": text]).faults().isEmpty)
    }

    @Test func aFileMayNameItsSchema() throws {
        #expect(try Workspace(["Test": #"{"$schema": "./environment.schema.json"}"#]).faults().isEmpty)
    }

    @Test func theSchemaIsNoEnvironment() throws {
        let workspace = try Workspace(["environment.schema": "{}", "Test": "{}"])
        #expect(workspace.faults("environment.schema").count == 1)
    }
}

/// As much of JSON Schema as the generated one uses.
enum SchemaValidator {
    static func accepts(_ value: JSONValue, _ schema: JSONValue) -> Bool {
        guard case .object(let rules) = schema else { return schema != .bool(false) }
        return rules.allSatisfy { accepts(value, $0.name, $0.value, in: schema) }
    }

    private static func accepts(
        _ value: JSONValue, _ rule: String, _ argument: JSONValue, in schema: JSONValue
    ) -> Bool {
        switch (rule, argument, value) {
        case ("type", .string(let name), _): type(value, is: name)
        case ("anyOf", .array(let schemas), _): schemas.contains { accepts(value, $0) }
        case ("enum", .array(let choices), _): choices.contains(value)
        case ("pattern", .string(let pattern), .string(let text)):
            text.firstMatch(of: try! Regex(pattern)) != nil
        case ("minimum", .number(let bound), .number(let number)): Double(number)! >= Double(bound)!
        case ("maximum", .number(let bound), .number(let number)): Double(number)! <= Double(bound)!
        case ("minProperties", .number(let count), .object(let members)): members.count >= Int(count)!
        case ("items", _, .array(let elements)): elements.allSatisfy { accepts($0, argument) }
        case ("properties", _, .object(let members)):
            members.allSatisfy { member in argument[member.name].map { accepts(member.value, $0) } ?? true }
        case ("additionalProperties", _, .object(let members)):
            members.allSatisfy { member in
                schema["properties"]?[member.name] != nil || accepts(member.value, argument)
            }
        default: true
        }
    }

    private static func type(_ value: JSONValue, is name: String) -> Bool {
        switch value {
        case .null: name == "null"
        case .bool: name == "boolean"
        case .number(let text): name == "number" || (name == "integer" && Int(text) != nil)
        case .string: name == "string"
        case .array: name == "array"
        case .object: name == "object"
        }
    }
}
