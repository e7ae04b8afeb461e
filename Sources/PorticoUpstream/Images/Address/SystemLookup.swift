internal import PorticoEventLoop

extension GuardedTransport {
    /// Asks the system's resolver.
    package static let systemLookup: Lookup = { host, port in
        let name = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        return await withCheckedContinuation { continuation in
            do throws(SystemError) {
                try HostLookup.start(name, port: UInt16(truncatingIfNeeded: port)) { found in
                    continuation.resume(returning: found.map(NetworkAddress.init))
                }
            } catch {
                continuation.resume(returning: [])
            }
        }
    }
}

extension NetworkAddress {
    /// One that cannot be read counts as not public.
    init(_ address: SocketAddress) {
        let text = address.description
        self = NetworkAddress(String(text[..<(text.lastIndex(of: ":") ?? text.endIndex)])) ?? .v4(0)
    }
}
