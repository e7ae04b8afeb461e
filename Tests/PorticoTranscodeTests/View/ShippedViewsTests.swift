import Foundation
import PorticoSchema
import PorticoTranscode
import Testing

/// The views of `Schemas/`: what the schema's compiler accepts, a plan can be made of.
struct ShippedViewsTests {
    private static let directory = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Schemas")

    private static func schema() throws -> Schema {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: directory.path)
            .filter { $0.hasSuffix(".proto") }.sorted()
        return try SchemaCompiler.compile(
            files: paths.map { path in
                SchemaFile(
                    path: path,
                    text: try String(contentsOf: directory.appendingPathComponent(path), encoding: .utf8))
            })
    }

    @Test func everyOneBecomesAPlanThatAnswersAnEmptyList() throws {
        let schema = try Self.schema()
        var count = 0
        for (index, method) in schema.methods.enumerated() {
            guard case .view(let binding) = method.binding, !binding.isWhole else { continue }
            count += 1
            let plan = try ViewPlan(schema: schema, method: MethodID(index))
            #expect(try plan.run(pages: [[]], request: []) == [], "\(method.route)")
        }
        #expect(count > 0)
    }

    @Test func peopleAreGroupedByEyeColorWithLabels() throws {
        let schema = try Self.schema()
        let list = try #require(schema.method(route: "starwars.v1.Characters/ListPeople"))
        let group = try #require(schema.method(route: "starwars.v1.Characters/GroupByEyeColor"))
        let decoder = RecordDecoder(schema: schema, message: schema[list].output)
        let json =
            #"{"count":3,"results":[{"name":"A","eye_color":"green"},{"eye_color":"blue"},{"eye_color":"green"}]}"#
        let page = try decoder.decode(Array(json.utf8).span).bytes
        let answer = try ViewPlan(schema: schema, method: group).run(pages: [page], request: [])
        let text = String(decoding: answer, as: UTF8.self)
        #expect(text.contains("blue (1)") && text.contains("green (2)"))
    }
}
