import Foundation
import PorticoConfig
import PorticoSchema

/// Reads the schema files of a directory, for every command that needs schemas.
enum SchemaDirectory {
    /// The directory's schema, linked and validated.
    /// - Parameter given: `--schemas`; nil: found by ``Directories``.
    static func compile(_ given: String?, in process: ProcessContext) throws(ConfigurationFaults) -> Schema {
        let directory = try directory(given, in: process)
        let files = try read(directory)
        do {
            return try SchemaCompiler.compile(files: files)
        } catch {
            throw ConfigurationFaults(
                error.faults.map {
                    ConfigurationFault(.file($0.location.inside(directory)), $0.message)
                })
        }
    }

    static func directory(_ given: String?, in process: ProcessContext) throws(ConfigurationFaults) -> String
    {
        try Directories.find("Schemas", option: "schemas", given: given, in: process)
    }

    /// Every `.proto` file below the directory, sorted by path. Each file that cannot be read is a fault.
    static func read(_ directory: String) throws(ConfigurationFaults) -> [SchemaFile] {
        let paths: [String]
        do {
            paths = try FileManager.default.subpathsOfDirectory(atPath: directory)
                .filter { $0.hasSuffix(".proto") }
                .sorted()
        } catch {
            throw ConfigurationFaults([
                ConfigurationFault(.environment(directory), "the directory of schemas cannot be read")
            ])
        }
        guard !paths.isEmpty else {
            throw ConfigurationFaults([
                ConfigurationFault(.environment(directory), "the directory holds no .proto file")
            ])
        }
        var files: [SchemaFile] = []
        var faults: [ConfigurationFault] = []
        for path in paths {
            let place = ConfigurationFault.Place.environment("\(directory)/\(path)")
            guard let data = FileManager.default.contents(atPath: "\(directory)/\(path)") else {
                faults.append(ConfigurationFault(place, "the file cannot be read"))
                continue
            }
            guard let text = String(validating: data, as: UTF8.self) else {
                faults.append(ConfigurationFault(place, "the file is not UTF-8"))
                continue
            }
            files.append(SchemaFile(path: path, text: text))
        }
        guard faults.isEmpty else { throw ConfigurationFaults(faults) }
        return files
    }
}

extension SourceLocation {
    /// The same place, its file named from where the program was started, so that an editor can go there.
    func inside(_ directory: String) -> SourceLocation {
        SourceLocation(file: "\(directory)/\(file)", line: line, column: column)
    }
}
