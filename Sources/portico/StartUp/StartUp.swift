import PorticoConfig
import PorticoSchema
import PorticoServer

/// What a server starts from, once everything about it has been found right.
struct StartUp {
    let loaded: LoadedConfiguration
    let schema: Schema
    /// Nil: the environment has none.
    let sandbox: SandboxContent?

    /// The checks that `check` and `serve` share: environment, schemas, and what each needs of the other. All faults of
    /// all of them are found.
    ///
    /// Schemas are compiled while environment and sandbox are read: a quarter of the time between start and first answer.
    static func check(
        _ options: EnvironmentOptions, in process: ProcessContext
    ) async throws(ConfigurationFaults) -> StartUp {
        async let compiled = compile(options, in: process)
        let read = Result { () throws(ConfigurationFaults) in try Surroundings(options, in: process) }
        let schemas = await compiled
        let found = try? read.get()
        guard let surroundings = found, case .success(let schema) = schemas else {
            throw ConfigurationFaults(read.faults + (found?.sandboxFaults ?? []) + schemas.faults)
        }
        let loaded = surroundings.loaded
        let directory = try SchemaDirectory.directory(options.schemas, in: process)
        let mismatches = loaded.faults(
            upstreams: schema.methods.flatMap { upstreamReferences(of: $0, directory) },
            routes: schema.methods.map(\.route))
        let faults = loaded.hidingSecrets(in: mismatches) + surroundings.sandboxFaults
        guard faults.isEmpty else { throw ConfigurationFaults(faults) }
        return StartUp(loaded: loaded, schema: schema, sandbox: surroundings.sandbox)
    }

    /// What needs no schema.
    private struct Surroundings {
        let loaded: LoadedConfiguration
        let sandbox: SandboxContent?
        let sandboxFaults: [ConfigurationFault]

        init(_ options: EnvironmentOptions, in process: ProcessContext) throws(ConfigurationFaults) {
            let (loaded, directory) = try loadEnvironment(options, in: process)
            var faults: [ConfigurationFault] = []
            sandbox = SandboxCheck(loaded: loaded, environmentsDirectory: directory)
                .content(reportingTo: &faults)
            sandboxFaults = loaded.hidingSecrets(in: faults)
            self.loaded = loaded
        }
    }

    private static func compile(
        _ options: EnvironmentOptions, in process: ProcessContext
    ) async -> Result<Schema, ConfigurationFaults> {
        Result { () throws(ConfigurationFaults) in
            try SchemaDirectory.compile(options.schemas, in: process)
        }
    }

    private static func upstreamReferences(
        of method: MethodDescriptor, _ directory: String
    ) -> [LoadedConfiguration.UpstreamReference] {
        switch method.binding {
        case .upstream(let binding):
            [.init(upstream: binding.base, location: method.location.inside(directory))]
        case .image(let binding): [.init(upstream: binding.base, location: method.location.inside(directory))]
        case .view, .compose, .builtIn: []
        }
    }

    /// An environment by itself, and the directory it lies in.
    static func loadEnvironment(
        _ options: EnvironmentOptions, in process: ProcessContext,
        secrets: ConfigurationLoader.Secrets = .required
    ) throws(ConfigurationFaults) -> (configuration: LoadedConfiguration, directory: String) {
        let directory = try Directories.find(
            "Environments", option: "environments", given: options.environments, in: process)
        let loaded = try ConfigurationLoader(directory: directory, variables: process.variables)
            .load(environment: options.environment, overrides: options.overrides, secrets: secrets)
        return (loaded, directory)
    }
}

extension StartUp {
    /// What was found right, in one line.
    var summary: String {
        let configuration = loaded.configuration
        let name = configuration.environment.lowercased()
        return
            "\(name) is ready to start: \(configuration.upstreams.count) upstreams, \(schema.methods.count) methods"
    }
}

extension Result where Failure == ConfigurationFaults {
    fileprivate var faults: [ConfigurationFault] {
        switch self {
        case .success: []
        case .failure(let error): error.faults
        }
    }
}
