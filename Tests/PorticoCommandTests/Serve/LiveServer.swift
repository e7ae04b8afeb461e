import Foundation
import PorticoClient
import PorticoConfig
import PorticoServer

@testable import portico

/// A whole serving process, with its environment in a directory that the test rewrites.
struct LiveServer {
    let directory: String
    let process: ServerProcess

    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path

    /// A small environment on ports of the system's choosing.
    static func environment(
        flag: String = "on", people: String = "sandbox:starwars/", more: String = "",
        operators: String = ""
    ) -> String {
        let others = ["staff", "staff-images", "directory", "directory-photos", "tv", "tv-images"].map {
            "\"\($0)\": { \"baseURL\": \"sandbox:\($0)/\" }"
        }
        return """
            { "listen": { "address": "127.0.0.1:0", "loops": 2 }, "operator": { "address": "127.0.0.1:0"\(operators) },
              "sandbox": { "address": "127.0.0.1:0" }, "log": { "level": "error" }, \(more)
              "upstreams": { "starwars": { "baseURL": "\(people)" }, \(others.joined(separator: ", ")) },
              "flags": { "f": { "variants": { "on": true, "off": false }, "defaultVariant": "\(flag)" } } }
            """
    }

    static func run(_ text: String = environment(), _ body: (LiveServer) async throws -> Void) async throws {
        let files = FileManager.default
        let directory = files.temporaryDirectory.appending(path: "portico-\(UUID().uuidString)").path
        try files.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? files.removeItem(atPath: directory) }
        try files.copyItem(atPath: "\(root)/Environments/Sandbox", toPath: "\(directory)/Sandbox")
        try Data(text.utf8).write(to: URL(filePath: "\(directory)/Live.json"))
        var options = EnvironmentOptions()
        options.environment = "live"
        options.environments = directory
        options.schemas = "\(root)/Schemas"
        let context = ProcessContext(variables: [:], currentDirectory: root, executable: "\(root)/portico")
        let startUp = try await StartUp.check(options, in: context)
        let server = LiveServer(
            directory: directory,
            process: try await ServerProcess.start(
                startUp, options: options,
                in: context))
        do {
            try await body(server)
        } catch {
            await server.process.drain()
            throw error
        }
        await server.process.drain()
    }

    /// As an editor saves: beside it, then renamed over it.
    func replace(_ text: String) throws {
        let place = "\(directory)/Live.json"
        try Data(text.utf8).write(to: URL(filePath: "\(place).new"))
        guard unsafe rename("\(place).new", place) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    func reload() async -> ReloadReport { await process.reloader.reload() }

    func connect() throws -> PorticoClient { try PorticoClient.connect(to: "\(process.address)") }
}
