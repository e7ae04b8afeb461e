/// Every key there is, in the order in which they are documented and printed.
enum KeyTable {
    static let keys: [ConfigurationKey] = server + stores + rules + upstreams + flags

    private static let hour = Duration.seconds(3600)
    private static let longest = hour * 24 * 365
    private static let shortest = Duration.milliseconds(1)
    /// The length of a frame is 24 bits on the wire.
    private static let largestFrame = (1 << 24) - 1
    private static let largestMessage = 1 << 30
    private static let largestStore = 1 << 50

    private static let server: [ConfigurationKey] = [
        .value(
            "listen.address", .address, \.listen.address, reload: .needsRestart,
            "Where clients connect; port 0 lets the system choose."),
        .value(
            "listen.loops", .integer(0...1024), \.listen.loops, reload: .needsRestart,
            "Event loops; 0 is one per core."),
        .value(
            "listen.proxyProtocol", .bool, \.listen.proxyProtocol, reload: .needsRestart,
            "Whether every connection begins with a PROXY protocol v2 header, from a load balancer in front."),
        .value(
            "operator.address", ValueKind.address.optional, \.operatorInterface.address,
            reload: .needsRestart,
            "HTTP for operators: health, readiness, metrics."),
        .value(
            "operator.readyNeeds", ValueKind<Configuration.OperatorInterface.ReadyRule>.choice,
            \.operatorInterface.readyNeeds,
            "What `/readyz` needs to answer 200: nothing but this server, one upstream that answers, or all."),
        .value(
            "operator.probeUpstreams", .bool, \.operatorInterface.probeUpstreams,
            "Whether the server asks an upstream's base URL itself: once after the start, and again while it fails."
        ),
        .value(
            "sandbox.address", ValueKind.loopbackAddress.optional, \.sandbox.address, reload: .needsRestart,
            "The built-in HTTP server of sample upstreams, which base URLs `sandbox:NAME/` point at."),
        .value(
            "sandbox.faults", .bool, \.sandbox.faults, reload: .needsRestart,
            "Whether the sandbox can be told over HTTP to misbehave."),
        .value(
            "limits.connections", .integer(1...10_000_000), \.limits.connections,
            "Client connections at a time, over all loops."),
        .value(
            "limits.frameBytes", .size(64...largestFrame), \.limits.frameBytes, reload: .newConnections,
            "One frame on the wire, without its length prefix."),
        .value(
            "limits.messageBytes", .size(64...largestMessage), \.limits.messageBytes, reload: .newConnections,
            "One request, put together from its fragments."),
        .value(
            "limits.metadataBytes", .size(64...largestFrame), \.limits.metadataBytes, reload: .newConnections,
            "The metadata of one request."),
        .value(
            "limits.unfinishedBytes", .size(1024...largestStore), \.limits.unfinishedBytes,
            "Frames and requests that have begun and not ended, of all connections; above it those that keep most are ended."
        ),
        .value(
            "limits.streamsPerConnection", .integer(1...1_000_000), \.limits.streamsPerConnection,
            reload: .newConnections,
            "Calls in flight on one connection; above it they are rejected."),
        .value(
            "limits.queuedBytesPerConnection", .size(1024...largestMessage),
            \.limits.queuedBytesPerConnection,
            "Answers that wait to be written to one connection; above it reading pauses."),
        .value(
            "limits.setupTimeout", .duration(shortest...hour), \.limits.setupTimeout, reload: .newConnections,
            "From accepting a connection to its complete SETUP."),
        .value(
            "limits.frameTimeout", .duration(shortest...hour), \.limits.frameTimeout,
            "From the first byte of a frame to its last."),
        .value(
            "limits.requestTimeout", .duration(shortest...hour), \.limits.requestTimeout,
            reload: .newConnections,
            "From the first fragment of a request to its last."),
        .value(
            "limits.idleTimeout", .duration(shortest...hour * 24), \.limits.idleTimeout,
            "Silence that ends a connection, even if its SETUP names a longer lifetime; asked half-way."),
        .value(
            "limits.drain", .duration(.zero...hour * 24), \.limits.drain,
            "How long SIGTERM waits for calls in flight."),
        .value(
            "limits.callTimeout", .duration(shortest...hour), \.limits.callTimeout,
            "For calls whose context gives no deadline."),
        .value(
            "limits.longestCallTimeout", .duration(shortest...hour), \.limits.longestCallTimeout,
            "The most that a call's context can ask for."),
    ]

    private static let stores: [ConfigurationKey] = [
        .value(
            "cache.maxBytes", .size(0...largestStore), \.cache.maxBytes,
            "Answers kept in memory; 0B keeps none."),
        .value(
            "cache.directory", ValueKind.directory.optional, \.cache.directory, reload: .needsRestart,
            "Where the last good answers are kept; none keeps them in memory only."),
        .value(
            "cache.diskBytes", .size(0...largestStore), \.cache.diskBytes, reload: .needsRestart,
            "Answers kept in the directory."),
        .value(
            "cache.fresh", .duration(.zero...longest), \.cache.fresh,
            "How long an answer is served without asking the upstream again."),
        .value(
            "cache.stale", .duration(.zero...longest), \.cache.stale,
            "How long after that it may be served while it is refreshed, or while the upstream fails."),
        .value(
            "cache.minFresh", .duration(.zero...longest), \.cache.minFresh,
            "The shortest time that an upstream's `Cache-Control` or `Expires` can put in place of `fresh`."),
        .value(
            "cache.maxFresh", .duration(.zero...longest), \.cache.maxFresh,
            "The longest time that they can put in its place."),
        .member(
            "cache.methods.ROUTE.fresh", ValueKind.duration(.zero...longest).absent("as cache.fresh"),
            \Configuration.MethodCache.fresh, "`cache.fresh` for one method."),
        .member(
            "cache.methods.ROUTE.stale", ValueKind.duration(.zero...longest).absent("as cache.stale"),
            \Configuration.MethodCache.stale, "`cache.stale` for one method."),
        .value(
            "images.directory", ValueKind.directory.optional, \.images.directory, reload: .needsRestart,
            "Where images are kept; none keeps them in memory only."),
        .value(
            "images.maxBytes", .size(0...largestStore), \.images.maxBytes, reload: .needsRestart,
            "Images kept in the directory."),
        .value(
            "images.memoryBytes", .size(0...largestStore), \.images.memoryBytes,
            "Images kept in memory."),
        .value(
            "images.maxImageBytes", .size(1...largestMessage), \.images.maxImageBytes, reload: .needsRestart,
            "One image; a larger one becomes the placeholder."),
        .value(
            "images.maxPixels", .integer(1...1_000_000_000), \.images.maxPixels,
            "Width times height of one image; a larger one becomes the placeholder."),
        .value(
            "images.maxFrames", .integer(1...1_000_000), \.images.maxFrames,
            "Frames of one animation; a longer one becomes the placeholder."),
        .value(
            "images.shrinkPNG", .bool, \.images.shrinkPNG,
            "Whether PNGs are made smaller, not a pixel changed, when no image is asked for."),
        .value(
            "images.allowSVG", .bool, \.images.allowSVG,
            "Whether SVG is passed on, when it holds nothing that runs or looks elsewhere."),
        .value(
            "images.fresh", .duration(.zero...longest), \.images.fresh,
            "How long an image is served without asking the upstream again."),
    ]

    private static let rules: [ConfigurationKey] = [
        .value(
            "auth.tokens", .tokens, \.auth.tokens, reload: .newConnections,
            "Bearer tokens that let a client in, to read, to write or both; without any, every client is let in."
        ),
        .value(
            "log.level", ValueKind<Configuration.Log.Level>.choice, \.log.level,
            "The least important messages that are written."),
        .value(
            "log.format", ValueKind<Configuration.Log.Format>.choice, \.log.format,
            "One line per message: for people, or JSON for machines."),
        .value(
            "decode.mode", ValueKind<Configuration.DecodeMode>.choice, \.decode.mode,
            "lossy leaves out items that do not fit the schema and counts them; strict fails the call."),
        .entry(
            "decode.methods.ROUTE", ValueKind<Configuration.DecodeMode>.choice, \Configuration.decode.methods,
            "`decode.mode` for one method."),
        .value(
            "decode.maximumDepth", .integer(1...1000), \.decode.maximumDepth,
            "Nesting of upstream JSON and of messages."),
    ]

    private static let upstreams: [ConfigurationKey] = [
        .member(
            "upstreams.NAME.baseURL", .baseURL, \Configuration.Upstream.baseURL, isRequired: true,
            "What the schema's paths are put behind: http, https, or `sandbox:NAME/`."),
        .member(
            "upstreams.NAME.timeout", .duration(shortest...hour), \Configuration.Upstream.timeout,
            "One attempt, from connecting to the last byte of the body."),
        .member(
            "upstreams.NAME.maxBodyBytes", .size(1...largestMessage), \Configuration.Upstream.maxBodyBytes,
            "One answer's body; a larger one is an error."),
        .member(
            "upstreams.NAME.allowPrivateAddresses", .bool,
            \Configuration.Upstream.allowPrivateAddresses,
            "Whether images may be fetched from a host in a private, loopback or link-local network."),
        .member(
            "upstreams.NAME.retry.attempts", .integer(1...20), \Configuration.Upstream.retry.attempts,
            "All attempts of an idempotent call, the first included; 1 is no retry."),
        .member(
            "upstreams.NAME.retry.baseDelay", .duration(.zero...hour),
            \Configuration.Upstream.retry.baseDelay,
            "The pause before the second attempt; it doubles with each, and is jittered."),
        .member(
            "upstreams.NAME.retry.maxDelay", .duration(.zero...hour), \Configuration.Upstream.retry.maxDelay,
            "No pause is longer."),
        .member(
            "upstreams.NAME.retry.maxRetryAfter", .duration(.zero...hour),
            \Configuration.Upstream.retry.maxRetryAfter, "An upstream's `Retry-After` is honoured up to this."
        ),
        .member(
            "upstreams.NAME.retry.budgetPercent", .integer(0...100),
            \Configuration.Upstream.retry.budgetPercent,
            "Retries allowed per 100 successful calls, and per 100 that fail in a row."),
        .member(
            "upstreams.NAME.breaker.failurePercent", .integer(0...100),
            \Configuration.Upstream.breaker.failurePercent,
            "So many failed calls in a hundred open the breaker: the upstream is left alone; 0 is never."),
        .member(
            "upstreams.NAME.breaker.slowPercent", .integer(0...100),
            \Configuration.Upstream.breaker.slowPercent, "So do so many slow calls; 0 is never."),
        .member(
            "upstreams.NAME.breaker.slowAfter", .duration(shortest...hour),
            \Configuration.Upstream.breaker.slowAfter, "A call that takes longer is a slow one."),
        .member(
            "upstreams.NAME.breaker.window", .duration(.milliseconds(10)...hour),
            \Configuration.Upstream.breaker.window, "Calls that ended longer ago do not count."),
        .member(
            "upstreams.NAME.breaker.minimumCalls", .integer(1...1_000_000),
            \Configuration.Upstream.breaker.minimumCalls, "Fewer calls in the window say nothing."),
        .member(
            "upstreams.NAME.breaker.openFor", .duration(shortest...hour),
            \Configuration.Upstream.breaker.openFor,
            "How long the upstream is left alone before one call tries it again."),
        .member(
            "upstreams.NAME.concurrency.limit", .integer(1...100_000),
            \Configuration.Upstream.concurrency.limit, "HTTP calls at a time."),
        .member(
            "upstreams.NAME.concurrency.queue", .integer(0...1_000_000),
            \Configuration.Upstream.concurrency.queue,
            "Calls that wait for one of those to end; more are refused with RESOURCE_EXHAUSTED."),
        .entry(
            "upstreams.NAME.query.ITEM", .secret("a query item"), \Configuration.Upstream.query,
            "A query item sent with every call."),
        .entry(
            "upstreams.NAME.headers.FIELD", .secret("a header field"), \Configuration.Upstream.headers,
            "A header field sent with every call."),
    ]

    /// Of answers: as `cache.fresh`.
    static let freshness = ValueKind.duration(.zero...longest)

    private static let flags: [ConfigurationKey] = [
        .member(
            "flags.FLAG.state", .flagState, \FlagDefinition.isEnabled,
            "DISABLED gives every client the default variant, with the reason DISABLED."),
        .member(
            "flags.FLAG.variants", .flagVariants, \FlagDefinition.variants, isRequired: true,
            "The values it can take, by name; all of one type."),
        .member(
            "flags.FLAG.defaultVariant", .variantName, \FlagDefinition.defaultVariant, isRequired: true,
            "The variant where no rule chooses one."),
        .member(
            "flags.FLAG.targeting", ValueKind.targeting.optional, \FlagDefinition.targeting,
            "JsonLogic that chooses a variant for a client."),
        .member(
            "methods.ROUTE.enabledBy", ValueKind.flagName.optional, \Configuration.MethodFlags.enabledBy,
            "A flag of true and false: for clients that get false, the method is not there."),
        .member(
            "methods.ROUTE.freshBy", ValueKind.flagName.optional, \Configuration.MethodFlags.freshBy,
            "A flag of durations: the method's `cache.fresh`, the same for all clients, who share answers."),
        .member(
            "methods.ROUTE.decodeBy", ValueKind.flagName.optional, \Configuration.MethodFlags.decodeBy,
            "A flag of lossy and strict: the method's `decode.mode`, the same for all clients."),
    ]
}
