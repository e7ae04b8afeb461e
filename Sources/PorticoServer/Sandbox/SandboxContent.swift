package import Foundation
import PorticoSchema
import PorticoTranscode

/// Everything the sandbox serves, read once and kept in memory: it is small, and an event loop must not wait for disks.
package struct SandboxContent: Sendable {
    struct Upstream: Sendable {
        /// Nil: the files are served under their own paths.
        var routes: [SandboxRoute]?
        /// By path below the upstream's folder.
        var files: [String: [UInt8]]
        /// The files that are JSON arrays of objects, by path; writes change them.
        var data: [String: [JSONValue]] = [:]
    }
    /// By folder, which is the upstream's name.
    var upstreams: [String: Upstream] = [:]

    /// The folders, sorted.
    package var names: [String] { upstreams.keys.sorted() }

    private static let routesFile = "routes.json"

    /// Reads the folder `Environments/Sandbox`; `README.md` beside the folders and hidden files are left out.
    ///
    /// - Throws: ``ServerError/badSandbox(_:)`` with every fault of every file.
    package init(readingFrom directory: URL) throws(ServerError) {
        var faults: [DocumentFault] = []
        for folder in try Self.entries(of: directory) where folder.hasDirectoryPath {
            let name = folder.lastPathComponent
            upstreams[name] = try Self.upstream(name, in: folder, &faults)
        }
        guard faults.isEmpty else { throw .badSandbox(faults) }
    }

    private static func upstream(
        _ name: String, in folder: URL, _ faults: inout [DocumentFault]
    ) throws(ServerError) -> Upstream {
        var files = try readFiles(in: folder, prefix: "")
        guard let routes = files.removeValue(forKey: routesFile) else { return Upstream(files: files) }
        let documents = documents(files, of: folder, &faults)
        do throws(DocumentFaults) {
            let path = folder.appending(path: routesFile).path
            let document = try DocumentReader.read(routes, file: path, syntax: .relaxed)
            var reader = SandboxRouteReader { documents[$0] != nil }
            let routes = reader.routes(of: document)
            faults += reader.faults
            return Upstream(routes: routes, files: files, data: documents)
        } catch {
            faults += error.faults
            return Upstream(routes: [], files: files)
        }
    }

    /// The JSON files of a folder that are arrays of objects.
    private static func documents(
        _ files: [String: [UInt8]], of folder: URL, _ faults: inout [DocumentFault]
    ) -> [String: [JSONValue]] {
        var documents: [String: [JSONValue]] = [:]
        for (name, bytes) in files where name.hasSuffix(".json") {
            do throws(DocumentFaults) {
                let path = folder.appending(path: name).path
                let document = try DocumentReader.read(bytes, file: path, syntax: .relaxed)
                documents[name] = document.value.objects
            } catch {
                faults += error.faults
            }
        }
        return documents
    }

    private static func readFiles(in folder: URL, prefix: String) throws(ServerError) -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for entry in try entries(of: folder) {
            let name = prefix + entry.lastPathComponent
            if entry.hasDirectoryPath {
                files.merge(try readFiles(in: entry, prefix: name + "/")) { $1 }
            } else {
                guard let data = try? Data(contentsOf: entry) else { throw unreadable(entry) }
                files[name] = [UInt8](data)
            }
        }
        return files
    }

    private static func entries(of folder: URL) throws(ServerError) -> [URL] {
        let entries = try? FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: [.isDirectoryKey], options: .skipsHiddenFiles)
        guard let entries else { throw unreadable(folder) }
        return entries.sorted { $0.path < $1.path }
    }

    private static func unreadable(_ entry: URL) -> ServerError {
        let location = SourceLocation(file: entry.path, line: 1, column: 1)
        return .badSandbox([DocumentFault(location, "it cannot be read")])
    }
}

extension SandboxContent {
    /// The content with `{{origin}}` filled in wherever data or text files hold it.
    func resolvingOrigin(_ origin: String) -> SandboxContent {
        var copy = self
        copy.upstreams = upstreams.mapValues { upstream in
            var upstream = upstream
            upstream.data = upstream.data.mapValues { $0.map { $0.resolvingOrigin(origin) } }
            for (path, bytes) in upstream.files
            where ContentType(path: path).isText && bytes.holdsOriginMark {
                guard let text = String(validating: bytes, as: UTF8.self) else { continue }
                upstream.files[path] = Array(text.resolvingOrigin(origin).utf8)
            }
            return upstream
        }
        return copy
    }
}

extension JSONValue {
    /// The elements of an array that holds nothing but objects.
    fileprivate var objects: [JSONValue]? {
        guard case .array(let elements) = self else { return nil }
        let areObjects = elements.allSatisfy { if case .object = $0 { true } else { false } }
        return areObjects ? elements : nil
    }
}
