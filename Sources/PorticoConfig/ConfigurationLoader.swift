import PorticoSchema
import PorticoTranscode

/// Builds a ``Configuration`` from its layers: built-in default < environment file, its base first <
/// environment variable `PORTICO_…` < `--set`. Every fault of every layer is found in one go.
package struct ConfigurationLoader: Sendable {
    private let directory: String
    private let variables: [String: String]

    /// - Parameters:
    ///   - directory: of the environment files.
    ///   - variables: the process environment.
    package init(directory: String, variables: [String: String]) {
        self.directory = directory
        self.variables = variables
    }

    /// What is done about `${NAME}` whose variable is not set.
    package enum Secrets: Sendable {
        /// It is a fault.
        case required
        /// The name stands for the value: to compare environments where their secrets are not at hand.
        case byName
    }

    /// - Parameters:
    ///   - environment: its name in any case.
    ///   - overrides: from the command line; of two for one key the later one counts.
    package func load(
        environment: String, overrides: [Override] = [], secrets: Secrets = .required
    ) throws(ConfigurationFaults) -> LoadedConfiguration {
        let files = try EnvironmentFiles(directory: directory)
        var layers = Layers()
        let parts = files.chain(for: environment, faults: &layers.faults)
        guard let name = parts.last?.name else { throw ConfigurationFaults(layers.faults) }
        // A chain that breaks off would make everything its missing base defines look misspelt or missing.
        let isBroken = !layers.faults.isEmpty

        var fileLayer = FileLayer(over: layers)
        for part in parts { fileLayer.read(part.document) }
        var namedLayers = NamedLayers(over: fileLayer.layers)
        if !isBroken {
            let secretNames = files.secretNames()
            namedLayers.read(variables: variables, isSecret: secretNames.contains)
            namedLayers.read(overrides: overrides)
        }

        var assembly = Assembly(
            environment: name, layers: namedLayers.layers, variables: variables, secrets: secrets)
        assembly.checkReplacedValues()
        assembly.writeValues()
        if !isBroken { assembly.checkWhole() }
        let faults = assembly.sortedFaults(files: parts.map(\.document.location.file))
        guard faults.isEmpty else { throw ConfigurationFaults(faults) }
        return assembly.loaded
    }
}
