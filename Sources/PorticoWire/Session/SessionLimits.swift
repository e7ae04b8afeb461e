/// What one connection may use. RSocket itself has no limits; Schemas/README.md lists these for clients.
package struct SessionLimits: Equatable, Sendable {
    /// One reassembled request's data; also, with ``metadataBytes``, all unfinished requests of a connection together.
    package var messageBytes: Int
    package var metadataBytes: Int
    /// In flight at once, from a request's first fragment to the last frame of its answer.
    package var streams: Int
    /// From a request's first fragment to its last.
    package var requestTimeout = Duration.seconds(60)
    /// From the session's beginning to its SETUP.
    package var setupTimeout: Duration
    /// Of a peer, whatever lifetime its SETUP names.
    package var longestSilence = Duration.seconds(600)
    /// Largest data of one PAYLOAD frame that is sent.
    package var fragmentBytes = 64 << 10
    /// Above it nothing is added to the output that can wait; ``ServerSession/fill(_:)`` goes on later.
    package var outputBytes = 256 << 10

    package init(messageBytes: Int, metadataBytes: Int, streams: Int, setupTimeout: Duration) {
        self.messageBytes = messageBytes
        self.metadataBytes = metadataBytes
        self.streams = streams
        self.setupTimeout = setupTimeout
    }
}
