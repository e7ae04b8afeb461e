package import PorticoWire

/// What operators should know; the server writes it to its log.
package enum UpstreamEvent: Equatable, Sendable {
    case attemptFailed(upstream: String, UpstreamError)
    case retryScheduled(upstream: String, after: Duration)
    case refreshFailed(route: String, CallError)
    case breakerChanged(upstream: String, Breaker.State)
    /// Asked by the server itself, an upstream was found to be down, or to be back.
    case probed(UpstreamHealth)
    /// What was to be kept in it is kept in memory only.
    case directoryUnusable(directory: String)
    /// What lies in it is read; what would be kept in it is kept in memory only.
    case directoryReadOnly(directory: String)
    /// A file that is not what was written there; it is removed and fetched again.
    case diskEntryDropped(file: String)
}

/// Called from any thread; must not block.
package typealias UpstreamEvents = @Sendable (UpstreamEvent) -> Void
