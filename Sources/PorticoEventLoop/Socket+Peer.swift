import Glibc

extension Socket {
    /// Who has connected; asked of the kernel each time, which knows it only while the connection stands.
    package var peer: PeerAddress {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let code = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe getpeername(number, address, &length)
            }
        }
        guard code == 0 else { return .unnamed }
        // SAFETY: both forms are no longer than sockaddr_storage, which begins with their family.
        return unsafe withUnsafeBytes(of: storage) { raw in
            switch Int32(storage.ss_family) {
            case AF_INET: unsafe PeerAddress(raw.loadUnaligned(as: sockaddr_in.self))
            case AF_INET6: unsafe PeerAddress(raw.loadUnaligned(as: sockaddr_in6.self))
            default: .unnamed
            }
        }
    }
}

extension PeerAddress {
    fileprivate init(_ address: sockaddr_in) {
        self = .ipv4(UInt32(bigEndian: address.sin_addr.s_addr), port: UInt16(bigEndian: address.sin_port))
    }

    fileprivate init(_ address: sockaddr_in6) {
        let halves = unsafe withUnsafeBytes(of: address.sin6_addr) { raw in
            unsafe (
                UInt64(bigEndian: raw.loadUnaligned(as: UInt64.self)),
                UInt64(bigEndian: raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
        self = .ipv6(high: halves.0, low: halves.1, port: UInt16(bigEndian: address.sin6_port))
    }
}
