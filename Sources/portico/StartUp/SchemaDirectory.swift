import Foundation
import PorticoConfig

/// Reads the schema files of a directory, for every command that needs schemas.
enum SchemaDirectory {
    struct File: Equatable {
        /// Below the directory, as imports name it: `starwars/v1/characters.proto`.
        let path: String
        let text: String
    }

    /// Every `.proto` file below the directory, sorted by path. Each file that cannot be read is a fault.
    static func read(_ directory: String) throws(ConfigurationFaults) -> [File] {
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
        var files: [File] = []
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
            files.append(File(path: path, text: text))
        }
        guard faults.isEmpty else { throw ConfigurationFaults(faults) }
        return files
    }
}
