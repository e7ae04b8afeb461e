import PorticoConfig
import PorticoSchema
import PorticoUpstream
import PorticoWire

/// What all connections of all loops share: one generation of it. It does not change; a reload makes another one, and
/// this one is freed when the last call that began with it has ended.
final class Services: Sendable {
    let limits: Configuration.Limits
    /// Of each connection.
    let sessionLimits: SessionLimits
    /// A load balancer stands in front.
    let expectsProxyHeader: Bool
    let router: Router
    let authenticator: Authenticator
    let control: ControlService
    let switches: MethodSwitches
    let source: any AnswerSource
    let log: Log
    private let generations: GenerationCount

    init(
        configuration: Configuration, schema: Schema, source: any AnswerSource, log: Log,
        generations: GenerationCount
    ) {
        limits = configuration.limits
        sessionLimits = SessionLimits(configuration.limits)
        expectsProxyHeader = configuration.listen.proxyProtocol
        router = Router(schema)
        authenticator = Authenticator(tokens: configuration.auth.tokens)
        control = ControlService(configuration: configuration, schema: schema)
        switches = MethodSwitches(configuration, schema)
        self.source = source
        self.log = log
        self.generations = generations
        generations.made()
    }

    deinit { generations.freed() }

    var sourceGeneration: UInt64 { source.generation }

    /// A SETUP is its metadata, a Hello and a few fixed fields. Nobody is known before it, so little is kept for it.
    var setupFrameBytes: Int { min(limits.frameBytes, limits.metadataBytes + 4096) }
}

extension SessionLimits {
    /// Three fragments, as each is begun below it: most pictures that phones load leave in one write. More would gain nothing, and
    /// each slow reader would hold it. Answers beyond wait as they are kept, shared with the cache.
    private static let gatheredBytes = 160 << 10

    fileprivate init(_ limits: Configuration.Limits) {
        self.init(
            messageBytes: limits.messageBytes, metadataBytes: limits.metadataBytes,
            streams: limits.streamsPerConnection, setupTimeout: limits.setupTimeout)
        longestSilence = limits.idleTimeout
        requestTimeout = limits.requestTimeout
        outputBytes = min(Self.gatheredBytes, limits.queuedBytesPerConnection)
    }
}
