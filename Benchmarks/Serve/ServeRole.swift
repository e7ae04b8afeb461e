import CAllocations
import CServePeers
import Foundation
import PorticoConfig
import PorticoEventLoop
import PorticoSchema
import PorticoServer
import PorticoUpstream

/// What this program is when one of its benchmarks has started it a second time: each side has a process of its own, so
/// that its memory, processor time and allocations can be told from the others'.
enum ServeRole {
    static let word = "serve-role"

    case bare(answer: [UInt8], loops: Int)
    case portico(loops: Int)
    /// The server with a repository that fetches from `baseURL`.
    case fetching(baseURL: String, PorticoSide.Transport)
    /// What it fetches from where there is no nginx.
    case pages
    case observed(loops: Int)
    case load(LoadPlan)
    /// The server of the images benchmark.
    case pictures(ServedPictures.Place)
    case pictureLoad(PictureLoad)

    /// Nil: this is the program that the user has started.
    init?(_ words: [String]) {
        guard words.count >= 2, words[0] == Self.word else { return nil }
        let rest = Array(words[2...])
        switch words[1] {
        case "bare":
            self = .bare(answer: Array(Data(base64Encoded: rest[0]) ?? Data()), loops: Int(rest[1]) ?? 1)
        case "portico": self = .portico(loops: Int(rest[0]) ?? 1)
        case "fetching":
            guard let transport = PorticoSide.Transport(rawValue: rest[1]) else { return nil }
            self = .fetching(baseURL: rest[0], transport)
        case "pages": self = .pages
        case "observed": self = .observed(loops: Int(rest[0]) ?? 1)
        case "load":
            guard let plan = LoadPlan(words: rest) else { return nil }
            self = .load(plan)
        case "pictures": self = .pictures(ServedPictures.Place(words: rest))
        case "picture-load":
            guard let load = PictureLoad(words: rest) else { return nil }
            self = .pictureLoad(load)
        default: return nil
        }
    }

    func run() -> Int32 {
        switch self {
        case .bare(let answer, let loops):
            unsafe bare_server_run(answer, answer.count, Int32(clamping: loops))
        case .portico(let loops):
            Self.serve(StarWarsSchema.schema, upstream: "starwars", CannedTransport(), loops: loops)
        case .observed(let loops):
            Self.serve(ObservedNotes.schema, upstream: "notes", ObservedNotes.Upstream(), loops: loops)
        case .fetching(let baseURL, let transport):
            Self.run { try await PorticoSide.start(baseURL: baseURL, transport) }
        case .pages: Self.run { try await PageServer.start() }
        case .load(let plan): plan.run()
        case .pictures(let place): Self.run { try await ServedPictures.start(place) }
        case .pictureLoad(let load): load.run()
        }
    }

    private static func serve(
        _ schema: Schema, upstream: String, _ transport: any HTTPTransport, loops: Int
    ) -> Int32 {
        var configuration = Configuration(environment: "Benchmark")
        configuration.listen.address = "127.0.0.1:0"
        configuration.listen.loops = loops
        configuration.limits.connections = 20_000
        configuration.cache.fresh = .seconds(3600)
        configuration.log.level = .warning
        configuration.upstreams[upstream] = Configuration.Upstream(baseURL: "http://127.0.0.1:1/")
        var descriptors = rlimit(rlim_cur: 20_000, rlim_max: 20_000)
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &descriptors)
        return run { [configuration] in
            let repository = try Repository(
                schema: schema, configuration: configuration, transports: { _, _ in transport })
            let server = Server(
                configuration: configuration, schema: schema, source: repository,
                log: Log(configuration.log))
            return UInt16(try await server.start().port ?? 0)
        }
    }

    /// Says `ready PORT`, then how many allocations there were for each line it reads, until there are no more.
    ///
    /// - Parameter start: starts a server and gives its port.
    private static func run(_ start: @escaping @Sendable () async throws -> UInt16) -> Int32 {
        Task {
            do { say("ready \(try await start())") } catch { say("failed: \(error)") }
        }
        while readLine() != nil { say(String(allocations_so_far())) }
        return 0
    }

    static func say(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }
}
