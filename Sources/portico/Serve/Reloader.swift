import PorticoConfig
import PorticoEventLoop
import PorticoServer
import PorticoUpstream

/// Replaces what a running server serves with by what the files say now: read, validated and built before anything
/// changes, so that a fault changes nothing.
///
/// One reload at a time: a second one begins when the first has ended, and so sees the newest files.
actor Reloader {
    /// What a reload takes its files and its surroundings from.
    struct Source: Sendable {
        let options: EnvironmentOptions
        let process: ProcessContext
        /// Of the running sandbox, which base URLs `sandbox:NAME/` point at; nil: none runs.
        let sandboxPort: Int?
    }

    private let source: Source
    private let server: Server
    private let status: OperatorStatus
    private let log: Log
    private let repository: CurrentRepository
    /// What runs: the files' values, and those of the start where a restart is needed.
    private var running: LoadedConfiguration
    private var waiting: [Difference] = []
    private var last: Task<ReloadReport, Never>?

    init(
        _ source: Source, running: LoadedConfiguration, server: Server, repository: CurrentRepository,
        status: OperatorStatus, log: Log
    ) {
        self.source = source
        self.running = running
        self.server = server
        self.repository = repository
        self.status = status
        self.log = log
    }

    func reload() async -> ReloadReport {
        let former = last
        let task = Task {
            _ = await former?.value
            return await perform()
        }
        last = task
        return await task.value
    }

    private func perform() async -> ReloadReport {
        do {
            let startUp = try await StartUp.check(source.options, in: source.process)
            let reloading = try running.reloading(to: startUp.loaded)
            return await adopt(reloading, startUp)
        } catch {
            return refuse(error)
        }
    }

    private func adopt(_ reloading: Reloading, _ startUp: StartUp) async -> ReloadReport {
        let configuration = reloading.configuration.configuration.ready(sandboxPort: source.sandboxPort)
        let next: Repository
        do {
            next = try Repository(
                schema: startUp.schema, configuration: configuration, following: repository.value)
        } catch {
            let place = ConfigurationFault.Place.environment(configuration.environment)
            return refuse(ConfigurationFaults([ConfigurationFault(place, "\(error)")]))
        }
        log.use(configuration.log)
        await server.adopt(configuration: configuration, schema: startUp.schema, source: next)
        repository.value = next
        running = reloading.configuration
        waiting = reloading.waiting
        status.became(currentStatus())
        let report = ReloadReport(
            generation: server.generations.newest, applied: reloading.applied, waiting: waiting)
        tell(report)
        repository.watchUpstreams(configuration.operatorInterface)
        return report
    }

    private func refuse(_ faults: ConfigurationFaults) -> ReloadReport {
        let texts = faults.faults.map(\.description)
        var current = currentStatus()
        current.failure = .init(faults: texts, time: Host.wallClockMilliseconds / 1000)
        status.became(current)
        let report = ReloadReport(generation: server.generations.newest, faults: texts)
        tell(report)
        return report
    }

    func currentStatus() -> ConfigurationStatus {
        ConfigurationStatus(
            generation: server.generations.newest, environment: running.configuration.environment,
            values: running.values, waiting: waiting,
            readyNeeds: running.configuration.operatorInterface.readyNeeds)
    }

    private func tell(_ report: ReloadReport) {
        for fault in report.faults { log(.error, "a reload was refused", ["fault": .text(fault)]) }
        for difference in report.waiting {
            log(.warning, "a change needs a restart", ["change": .text(difference.text)])
        }
        guard report.faults.isEmpty else { return }
        log(
            .info, "the configuration was reloaded",
            [
                "generation": .number(report.generation),
                "changes": .text(report.applied.map(\.text).joined(separator: "; ")),
            ])
    }
}

extension Configuration {
    /// What the parts of a server are built from: sandbox URLs resolved, and what flags choose for all clients chosen.
    func ready(sandboxPort: Int?) -> Configuration {
        let chosen = choosingByFlags(timestamp: Host.wallClockMilliseconds / 1000)
        return sandboxPort.map { chosen.resolvingSandbox(port: $0) } ?? chosen
    }
}
