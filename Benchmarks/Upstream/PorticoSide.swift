import Foundation
import PorticoClient
import PorticoConfig
import PorticoSchema
import PorticoServer
import PorticoUpstream
import PorticoWire

/// A whole server whose every answer is fetched, with clients connected to it.
struct PorticoSide {
    private static let route = "bench.v1.Bench/GroupPage"
    private static let clientCount = 4

    private let server: Server
    private let clients: [PorticoClient]

    static func start(baseURL: String, transport: any HTTPTransport) async throws -> PorticoSide {
        var configuration = Configuration(environment: "Benchmark")
        configuration.listen.address = "127.0.0.1:0"
        configuration.log.level = .error
        configuration.cache.fresh = .zero
        configuration.cache.stale = .zero
        configuration.cache.maxBytes = 1 << 20
        // The shipped services come with their messages; nobody calls them.
        for name in ["bench", "starwars"] { configuration.upstreams[name] = .init(baseURL: baseURL) }
        let schema = try schema()
        let repository = try Repository(
            schema: schema, configuration: configuration, transports: { _, _ in transport })
        let server = Server(
            configuration: configuration, schema: schema, source: repository, log: Log(configuration.log))
        let address = try await server.start()
        let clients = try (0..<clientCount).map { _ in try PorticoClient.connect(to: "\(address)") }
        return PorticoSide(server: server, clients: clients)
    }

    func call(_ caller: Int, _ number: Int) async throws -> [UInt8] {
        var writer = ProtobufWriter()
        writer.varintField(1, UInt64(number))
        return try await clients[caller % clients.count].call(Self.route, request: writer.bytes).message
    }

    func stop() async {
        for client in clients { client.close() }
        await server.stop()
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
