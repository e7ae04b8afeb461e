import PorticoConfig

/// `portico serve`
struct ServeCommand: Equatable, Sendable {
    var environment = EnvironmentOptions()

    static let definition = CommandDefinition(
        name: "serve",
        summary: "Start the server (the command that needs no name).",
        details: """
            Checks schemas and environment, then serves until SIGTERM or SIGINT, and finishes the calls in flight.
            SIGHUP and `portico reload` read environment and schemas again, without losing a connection or a call.
            """,
        operands: [],
        options: EnvironmentOptions.options + [
            .init(name: "listen", value: "ADDRESS", help: "HOST:PORT or unix:PATH; as --set listen.address=…")
        ])

    init() {}

    init(_ parsed: ParsedArguments) throws(UsageError) {
        environment = try EnvironmentOptions(parsed, command: Self.definition.name)
        if let address = parsed.value("listen") {
            environment.overrides.append(Override(key: "listen.address", value: address, option: "--listen"))
        }
    }

    func run(_ console: Console, in process: ProcessContext = .current) async -> ExitStatus {
        let signals = Signals()  // first of all: a SIGHUP that comes early must not end the process
        let startUp: StartUp
        do {
            startUp = try await StartUp.check(environment, in: process)
        } catch {
            console.report(error)
            return .configuration
        }
        do {
            let server = try await ServerProcess.start(startUp, options: environment, in: process)
            let name = startUp.loaded.configuration.environment.lowercased()
            console.print("portico: \(name) ready on \(server.address)")
            await signals.waitForEnd { _ = await server.reloader.reload() }
            await server.drain()
            return .success
        } catch {
            console.fail(startUp.loaded.hidingSecrets(in: "\(error)"))
            return .unavailable
        }
    }
}
