import Foundation
import PorticoSchema
import Testing

@Suite struct DocumentationTests {
    /// Schemas/README.md, "All options", against options.proto.
    @Test func everyOptionIsInTheTable() throws {
        let schema = try SchemaCompiler.compile(files: SchemaFiles.all())
        let text = try String(contentsOf: SchemaFiles.root.appending(path: "README.md"), encoding: .utf8)
        var names = ["invalidates", "role", "path", "required", "json"]
        let roots = [
            ("upstream", "Upstream"), ("view", "View"), ("image", "ImageSource"), ("compose", "Compose"),
            ("join", "Join"),
        ]
        var waiting = roots.map { (name: $0.0, message: "portico.v1.\($0.1)") }
        while let (name, message) = waiting.popLast() {
            names.append(name)
            for field in schema[try #require(schema.message(named: message))].fields {
                if case .message(let inner) = field.type {
                    waiting.append(("\(name).\(field.name)", schema[inner].fullName))
                } else {
                    names.append("\(name).\(field.name)")
                }
            }
        }
        for name in names {
            #expect(text.contains("`\(name)`"), "\(name) is missing in Schemas/README.md")
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
