/// Turns host names into addresses. Looking one up may block for seconds, so it never happens on a loop.
package enum HostLookup {
    /// The address that a numeric host means, found without asking anybody; nil: it is a name.
    ///
    /// - Parameter host: IPv6 without brackets.
    package static func numeric(_ host: String, port: UInt16) -> SocketAddress? {
        SocketAddress.find(host, port: port, .numericOnly).first
    }

    /// Looks `host` up (getaddrinfo(3)) on a thread of its own and calls `then` there, with the addresses in the
    /// order in which they are to be tried; none: the name is unknown or nobody could be asked.
    ///
    /// A thread for each lookup: callers keep what they are told for a while and never ask twice at once.
    /// - Throws: ``SystemError/system(call:subject:errno:)`` when there is no thread to be had.
    package static func start(
        _ host: String, port: UInt16, then: @escaping @Sendable ([SocketAddress]) -> Void
    ) throws(SystemError) {
        try startThread { then(SocketAddress.find(host, port: port, .anyName)) }
    }
}
