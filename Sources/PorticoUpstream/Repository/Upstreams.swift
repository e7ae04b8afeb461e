internal import PorticoConfig

/// The clients of a repository's upstreams, and what is needed to make those of the next.
package struct Upstreams: Sendable {
    let clients: [String: UpstreamClient]
    private let transports: Repository.Transports

    init(
        _ configuration: Configuration, transports: @escaping Repository.Transports,
        surroundings: UpstreamClient.Surroundings
    ) throws(SetupFault) {
        try self.init(configuration, transports, surroundings, reusing: [:])
    }

    /// A client whose settings are the same is the same one, with its breaker, its budget and its counts.
    init(
        _ configuration: Configuration, following previous: Upstreams,
        surroundings: UpstreamClient.Surroundings
    ) throws(SetupFault) {
        try self.init(configuration, previous.transports, surroundings, reusing: previous.clients)
    }

    private init(
        _ configuration: Configuration, _ transports: @escaping Repository.Transports,
        _ surroundings: UpstreamClient.Surroundings, reusing known: [String: UpstreamClient]
    ) throws(SetupFault) {
        var clients: [String: UpstreamClient] = [:]
        for (name, settings) in configuration.upstreams.sorted(by: { $0.key < $1.key }) {
            if let same = known[name], same.settings == settings {
                clients[name] = same
                continue
            }
            guard
                let client = UpstreamClient(
                    name: name, settings: settings, transport: transports(name, settings),
                    surroundings: surroundings)
            else { throw .badBaseURL(upstream: name) }
            clients[name] = client
        }
        self.clients = clients
        self.transports = transports
    }

    var byName: [UpstreamClient] { clients.values.sorted { $0.name < $1.name } }

    /// Asks those that nobody has asked yet whether they are there, and those that fail, as ``UpstreamWatch`` decides;
    /// until the task is cancelled.
    package func watch() async {
        await withTaskGroup(of: Void.self) { group in
            for client in byName { group.addTask { await client.watch() } }
        }
    }
}
