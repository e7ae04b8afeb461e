import PorticoSchema
import Foundation
import PorticoConfig
import PorticoSchema
import PorticoServer
import PorticoTranscode

/// Whether the sandbox can serve what the environment expects of it: its folder is read as starting would read it,
/// and every base URL `sandbox:NAME/` has a folder of that name.
struct SandboxCheck {
    let loaded: LoadedConfiguration
    let environmentsDirectory: String

    /// - Returns: what is served; nil: nothing is.
    func content(reportingTo faults: inout [ConfigurationFault]) -> SandboxContent? {
        let configuration = loaded.configuration
        guard configuration.needsSandbox || configuration.sandbox.address != nil else { return nil }
        let directory = URL(filePath: environmentsDirectory).appending(path: "Sandbox")
        do throws(ServerError) {
            let content = try SandboxContent(readingFrom: directory)
            faults += missingFolders(known: content.names)
            return content
        } catch {
            guard case .badSandbox(let found) = error else {
                faults.append(ConfigurationFault(.environment(directory.path), "\(error)"))
                return nil
            }
            faults += found.map {
                ConfigurationFault(.file(named($0.location, below: directory)), $0.message)
            }
            return nil
        }
    }

    /// The same place, its file named from where the program was started, as files of schemas and environments are.
    private func named(_ location: SourceLocation, below directory: URL) -> SourceLocation {
        guard location.file.hasPrefix(directory.path) else { return location }
        let path = location.file.dropFirst(directory.path.count)
        return SourceLocation(
            file: "\(environmentsDirectory)/Sandbox\(path)", line: location.line, column: location.column)
    }

    private func missingFolders(known: [String]) -> [ConfigurationFault] {
        loaded.configuration.upstreams.sorted { $0.key < $1.key }.compactMap { name, upstream in
            guard let folder = Configuration.sandboxFolder(of: upstream.baseURL), !known.contains(folder)
            else { return nil }
            let advice = Spelling.nearest(to: folder, among: known).map { "; did you mean \($0)?" } ?? ""
            return ConfigurationFault(
                loaded.place(of: "upstreams.\(name).baseURL"), "the sandbox has no folder \(folder)\(advice)")
        }
    }
}
