/// What one environment says, checked and complete: every key has a value, every secret is resolved.
///
/// Built by the environment reader; everything that runs takes the part it needs. Defaults are here and nowhere else.
package struct Configuration: Sendable, Equatable {
    /// `Development`, `Test`, `Production`, …: the name of the environment file.
    package var environment: String
    package var listen = Listen()
    package var operatorInterface = OperatorInterface()
    package var sandbox = Sandbox()
    package var limits = Limits()
    package var cache = Cache()
    package var images = Images()
    package var auth = Auth()
    package var log = Log()
    package var decode = Decode()
    package var upstreams: [String: Upstream] = [:]
    package var flags: [String: FlagDefinition] = [:]
    /// What flags decide about methods, by route.
    package var methods: [String: MethodFlags] = [:]

    package init(environment: String) { self.environment = environment }

    package struct Listen: Sendable, Equatable {
        /// `HOST:PORT` or `unix:PATH`; port 0 lets the system choose.
        package var address = "127.0.0.1:7400"
        /// Event loops; 0: one per core.
        package var loops = 0
        /// A load balancer stands in front and says who the client is: PROXY protocol, version 2.
        package var proxyProtocol = false
        package init() {}
    }

    /// HTTP for operators: health, readiness, metrics.
    package struct OperatorInterface: Sendable, Equatable {
        /// What a server needs beside itself to be ready.
        package enum ReadyRule: String, Sendable, CaseIterable {
            /// Nothing: it serves what it has.
            case server
            case anyUpstream
            case everyUpstream
        }
        /// Nil: none.
        package var address: String? = nil
        package var readyNeeds = ReadyRule.server
        /// Whether upstreams that nobody has asked yet, or that fail, are asked by the server itself.
        package var probeUpstreams = true
        package init() {}
    }

    /// The HTTP server of sample upstreams inside the program; base URLs `sandbox:NAME/` point at it.
    package struct Sandbox: Sendable, Equatable {
        /// Loopback only. Nil: no sandbox.
        package var address: String? = nil
        /// Whether it can be told over HTTP to misbehave.
        package var faults = false
        package init() {}
    }

    package struct Limits: Sendable, Equatable {
        package var connections = 10_000
        /// One frame on the wire, without its length prefix.
        package var frameBytes = 1 << 20
        /// One reassembled request.
        package var messageBytes = 16 << 20
        package var metadataBytes = 16 << 10
        /// Kept of frames and requests that have begun and not ended, of all connections together.
        package var unfinishedBytes = 256 << 20
        package var streamsPerConnection = 256
        /// Answers waiting to be written to one connection; above it reading pauses.
        package var queuedBytesPerConnection = 1 << 20
        /// From accept to a complete SETUP.
        package var setupTimeout = Duration.seconds(10)
        /// From the first byte of a frame to its last.
        package var frameTimeout = Duration.seconds(30)
        /// From the first fragment of a request to its last.
        package var requestTimeout = Duration.seconds(60)
        /// Silence that ends a connection, whatever lifetime its SETUP names.
        package var idleTimeout = Duration.seconds(600)
        /// How long SIGTERM waits for calls in flight.
        package var drain = Duration.seconds(10)
        /// For calls whose context gives no deadline.
        package var callTimeout = Duration.seconds(30)
        /// No call is given longer, whatever its context asks for.
        package var longestCallTimeout = Duration.seconds(120)
        package init() {}
    }

    package struct Cache: Sendable, Equatable {
        package var maxBytes = 256 << 20
        /// Where the last good answers are kept; nil: memory only.
        package var directory: String? = nil
        /// Of all files in ``directory``.
        package var diskBytes = 1 << 30
        package var fresh = Duration.seconds(60)
        /// How long after `fresh` an answer may still be served while it is refreshed, or while the upstream fails.
        package var stale = Duration.seconds(600)
        /// What an upstream's `Cache-Control` or `Expires` puts in place of ``fresh`` is no shorter.
        package var minFresh = Duration.seconds(1)
        /// And no longer.
        package var maxFresh = Duration.seconds(3600)
        /// By route, `package.Service/Method`.
        package var methods: [String: MethodCache] = [:]
        package init() {}
    }

    package struct MethodCache: Sendable, Equatable {
        package var fresh: Duration?
        package var stale: Duration?
        package init(fresh: Duration? = nil, stale: Duration? = nil) {
            self.fresh = fresh
            self.stale = stale
        }
    }

    /// Names of flags.
    package struct MethodFlags: Sendable, Equatable {
        /// A boolean flag, evaluated for each client: where it is false, the method is not there.
        package var enabledBy: String?
        /// A flag of durations: the method's `cache.fresh`.
        package var freshBy: String?
        /// A flag of decode modes.
        package var decodeBy: String?
        package init() {}
    }

    package struct Images: Sendable, Equatable {
        /// Nil: memory only.
        package var directory: String? = nil
        package var maxBytes = 1 << 30
        package var memoryBytes = 64 << 20
        package var maxImageBytes = 10 << 20
        /// Width times height of one image.
        package var maxPixels = 40_000_000
        /// Of one animation.
        package var maxFrames = 1000
        /// PNGs are made smaller without loss when nobody asks for pictures.
        package var shrinkPNG = true
        /// SVG is XML that a web view runs.
        package var allowSVG = false
        package var fresh = Duration.seconds(24 * 3600)
        package init() {}
    }

    package struct Auth: Sendable, Equatable {
        /// Accepted bearer tokens; empty: every client is let in, and may do everything.
        package var tokens: [AccessToken] = []
        package init() {}
    }

    package struct Log: Sendable, Equatable {
        package enum Level: String, Sendable, CaseIterable {
            case debug, info, warning, error
        }
        package enum Format: String, Sendable, CaseIterable {
            case text, json
        }
        package var level = Level.info
        package var format = Format.text
        package init() {}
    }

    package enum DecodeMode: String, Sendable, CaseIterable {
        /// An item that does not fit the schema is skipped and counted.
        case lossy
        /// It fails the call.
        case strict
    }

    package struct Decode: Sendable, Equatable {
        package var mode = DecodeMode.lossy
        /// By route.
        package var methods: [String: DecodeMode] = [:]
        /// Nesting of JSON and of messages.
        package var maximumDepth = 100
        package init() {}
    }

    package struct Upstream: Sendable, Equatable {
        /// Ends with a slash: `https://swapi.dev/api/`, or `sandbox:starwars/` (the program's own sandbox).
        package var baseURL: String
        /// One attempt, from connecting to the last byte of the body.
        package var timeout = Duration.seconds(5)
        /// Query items sent with every call; the values are often secrets.
        package var query: [String: Secret] = [:]
        /// Header fields sent with every call.
        package var headers: [String: Secret] = [:]
        package var maxBodyBytes = 16 << 20
        /// Whether images may be fetched from a host in a private, loopback or link-local network.
        package var allowPrivateAddresses = false
        package var retry = Retry()
        package var breaker = Breaker()
        package var concurrency = Concurrency()
        /// Fields that say how a message is framed or what becomes of its connection (RFC 9110, 9112); in small letters.
        package static let reservedHeaders = [
            "connection", "content-length", "expect", "keep-alive", "proxy-connection", "te", "trailer",
            "transfer-encoding", "upgrade",
        ]

        package init(baseURL: String) { self.baseURL = baseURL }
    }

    package struct Retry: Sendable, Equatable {
        /// All attempts, the first included; 1: no retry.
        package var attempts = 3
        package var baseDelay = Duration.milliseconds(100)
        package var maxDelay = Duration.seconds(2)
        /// `Retry-After` is honoured up to this.
        package var maxRetryAfter = Duration.seconds(10)
        /// Retries allowed per 100 successful calls, and per 100 that fail in a row.
        package var budgetPercent = 20
        package init() {}
    }
}

extension Configuration {
    /// When an upstream that keeps failing is left alone.
    package struct Breaker: Sendable, Equatable {
        /// Opens at so many failed calls in a hundred; 0: never for this.
        package var failurePercent = 50
        /// Opens at so many slow calls in a hundred; 0: never for this.
        package var slowPercent = 80
        /// A call that takes longer is a slow one.
        package var slowAfter = Duration.seconds(3)
        /// The calls that ended so long ago or later count.
        package var window = Duration.seconds(30)
        /// Fewer calls than this say nothing.
        package var minimumCalls = 20
        /// How long until one call is let through to see.
        package var openFor = Duration.seconds(5)
        package init() {}
    }

    /// How much an upstream is asked at a time.
    package struct Concurrency: Sendable, Equatable {
        package var limit = 64
        /// Calls that wait for one of those to end; more are refused.
        package var queue = 256
        package init() {}
    }
}

/// A bearer token, and what its bearer may do.
package struct AccessToken: Sendable, Equatable {
    package enum Role: String, Sendable, CaseIterable {
        /// Methods that leave their upstreams as they are.
        case read
        /// Methods that change something there.
        case write
    }

    package let secret: Secret
    package let roles: Set<Role>

    package init(_ text: String, roles: Set<Role> = Set(Role.allCases)) {
        secret = Secret(text)
        self.roles = roles
    }
}

/// A configured text that may come from a secret. It prints as `«secret»`, wherever it is printed.
package struct Secret: Sendable, Equatable, Hashable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    private let text: String
    package init(_ text: String) { self.text = text }
    /// The text itself: for the wire and for comparisons, never for a log or an error.
    package var revealed: String { text }
    package var description: String { "«secret»" }
    package var debugDescription: String { "«secret»" }
    package var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
