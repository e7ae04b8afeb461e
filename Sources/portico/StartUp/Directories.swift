import Foundation
import PorticoConfig

/// Finds the directories of schemas and of environment files.
enum Directories {
    /// - Parameters:
    ///   - name: `Schemas` or `Environments`.
    ///   - option: the option that names another one.
    ///   - given: that option's value; it is taken as it is.
    /// - Returns: what was given; else the directory of this name where the program was started; else the nearest one
    ///   beside the program or above it, so that a checked-out package works from anywhere.
    static func find(
        _ name: String, option: String, given: String?, in process: ProcessContext
    ) throws(ConfigurationFaults) -> String {
        if let given {
            guard isDirectory(absolute(given, in: process)) else {
                throw fault("--\(option) \(given)", "there is no such directory")
            }
            return given
        }
        if isDirectory(absolute(name, in: process)) { return name }
        var ancestor = process.executable
        while ancestor != "/", !ancestor.isEmpty {
            ancestor = (ancestor as NSString).deletingLastPathComponent
            let candidate = (ancestor as NSString).appendingPathComponent(name)
            if isDirectory(candidate) { return candidate }
        }
        throw fault(
            name, "there is no such directory here, nor beside the program; name one with --\(option) DIR")
    }

    private static func absolute(_ path: String, in process: ProcessContext) -> String {
        path.hasPrefix("/") ? path : "\(process.currentDirectory)/\(path)"
    }

    /// Listing one is the quickest way to tell; what cannot be listed is asked for what it is.
    private static func isDirectory(_ path: String) -> Bool {
        (try? FileManager.default.contentsOfDirectory(atPath: path)) != nil
            || (try? URL(filePath: path).resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory == true
    }

    private static func fault(_ subject: String, _ message: String) -> ConfigurationFaults {
        ConfigurationFaults([ConfigurationFault(.environment(subject), message)])
    }
}
