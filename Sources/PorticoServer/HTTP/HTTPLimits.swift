/// What one HTTP connection may cost.
package struct HTTPLimits: Sendable, Equatable {
    /// Method, target and version with the line's end.
    package var requestLineBytes = 8 << 10
    /// All field lines together.
    package var headerBytes = 16 << 10
    package var bodyBytes = 1 << 20
    /// Above it, reading pauses until the peer has taken its answers.
    package var queuedBytes = 256 << 10
    package var connections = 1000
    /// From a request's first byte to its last.
    package var requestTimeout = Duration.seconds(10)
    /// Between requests, and for a peer that does not take its answer.
    package var idleTimeout = Duration.seconds(60)
    package init() {}
}
