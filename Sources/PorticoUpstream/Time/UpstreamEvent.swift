package import PorticoWire

/// What operators should know; the server writes it to its log.
package enum UpstreamEvent: Equatable, Sendable {
    case attemptFailed(upstream: String, UpstreamError)
    case retryScheduled(upstream: String, after: Duration)
    case refreshFailed(route: String, CallError)
    /// The images are kept in memory only.
    case imageDirectoryUnusable(directory: String)
    /// A file that is not what was written there; it is removed and its image fetched again.
    case imageEntryDropped(file: String)
}

/// Called from any thread; must not block.
package typealias UpstreamEvents = @Sendable (UpstreamEvent) -> Void
