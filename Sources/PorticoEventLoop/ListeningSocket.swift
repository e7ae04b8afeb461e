import CLinux
import Glibc

/// A bound, listening socket that is not yet on a loop; it may be made on one thread and attached on another.
package struct ListeningSocket: ~Copyable, Sendable {
    /// The address it is bound to, with the port the system chose for port 0.
    package let address: SocketAddress
    private let descriptor: Descriptor

    /// Connections the kernel keeps while the loop is busy; it lowers this to `net.core.somaxconn`.
    private static let backlog: Int32 = 4096

    /// Binds and listens. An address that anybody listens on, this program included, is refused.
    ///
    /// - Throws: ``SystemError/addressInUse(_:)``, or ``SystemError/system(call:subject:errno:)`` with the address.
    package init(_ address: SocketAddress) throws(SystemError) {
        try self.init(address, joining: false)
    }

    /// Another socket on the same address, for another loop: the kernel spreads connections over both (SO_REUSEPORT).
    ///
    /// A Unix domain socket cannot be had twice: for one of these it fails with ``SystemError/addressInUse(_:)``.
    package borrowing func another() throws(SystemError) -> ListeningSocket {
        try ListeningSocket(address, joining: true)
    }

    /// Hands the descriptor over to whoever accepts from it.
    consuming func takeDescriptor() -> Descriptor { descriptor }

    private init(_ address: SocketAddress, joining: Bool) throws(SystemError) {
        let descriptor = try Descriptor.streamSocket(family: address.family)
        try Self.bind(descriptor, to: address, joining: joining)
        let number = descriptor.number
        do throws(SystemError) {
            try system("listen", about: "\(address)") { listen(number, Self.backlog) }
        } catch {
            throw error.isAddressInUse ? .addressInUse("\(address)") : error
        }
        self.address = try SocketAddress(boundTo: descriptor)
        self.descriptor = descriptor
    }

    /// The first socket binds without SO_REUSEPORT, so that a second server on the same port is told so instead of
    /// quietly getting half of the connections; it is set before listening, so that ``another()`` may join.
    private static func bind(
        _ descriptor: borrowing Descriptor, to address: SocketAddress, joining: Bool
    ) throws(SystemError) {
        guard let path = address.unixPath else {
            try descriptor.setOption(SOL_SOCKET, SO_REUSEADDR, called: "SO_REUSEADDR")
            if joining { try descriptor.setOption(SOL_SOCKET, SO_REUSEPORT, called: "SO_REUSEPORT") }
            try bindOnce(descriptor, to: address)
            if !joining { try descriptor.setOption(SOL_SOCKET, SO_REUSEPORT, called: "SO_REUSEPORT") }
            return
        }
        do throws(SystemError) {
            try bindOnce(descriptor, to: address)
        } catch {
            guard isSocket(path), isLeftOver(address) else { throw error }
            _ = unsafe unlink(path)
            try bindOnce(descriptor, to: address)
        }
    }

    private static func bindOnce(
        _ descriptor: borrowing Descriptor, to address: SocketAddress
    ) throws(SystemError) {
        let number = descriptor.number
        do throws(SystemError) {
            try system("bind", about: "\(address)") {
                unsafe address.withSystemAddress { unsafe Glibc.bind(number, $0, $1) }
            }
        } catch {
            throw error.isAddressInUse ? .addressInUse("\(address)") : error
        }
    }

    /// Connecting to a file of any other kind is refused just the same: somebody's file must not be taken for ours.
    private static func isSocket(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
    }

    /// Whether a socket file is there that nobody listens on: a server before us was killed.
    private static func isLeftOver(_ address: SocketAddress) -> Bool {
        guard let probe = try? Descriptor.streamSocket(family: address.family) else { return false }
        let number = probe.number
        let result = unsafe address.withSystemAddress { unsafe connect(number, $0, $1) }
        return result == -1 && errno == ECONNREFUSED
    }
}

extension SystemError {
    fileprivate var isAddressInUse: Bool {
        guard case .system(_, _, EADDRINUSE) = self else { return false }
        return true
    }
}
