import Foundation
import PorticoConfig
import PorticoEventLoop
import PorticoSchema
import PorticoServer
import PorticoUpstream

/// A whole server whose every answer is fetched: no two calls are alike. With a loop for each core, as it is shipped and as
/// Go does.
enum PorticoSide {
    enum Transport: String { case eventLoop, session }

    /// So small that it is full after the first thousands of calls.
    private static let cacheBytes = 16 << 20

    /// - Returns: its port; it ends with the process.
    static func start(baseURL: String, _ transport: Transport) async throws -> UInt16 {
        var configuration = Configuration(environment: "Benchmark")
        configuration.listen.address = "127.0.0.1:0"
        configuration.log.level = .error
        configuration.cache.maxBytes = cacheBytes
        // The shipped services come with their messages; nobody calls them.
        for name in ["bench", "starwars"] { configuration.upstreams[name] = .init(baseURL: baseURL) }
        let schema = try schema()
        let repository: Repository
        switch transport {
        case .eventLoop: repository = try Repository(schema: schema, configuration: configuration)
        case .session:
            let session = URLSessionTransport()
            repository = try Repository(
                schema: schema, configuration: configuration, transports: { _, _ in session })
        }
        let server = Server(
            configuration: configuration, schema: schema, source: repository, log: Log(configuration.log))
        return UInt16(try await server.start().port ?? 0)
    }

    private static func schema() throws -> Schema {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Schemas")
        let shipped = ["portico/v1/options.proto", "starwars/v1/characters.proto"]
        let files = try shipped.map { path in
            SchemaFile(
                path: path, text: try String(contentsOf: folder.appending(path: path), encoding: .utf8))
        }
        return try SchemaCompiler.compile(
            files: files + [SchemaFile(path: "bench/v1/bench.proto", text: text)])
    }

    private static let text = """
        syntax = "proto3";
        package bench.v1;
        import "portico/v1/options.proto";
        import "starwars/v1/characters.proto";
        service Bench {
          rpc ListPage(starwars.v1.ListPeopleRequest) returns (starwars.v1.PeoplePage) {
            option (portico.v1.upstream) = { base: "bench" get: "people/?page={page}" };
          }
          rpc GroupPage(starwars.v1.ListPeopleRequest) returns (starwars.v1.EyeColorGroups) {
            option (portico.v1.view) = {
              from: "ListPage" group { by: "eye_color" order: KEY label: "{key} ({count})" }
            };
          }
        }
        """
}
