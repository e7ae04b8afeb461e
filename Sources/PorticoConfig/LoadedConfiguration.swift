package import PorticoSchema

/// A configuration, and where each of its values came from.
package struct LoadedConfiguration: Sendable {
    package let configuration: Configuration
    /// Every value in force, in the order of the documentation.
    package let values: [Value]
    let taken: TakenVariables

    package struct Value: Sendable, Equatable {
        /// `upstreams.tv.timeout`
        package let key: String
        /// As `--set` takes it; `«secret»` for whatever is one.
        package let shown: String
        package let origin: Origin
    }

    /// What is about to be told of this environment, with the names of variables in place of their values.
    package func hidingSecrets(in text: String) -> String { taken.hidden(in: text) }

    /// As ``hidingSecrets(in:)``.
    package func hidingSecrets(in faults: [ConfigurationFault]) -> [ConfigurationFault] {
        faults.map(taken.hiding)
    }

    package func origin(of key: String) -> Origin? { values.first { $0.key == key }?.origin }

    /// An upstream as a schema names it.
    package struct UpstreamReference: Sendable {
        package var upstream: String
        package var location: SourceLocation
        package init(upstream: String, location: SourceLocation) {
            self.upstream = upstream
            self.location = location
        }
    }

    /// What environment and schemas must agree on: each upstream that a schema names has a base URL, and each method
    /// that the environment names exists.
    /// - Parameter routes: `package.Service/Method` of every method.
    package func faults(
        upstreams references: [UpstreamReference], routes: [String]
    ) -> [ConfigurationFault] {
        let names = configuration.upstreams.keys.sorted()
        let missing = references.filter { configuration.upstreams[$0.upstream] == nil }.map { reference in
            let name = reference.upstream
            let hint = Self.hint(name, among: names)
            return ConfigurationFault(
                .file(reference.location),
                "the environment \(configuration.environment) defines no upstream `\(name)`"
                    + (hint.isEmpty ? "; set upstreams.\(name).baseURL in its file" : hint))
        }
        return missing + unknownRoutes(known: routes)
    }

    private func unknownRoutes(known routes: [String]) -> [ConfigurationFault] {
        let caches = configuration.cache.methods.keys.sorted().map { ("cache.methods.\($0)", $0) }
        let decodes = configuration.decode.methods.keys.sorted().map { ("decode.methods.\($0)", $0) }
        let flags = configuration.methods.keys.sorted().map { ("methods.\($0)", $0) }
        return (caches + decodes + flags).filter { !routes.contains($0.1) }.map { key, route in
            ConfigurationFault(
                place(of: key), "\(key): no schema has the method \(route)" + Self.hint(route, among: routes))
        }
    }

    /// Where the key, or the first key inside it that a layer gives, was written.
    package func place(of key: String) -> ConfigurationFault.Place {
        let value = values.first { ($0.key == key || $0.key.hasPrefix(key + ".")) && $0.origin != .builtIn }
        switch value?.origin {
        case .file(let location), .secret(_, let location): return .file(location)
        case .variable(let name): return .variable(name)
        case .option(let option): return .option(option)
        case .builtIn, nil: return .environment(configuration.environment)
        }
    }

    private static func hint(_ name: String, among candidates: [String]) -> String {
        Spelling.nearest(to: name, among: candidates).map { "; did you mean \($0)?" } ?? ""
    }
}
