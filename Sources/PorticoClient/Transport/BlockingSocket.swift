import Glibc

/// A connected stream socket for one reader thread and writers that take turns. Closed when the last reference goes.
///
/// Blocking on purpose: a client has one connection, and a thread that waits in the kernel costs nothing.
final class BlockingSocket: Sendable {
    private let descriptor: Int32

    private init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { Glibc.close(descriptor) }

    /// - Parameter address: `HOST:PORT`, `[V6]:PORT` or `unix:PATH`.
    static func connect(to address: String) throws(PorticoClientError) -> BlockingSocket {
        if address.hasPrefix("unix:") {
            return try connectUnix(path: String(address.dropFirst(5)), address: address)
        }
        guard let colon = address.lastIndex(of: ":"), UInt16(address[address.index(after: colon)...]) != nil
        else { throw .badAddress(address) }
        let host = address[..<colon].drop { $0 == "[" }.prefix { $0 != "]" }
        return try connectTCP(
            host: String(host), port: String(address[address.index(after: colon)...]), address: address)
    }

    private static func connectTCP(
        host: String, port: String, address: String
    ) throws(PorticoClientError) -> BlockingSocket {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(host, port, &hints, &list) == 0 else {
            throw .unreachable(address: address, reason: "the name \(host) is not known")
        }
        defer { unsafe freeaddrinfo(list) }
        var reason = "no address"
        var next = unsafe list
        while let candidate = unsafe next {
            let info = unsafe candidate.pointee
            let descriptor = unsafe socket(info.ai_family, info.ai_socktype, info.ai_protocol)
            let connected = BlockingSocket(descriptor: descriptor)
            if unsafe descriptor >= 0 && Glibc.connect(descriptor, info.ai_addr, info.ai_addrlen) == 0 {
                var on: Int32 = 1
                unsafe setsockopt(
                    descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
                return connected
            }
            reason = unsafe String(cString: strerror(errno))
            unsafe next = info.ai_next
        }
        throw .unreachable(address: address, reason: reason)
    }

    private static func connectUnix(path: String, address: String) throws(PorticoClientError)
        -> BlockingSocket
    {
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard !bytes.isEmpty, bytes.count < MemoryLayout.size(ofValue: name.sun_path) else {
            throw .badAddress(address)
        }
        unsafe withUnsafeMutableBytes(of: &name.sun_path) { unsafe $0.copyBytes(from: bytes) }
        let connected = BlockingSocket(descriptor: socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0))
        let status = unsafe withUnsafePointer(to: &name) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Glibc.connect(connected.descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard status == 0 else {
            throw .unreachable(address: address, reason: unsafe String(cString: strerror(errno)))
        }
        return connected
    }

    /// Waits until bytes, the end of the stream or an error can be read.
    /// - Returns: false when `timeout` passed first.
    func waitUntilReadable(timeout: Duration) -> Bool {
        var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let milliseconds = Int32(clamping: timeout.components.seconds * 1000)
        return unsafe Glibc.poll(&poll, 1, milliseconds) != 0
    }

    /// Blocks for at least one byte. Empty: the stream has ended, or broke.
    func read(upTo limitBytes: Int) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: limitBytes) { buffer, count in
            var received: Int
            repeat {
                received = unsafe recv(descriptor, buffer.baseAddress, limitBytes, 0)
            } while received < 0
                && errno == EINTR
            count = max(received, 0)
        }
    }

    /// Blocks until all is handed to the kernel.
    /// - Returns: false when the connection is gone.
    func write(_ bytes: [UInt8]) -> Bool {
        unsafe bytes.withUnsafeBytes { buffer in
            var sent = 0
            while sent < buffer.count {
                let count = unsafe send(
                    descriptor, buffer.baseAddress! + sent, buffer.count - sent, Int32(MSG_NOSIGNAL))
                if count < 0 && errno != EINTR { return false }
                sent += max(count, 0)
            }
            return true
        }
    }

    /// Ends both directions, which wakes the reader.
    func shutdown() { Glibc.shutdown(descriptor, Int32(SHUT_RDWR)) }
}
