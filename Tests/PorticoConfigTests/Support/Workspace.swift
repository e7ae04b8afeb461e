import Foundation
import PorticoConfig

/// A directory of environment files that lives as long as the test needs it.
final class Workspace {
    let directory: String

    /// - Parameter files: by name without `.json`.
    init(_ files: [String: String]) throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "portico-\(UUID().uuidString)")
        directory = url.path
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        for (name, text) in files {
            try Data(text.utf8).write(to: url.appending(path: "\(name).json"))
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: directory) }

    func load(
        _ environment: String = "test", variables: [String: String] = [:],
        set overrides: [String: String] = [:]
    ) throws(ConfigurationFaults) -> LoadedConfiguration {
        try ConfigurationLoader(directory: directory, variables: variables).load(
            environment: environment,
            overrides: overrides.sorted { $0.key < $1.key }.map { Override(key: $0.key, value: $0.value) })
    }

    /// Each fault's text, with the directory left out; empty: it loads.
    func faults(
        _ environment: String = "test", variables: [String: String] = [:],
        set overrides: [String: String] = [:]
    ) -> [String] {
        do {
            _ = try load(environment, variables: variables, set: overrides)
            return []
        } catch {
            return error.faults.map { $0.description.replacing("\(directory)/", with: "") }
        }
    }
}

extension LoadedConfiguration {
    func shown(_ key: String) -> String? { values.first { $0.key == key }?.shown }
}

/// The package's own files, found from this one.
enum Repository {
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    static var environments: String { root.appending(path: "Environments").path }
}
