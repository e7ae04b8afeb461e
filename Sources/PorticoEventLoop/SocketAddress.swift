import CLinux
import Glibc

/// Where to listen or connect: a resolved IPv4 or IPv6 address with a port, or the path of a Unix domain socket.
package struct SocketAddress: Sendable, Equatable, CustomStringConvertible {
    private enum Kind: Sendable, Equatable {
        /// `host` is numeric; IPv6 without brackets.
        case internet(family: Int32, host: String, port: UInt16)
        case unix(path: String)
    }
    private let kind: Kind
    /// A `sockaddr_in`, `sockaddr_in6` or `sockaddr_un`, as the kernel wants it.
    private let bytes: [UInt8]

    /// Reads `HOST:PORT`, `[IPV6]:PORT` or `unix:PATH`. A name is looked up, which may block: for start-up only.
    ///
    /// - Throws: ``SystemError/badAddress(_:)`` with the whole text.
    package init(parsing text: String) throws(SystemError) {
        if let path = text.prefixed("unix:") {
            try self.init(unixPath: path, text: text)
            return
        }
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            throw .badAddress(text)
        }
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        guard !host.isEmpty, let found = Self.find(host, port: port, .anyName).first
        else { throw .badAddress(text) }
        self = found
    }

    /// The address of a bound or accepted socket, with the port the system chose.
    ///
    /// - Throws: ``SystemError/system(call:subject:errno:)``.
    package init(boundTo descriptor: borrowing Descriptor) throws(SystemError) {
        let number = descriptor.number
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        try system("getsockname") {
            unsafe withUnsafeMutablePointer(to: &storage) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    unsafe getsockname(number, address, &length)
                }
            }
        }
        let raw = unsafe withUnsafeBytes(of: storage) { unsafe [UInt8]($0.prefix(Int(length))) }
        guard let address = Self(raw: raw) else { throw .badAddress("family \(storage.ss_family)") }
        self = address
    }

    /// The kernel's form is left out: it pads paths to different lengths.
    package static func == (one: SocketAddress, other: SocketAddress) -> Bool { one.kind == other.kind }

    package var description: String {
        switch kind {
        case .internet(AF_INET6, let host, let port): "[\(host)]:\(port)"
        case .internet(_, let host, let port): "\(host):\(port)"
        case .unix(let path): "unix:\(path)"
        }
    }

    /// Nil for a Unix domain socket.
    package var port: Int? {
        switch kind {
        case .internet(_, _, let port): Int(port)
        case .unix: nil
        }
    }

    package var unixPath: String? {
        switch kind {
        case .internet: nil
        case .unix(let path): path
        }
    }

    /// Whether only this machine can reach it.
    package var isLoopback: Bool {
        switch kind {
        case .internet(_, let host, _): host.hasPrefix("127.") || host == "::1"
        case .unix: true
        }
    }

    var family: Int32 {
        switch kind {
        case .internet(let family, _, _): family
        case .unix: AF_UNIX
        }
    }

    /// Calls `body` with the address in the kernel's form.
    func withSystemAddress(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        unsafe bytes.withUnsafeBytes { raw in
            guard let base = raw.baseAddress else { return -1 }
            return unsafe body(base.assumingMemoryBound(to: sockaddr.self), socklen_t(raw.count))
        }
    }

    private init(unixPath path: String, text: String) throws(SystemError) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let name = [UInt8](path.utf8) + [0]
        let isWritten = unsafe withUnsafeMutableBytes(of: &address.sun_path) { field in
            guard name.count <= field.count else { return false }
            unsafe field.copyBytes(from: name)
            return true
        }
        guard isWritten, !path.isEmpty, !path.utf8.contains(0) else { throw .badAddress(text) }
        kind = .unix(path: path)
        bytes = unsafe withUnsafeBytes(of: address) { unsafe [UInt8]($0) }
    }

    private init?(raw: [UInt8]) {
        let header = MemoryLayout<sa_family_t>.size
        guard raw.count >= header else { return nil }
        let family = Int32(raw[0]) | Int32(raw[1]) << 8
        bytes = raw
        if family == AF_UNIX {
            kind = .unix(path: String(decoding: raw[header...].prefix { $0 != 0 }, as: UTF8.self))
            return
        }
        guard family == AF_INET || family == AF_INET6, let host = Self.numericHost(raw) else { return nil }
        // The port follows the family in both forms, big-endian.
        kind = .internet(family: family, host: host, port: UInt16(raw[2]) << 8 | UInt16(raw[3]))
    }

    private static func numericHost(_ raw: [UInt8]) -> String? {
        var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let code = unsafe raw.withUnsafeBytes { bytes in
            unsafe getnameinfo(
                bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count),
                &host, socklen_t(host.count), nil, 0, NI_NUMERICHOST)
        }
        guard code == 0 else { return nil }
        return String(decoding: host.lazy.map { UInt8(bitPattern: $0) }.prefix { $0 != 0 }, as: UTF8.self)
    }

    enum NameKind {
        case anyName, numericOnly
    }

    /// All addresses of a host, as the system orders them. Blocks, except for numeric ones.
    static func find(_ host: String, port: UInt16, _ kind: NameKind) -> [SocketAddress] {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        unsafe hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV | (kind == .numericOnly ? AI_NUMERICHOST : 0)
        var list: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(host, String(port), &hints, &list) == 0 else { return [] }
        defer { unsafe freeaddrinfo(list) }
        var found: [SocketAddress] = []
        var next = unsafe list
        while let entry = unsafe next {
            if let address = unsafe entry.pointee.ai_addr {
                let raw = unsafe UnsafeRawBufferPointer(
                    start: address, count: Int(entry.pointee.ai_addrlen))
                if let read = unsafe SocketAddress(raw: [UInt8](raw)) { found.append(read) }
            }
            unsafe next = entry.pointee.ai_next
        }
        return found
    }
}

extension String {
    /// What follows `prefix`; nil when the text does not begin with it.
    fileprivate func prefixed(_ prefix: String) -> String? {
        hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
    }
}
