import PorticoConfig

/// What a server starts from, once everything about it has been found right.
struct StartUp {
    let loaded: LoadedConfiguration

    /// The checks that `check` and `serve` share: environment, schemas, and what each needs of the other. All faults of
    /// all of them are found.
    static func check(
        _ options: EnvironmentOptions, in process: ProcessContext
    ) throws(ConfigurationFaults) -> StartUp {
        StartUp(loaded: try loadEnvironment(options, in: process))
    }

    static func loadEnvironment(
        _ options: EnvironmentOptions, in process: ProcessContext
    ) throws(ConfigurationFaults) -> LoadedConfiguration {
        let directory = try Directories.find(
            "Environments", option: "environments", given: options.environments, in: process)
        return try ConfigurationLoader(directory: directory, variables: process.variables)
            .load(environment: options.environment, overrides: options.overrides)
    }
}

extension StartUp {
    /// What was found right, in one line.
    var summary: String {
        let configuration = loaded.configuration
        let name = configuration.environment.lowercased()
        return "\(name) is ready to start: \(configuration.upstreams.count) upstreams"
    }
}
