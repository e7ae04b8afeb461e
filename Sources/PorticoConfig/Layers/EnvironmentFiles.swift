import Foundation
import PorticoSchema
import PorticoTranscode

/// The directory of environment files, and the chain of them that an environment consists of.
struct EnvironmentFiles {
    static let extendsKey = "extends"
    /// Tells an editor what the file may hold.
    static let schemaKey = "$schema"
    /// Far above what people write; keeps a wrong file from filling the memory.
    private static let maximumBytes = 4 << 20

    let directory: String
    /// `Development`, …: the names of the files, without `.json`, sorted.
    let names: [String]

    init(directory: String) throws(ConfigurationFaults) {
        self.directory = directory
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: directory)
                .filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") && !$0.hasSuffix(".schema.json") }
                .map { String($0.dropLast(5)) }
                .sorted()
        } catch {
            let reason =
                FileManager.default.fileExists(atPath: directory) ? "cannot be read" : "does not exist"
            throw ConfigurationFaults([
                ConfigurationFault(.environment(directory), "the directory of environment files \(reason)")
            ])
        }
    }

    /// One file of a chain.
    struct Part {
        let name: String
        let document: JSONDocument
    }

    /// The environment's file and those it extends, base first. What is wrong is appended to `faults`; the readable
    /// parts are returned all the same.
    func chain(for environment: String, faults: inout [ConfigurationFault]) -> [Part] {
        var parts: [Part] = []
        var place = ConfigurationFault.Place.environment("--env \(environment)")
        var next: String? = environment
        while let wanted = next {
            next = nil
            guard let name = resolve(wanted, at: place, faults: &faults) else { break }
            if parts.contains(where: { $0.name == name }) {
                let chain = (parts.map(\.name) + [name]).joined(separator: " → ")
                faults.append(ConfigurationFault(place, "extends: these files extend each other: \(chain)"))
                break
            }
            guard let document = read(name, faults: &faults) else { break }
            parts.append(Part(name: name, document: document))
            guard let extends = document[Self.extendsKey] else { break }
            place = .file(extends.location)
            if case .string(let base) = extends.content {
                next = base
            } else {
                faults.append(
                    ConfigurationFault(
                        place, "extends: expected the name of an environment, found \(extends.kindName)"))
            }
        }
        return parts.reversed()
    }

    /// The file's name for an environment's, which is written in any case.
    private func resolve(
        _ wanted: String, at place: ConfigurationFault.Place, faults: inout [ConfigurationFault]
    ) -> String? {
        if names.contains(wanted) { return wanted }
        let matches = names.filter { $0.lowercased() == wanted.lowercased() }
        if matches.count == 1 { return matches[0] }
        guard matches.isEmpty else {
            let list = matches.joined(separator: ", ")
            faults.append(ConfigurationFault(place, "more than one environment has this name: \(list)"))
            return nil
        }
        let known = names.isEmpty ? "it holds no .json file" : "it holds \(names.joined(separator: ", "))"
        let nearest = Spelling.nearest(to: wanted, among: names).map { "; did you mean \($0)?" } ?? ""
        faults.append(
            ConfigurationFault(place, "no environment `\(wanted)` in \(directory); \(known)\(nearest)"))
        return nil
    }

    private func path(_ name: String) -> String { "\(directory)/\(name).json" }

    private func read(_ name: String, faults: inout [ConfigurationFault]) -> JSONDocument? {
        let path = path(name)
        guard let data = FileManager.default.contents(atPath: path), data.count <= Self.maximumBytes else {
            let message =
                FileManager.default.isReadableFile(atPath: path) ? "is no environment file" : "cannot be read"
            faults.append(ConfigurationFault(.environment(path), "the file \(message)"))
            return nil
        }
        do {
            return try DocumentReader.read(Array(data), file: path, syntax: .relaxed)
        } catch {
            faults += error.faults.map { ConfigurationFault(.file($0.location), $0.message) }
            return nil
        }
    }

    /// The variables that any environment in the directory takes by `${NAME}`: they are nobody's misspelling.
    func secretNames() -> Set<String> {
        var found: Set<String> = []
        for name in names {
            guard let data = FileManager.default.contents(atPath: path(name)) else { continue }
            found.formUnion(Interpolation.names(in: String(decoding: data, as: UTF8.self)))
        }
        return found
    }
}
