import PorticoClient
import PorticoConfig
import PorticoSchema
import PorticoServer
import Testing

@testable import PorticoUpstream
@testable import portico

/// A whole server as Test has it, before a sandbox that misbehaves, and a client of it.
struct FaultStage {
    static let employees = "directory.v1.Directory/ListEmployees"
    static let teams = "directory.v1.Directory/GroupByTeam"
    static let employeesPath = "directory/employees.json"
    /// What ``occupy()`` asks for.
    static let basePath = "directory"
    static let fresh = Duration.seconds(60)
    static let bodyLimitBytes = 64 << 10

    let repository: Repository
    let clock = ShiftedClock()
    let client: PorticoClient
    private let server: Server

    /// - Parameters:
    ///   - callsAtATime: to the upstream.
    ///   - directory: of the last good answers; nil: none are kept on disk.
    init(
        _ row: FaultRow, _ startUp: StartUp, sandboxPort: Int, callsAtATime: Int, directory: String? = nil
    ) async throws {
        var settings = startUp.loaded.configuration
        settings.listen = Configuration.Listen()
        settings.listen.address = "127.0.0.1:0"
        settings.listen.loops = 1
        settings.cache.fresh = Self.fresh
        settings.cache.directory = directory
        settings.decode.mode = row.decoding
        settings.limits.callTimeout = row.patience
        settings.upstreams["directory"]?.timeout = row.attempt
        settings.upstreams["directory"]?.maxBodyBytes = Self.bodyLimitBytes
        settings.upstreams["directory"]?.retry.maxRetryAfter = FaultRow.maximumRetryAfter
        settings.upstreams["directory"]?.concurrency.limit = callsAtATime
        let configuration = settings.resolvingSandbox(port: sandboxPort)
        // No jitter: every pause is nothing, but for those that the upstream asks for.
        repository = try Repository(
            schema: startUp.schema, configuration: configuration,
            surroundings: .init(clock: clock, dice: Dice { 0 }))
        server = Server(
            configuration: configuration, schema: startUp.schema, source: repository,
            log: Log(configuration.log, write: { _ in }))
        client = try PorticoClient.connect(to: "\(try await server.start())")
    }

    func end() async {
        client.close()
        await server.stop()
    }

    /// - Parameter route: of the employees, or of what is derived from them.
    func call(_ route: String = employees) async throws -> Reply { try await client.call(route, request: []) }

    /// Nothing is under way, nobody waits.
    var isAtRest: Bool {
        repository.inFlight == (0, 0, 0)
            && repository.statistics.upstreams.allSatisfy { $0.running == 0 && $0.waiting == 0 }
    }

    /// Looks whether the upstream is there, which the sandbox is to leave unanswered: until it is cancelled, it takes a
    /// place among the calls to the upstream.
    func occupy() throws -> Task<UpstreamProbe, Never> {
        let upstream = try #require(repository.upstreams.clients["directory"])
        return Task { await upstream.probe() }
    }
}
