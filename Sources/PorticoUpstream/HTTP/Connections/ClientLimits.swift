/// What the client on the event loop allows itself and its peers.
package struct ClientLimits: Sendable {
    /// Connections of one loop to one origin at once; exchanges wait in line for one. How many exchanges there are on all
    /// loops together is for `concurrency` in the environment.
    package var connectionsPerOrigin = 128
    /// From the first address to a connection.
    package var connectTimeout = Duration.seconds(3)
    /// How long a connection is kept without use when the peer does not say. Shorter than what servers are known to
    /// wait by default (60 s and more; those that wait less say so in a `Keep-Alive` field).
    package var idle = Duration.seconds(20)
    /// A connection is given up this much before the peer says it would: a request may be on its way for so long.
    package var idleMargin = Duration.seconds(1)
    /// Status line and fields of an answer.
    package var headBytes = 64 << 10
    /// How long the addresses of a name are used without asking again.
    package var addressesKept = Duration.seconds(30)

    package init() {}

    /// - Returns: nil: not worth keeping.
    func idleTime(_ peer: Duration?) -> Duration? {
        guard let peer else { return idle }
        let time = min(idle, peer - idleMargin)
        return time > .zero ? time : nil
    }
}
