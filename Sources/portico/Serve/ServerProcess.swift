import Foundation
import PorticoConfig
import PorticoEventLoop
import PorticoSchema
import PorticoServer
import PorticoUpstream
import PorticoWire

/// The parts of a serving process, put together in the order in which they need each other.
///
/// The sandbox comes first, because base URLs point at it; then the repository, the server and the operator's HTTP.
/// Sandbox and operator share a loop of their own, so that they never slow a client.
struct ServerProcess {
    let address: SocketAddress
    private let server: Server
    private let repository: CurrentRepository
    private let status: OperatorStatus
    private let sideLoop: EventLoop
    private let log: Log
    let reloader: Reloader
    /// Where operators ask; nil: nowhere.
    let operatorAddress: SocketAddress?

    /// - Parameters:
    ///   - options: what a reload reads again, as the start did.
    /// - Throws: ``AddressFault``, and ``ServerError`` or ``SetupFault`` for what the checks should have found.
    static func start(
        _ startUp: StartUp, options: EnvironmentOptions, in process: ProcessContext
    ) async throws -> ServerProcess {
        let started = ContinuousClock.now
        let settings = startUp.loaded.configuration
        let log = Log(settings.log)
        let sideLoop = try EventLoop()
        try sideLoop.start()
        var addresses = OperatorStatus.Addresses()
        var sandboxPort: Int?
        if settings.sandbox.address != nil, let content = startUp.sandbox {
            let sandbox = try await startSandbox(content, settings.sandbox, on: sideLoop)
            sandboxPort = sandbox.port
            addresses.sandbox = "\(sandbox.address)"
        }
        let configuration = settings.ready(sandboxPort: sandboxPort)
        let metrics = Metrics()
        let repository = try Repository(
            schema: startUp.schema, configuration: configuration,
            surroundings: .init(events: { log.write($0) }))
        let current = CurrentRepository(repository)
        metrics.add { current.value.statistics.families }
        let server = Server(
            configuration: configuration, schema: startUp.schema, source: repository, log: log,
            metrics: metrics)
        let address = try await AddressFault.naming("listen.address", server.start)
        addresses.listen = "\(address)"
        let status = OperatorStatus(environment: configuration.environment, started: started)
        let reloader = Reloader(
            .init(options: options, process: process, sandboxPort: sandboxPort), running: startUp.loaded,
            server: server, repository: current, status: status, log: log)
        status.became(await reloader.currentStatus())
        status.reloads { await reloader.reload() }
        status.sees { current.value.health }
        var operatorAddress: SocketAddress?
        if let text = configuration.operatorInterface.address {
            let operators = try await AddressFault.naming("operator.address") {
                () async throws(SystemError) in
                try await OperatorServer.start(
                    address: text, loop: sideLoop, status: status, metrics: metrics)
            }
            operatorAddress = operators.address
            log(.info, "operators are served", ["address": .text("\(operators.address)")])
        }
        if let sandbox = addresses.sandbox {
            log(.info, "the sandbox is served", ["address": .text(sandbox)])
        }
        status.becameReady(at: addresses)
        current.watchUpstreams(configuration.operatorInterface)
        return ServerProcess(
            address: address, server: server, repository: current, status: status, sideLoop: sideLoop,
            log: log, reloader: reloader, operatorAddress: operatorAddress)
    }

    private static func startSandbox(
        _ content: SandboxContent, _ settings: Configuration.Sandbox, on loop: EventLoop
    ) async throws -> SandboxServer {
        do throws(ServerError) {
            return try await SandboxServer.start(serving: content, configuration: settings, loop: loop)
        } catch {
            guard case .system(let reason) = error else { throw error }
            throw AddressFault(key: "sandbox.address", error: reason)
        }
    }

    /// Lets calls in flight finish, up to the environment's limit, and ends everything.
    func drain() async {
        log(.info, "draining")
        status.beganDraining()
        repository.endWatch()
        await server.drain()
        sideLoop.stop()
        await sideLoop.join()
    }
}

/// An address that cannot be listened on, and the setting to change.
struct AddressFault: Error, CustomStringConvertible {
    let key: String
    let error: SystemError

    var description: String { "\(key): \(error); choose another address with --set \(key)=HOST:PORT" }

    static func naming<Value>(
        _ key: String, _ start: () async throws(SystemError) -> Value
    ) async throws(AddressFault) -> Value {
        do throws(SystemError) {
            return try await start()
        } catch {
            throw AddressFault(key: key, error: error)
        }
    }
}

extension Log {
    /// What upstreams and caches have to say. Their errors name upstreams, never a URL or a key.
    fileprivate func write(_ event: UpstreamEvent) {
        switch event {
        case .attemptFailed(let upstream, let error):
            self(
                .debug, "an upstream call failed",
                ["upstream": .text(upstream), "error": .text(CallError(error).text)])
        case .retryScheduled(let upstream, let delay):
            self(.debug, "a retry is due", ["upstream": .text(upstream), "after": .text("\(delay)")])
        case .refreshFailed(let route, let error):
            self(.warning, "a refresh failed", ["method": .text(route), "error": .text(error.text)])
        case .breakerChanged(let upstream, let state):
            self(
                state == .open ? .warning : .info, "a breaker has changed",
                ["upstream": .text(upstream), "state": .text("\(state)")])
        case .probed(let health):
            let (level, text): (Configuration.Log.Level, String) =
                switch health.state {
                case .fails: (.warning, "an upstream does not answer")
                case .answers, .notAsked: (.info, "an upstream answers again")
                }
            self(level, text, ["upstream": .text(health.name), "state": .text(health.text)])
        case .directoryUnusable(let directory):
            self(.warning, "a directory cannot be used; memory only", ["directory": .text(directory)])
        case .directoryReadOnly(let directory):
            self(
                .warning, "a directory cannot be written to; what it holds is served",
                ["directory": .text(directory)])
        case .diskEntryDropped(let file):
            self(.warning, "a damaged file was removed", ["file": .text(file)])
        }
    }
}
