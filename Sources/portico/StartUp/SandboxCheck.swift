import PorticoSchema
import Foundation
import PorticoConfig
import PorticoServer
import PorticoTranscode

/// Whether the sandbox can serve what the environment expects of it: its folder is read as starting would read it,
/// and every base URL `sandbox:NAME/` has a folder of that name.
struct SandboxCheck {
    let loaded: LoadedConfiguration
    let environmentsDirectory: String

    var faults: [ConfigurationFault] {
        guard loaded.configuration.needsSandbox else { return [] }
        let directory = URL(filePath: environmentsDirectory).appending(path: "Sandbox")
        do throws(ServerError) {
            return missingFolders(known: try SandboxContent(readingFrom: directory).names)
        } catch {
            guard case .badSandbox(let faults) = error else {
                return [ConfigurationFault(.environment(directory.path), "\(error)")]
            }
            return faults.map { ConfigurationFault(.file($0.location), $0.message) }
        }
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
