import Foundation

/// A directory of its own for one test, gone with it.
final class TemporaryDirectory: Sendable {
    let path: String

    init() throws {
        path =
            FileManager.default.temporaryDirectory.appendingPathComponent("portico-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var files: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }

    func read(_ name: String) -> [UInt8] {
        [UInt8](FileManager.default.contents(atPath: "\(path)/\(name)") ?? Data())
    }

    func write(_ bytes: [UInt8], to name: String) {
        _ = FileManager.default.createFile(atPath: "\(path)/\(name)", contents: Data(bytes))
    }

    /// For everybody but root, who may do anything.
    func allowOnlyReading() throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: path)
    }

    /// Where the descriptors of this process lead that are open in here; a file that has no name any more ends in ` (deleted)`.
    var openFiles: [String] {
        let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return descriptors.compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
        }.filter { $0.hasPrefix(path + "/") }
    }

    func remove(_ name: String) { try? FileManager.default.removeItem(atPath: "\(path)/\(name)") }
}
