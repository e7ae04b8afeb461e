import Foundation
import PorticoSchema

/// The repository's own schemas, found from this file on.
enum SchemaFiles {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Schemas")

    /// Every `.proto` below `Schemas/`, by path.
    static func all() throws -> [SchemaFile] {
        let enumerator = FileManager.default.enumerator(atPath: root.path)
        let paths = (enumerator?.allObjects ?? []).compactMap { $0 as? String }.filter {
            $0.hasSuffix(".proto")
        }
        return try paths.sorted().map { path in
            SchemaFile(path: path, text: try String(contentsOf: root.appending(path: path), encoding: .utf8))
        }
    }

    static func file(_ path: String) throws -> SchemaFile {
        SchemaFile(path: path, text: try String(contentsOf: root.appending(path: path), encoding: .utf8))
    }

    /// Compiles one file `t.proto` together with Portico's own; its faults as `line:column: message`.
    static func faults(in text: String) throws -> [String] {
        let files = [
            SchemaFile(path: "t.proto", text: text), try file("portico/v1/options.proto"),
            try file("portico/v1/image.proto"), try file("portico/v1/source_status.proto"),
        ]
        do throws(SchemaFaults) {
            _ = try SchemaCompiler.compile(files: files)
            return []
        } catch {
            return error.faults.map { $0.description.replacing(/^t\.proto:/, with: "") }
        }
    }
}
