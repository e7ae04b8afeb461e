import Glibc

/// TCP to a server on this machine.
enum Loopback {
    /// A connected, blocking socket; the caller closes it.
    static func connected(to port: UInt16) throws(BenchmarkFault) -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isConnected = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe connect(descriptor, address, size) == 0
            }
        }
        guard isConnected else {
            close(descriptor)
            throw .peer("Nothing listens on port \(port).")
        }
        return descriptor
    }
}
