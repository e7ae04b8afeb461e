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
    static func check(
        _ options: EnvironmentOptions, in process: ProcessContext
    ) throws(ConfigurationFaults) -> StartUp {
        var faults: [ConfigurationFault] = []
        var loaded: (configuration: LoadedConfiguration, directory: String)?
        var schema: Schema?
        do { loaded = try loadEnvironment(options, in: process) } catch { faults += error.faults }
        do { schema = try SchemaDirectory.compile(options.schemas, in: process) } catch {
            faults += error.faults
        }
        guard let (loaded, directory) = loaded, let schema else { throw ConfigurationFaults(faults) }
        let schemas = try SchemaDirectory.directory(options.schemas, in: process)
        faults = loaded.faults(
            upstreams: schema.methods.flatMap { upstreamReferences(of: $0, schemas) },
            routes: schema.methods.map(\.route))
        let sandbox = SandboxCheck(loaded: loaded, environmentsDirectory: directory)
            .content(reportingTo: &faults)
        guard faults.isEmpty else { throw ConfigurationFaults(loaded.hidingSecrets(in: faults)) }
        return StartUp(loaded: loaded, schema: schema, sandbox: sandbox)
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
