/// Who the client is and how it wants to be connected.
public struct ConnectionOptions: Sendable {
    /// Bearer token; nil when the server asks for none.
    public var token: String?
    /// Names one installation of an app; flags are evaluated for it.
    public var clientID = ""
    /// Semantic version of the app, such as `2.1.0`.
    public var appVersion = ""
    public var platform = ""
    /// BCP 47, such as `de-CH`.
    public var locale = ""
    /// How often the connection shows that it lives.
    public var keepalive = Duration.seconds(20)
    /// Silence of the server after which the connection is given up.
    public var lifetime = Duration.seconds(90)
    /// Largest answer that is accepted.
    public var maximumAnswerBytes = 64 << 20

    public init(token: String? = nil) { self.token = token }
}

/// What one call asks for beyond its request message.
public struct CallOptions: Sendable {
    /// Nil: the server's own limit.
    public var timeout: Duration?
    /// Makes a write safe to send again.
    public var idempotencyKey: String?
    /// Ask where the answer came from: ``Reply/origin``, ``Reply/age``, the counts and, when observing,
    /// ``Reply/resumeCursor`` are then filled.
    public var wantsOrigin = true
    /// When observing: ``Reply/resumeCursor`` of the last answer seen, of this server or another one. Nothing is sent until
    /// something differs.
    public var resumeCursor: [UInt8] = []

    public init() {}
}

/// One answer.
public struct Reply: Sendable, Equatable {
    public enum Origin: String, Sendable {
        /// Cached and fresh.
        case hit = "HIT"
        /// Cached and older than its freshness.
        case stale = "STALE"
        /// Fetched for this call.
        case miss = "MISS"
    }
    /// The encoded response message; `protoc` generates its type from the schema.
    public var message: [UInt8]
    public var origin: Origin?
    /// Since the upstream gave it.
    public var age: Duration
    /// Records of the upstream's that did not fit the schema and were left out.
    public var skippedItems: Int
    /// Records that name another one which could not be had: what was to be joined is absent.
    public var missingJoins: Int
    /// Of an observed answer: for ``CallOptions/resumeCursor``, when observing goes on after a lost connection.
    public var resumeCursor: [UInt8] = []
}
