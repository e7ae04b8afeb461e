import CLinux
import Glibc

/// A bound, listening socket that is not yet on a loop; it may be made on one thread and attached on another.
package struct ListeningSocket: ~Copyable, Sendable {
    /// The address it is bound to, with the port the system chose for port 0.
    package let address: SocketAddress
    fileprivate let descriptor: Descriptor

    /// Connections the kernel keeps while the loop is busy; it lowers this to `net.core.somaxconn`.
    private static let backlog: Int32 = 4096

    /// Binds and listens. An address that anybody listens on, this program included, is refused.
    ///
    /// - Throws: ``ServerError/addressInUse(_:)``, or ``ServerError/system(call:subject:errno:)`` with the address.
    package init(_ address: SocketAddress) throws(ServerError) {
        try self.init(address, joining: false)
    }

    /// Another socket on the same address, for another loop: the kernel spreads connections over both (SO_REUSEPORT).
    ///
    /// A Unix domain socket cannot be had twice: for one of these it fails with ``ServerError/addressInUse(_:)``.
    package borrowing func another() throws(ServerError) -> ListeningSocket {
        try ListeningSocket(address, joining: true)
    }

    private init(_ address: SocketAddress, joining: Bool) throws(ServerError) {
        let descriptor = try Descriptor.streamSocket(family: address.family)
        try Self.bind(descriptor, to: address, joining: joining)
        let number = descriptor.number
        do throws(ServerError) {
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
    ) throws(ServerError) {
        guard let path = address.unixPath else {
            try descriptor.setOption(SOL_SOCKET, SO_REUSEADDR, called: "SO_REUSEADDR")
            if joining { try descriptor.setOption(SOL_SOCKET, SO_REUSEPORT, called: "SO_REUSEPORT") }
            try bindOnce(descriptor, to: address)
            if !joining { try descriptor.setOption(SOL_SOCKET, SO_REUSEPORT, called: "SO_REUSEPORT") }
            return
        }
        do throws(ServerError) {
            try bindOnce(descriptor, to: address)
        } catch  where isLeftOver(address) {
            _ = unsafe unlink(path)
            try bindOnce(descriptor, to: address)
        }
    }

    private static func bindOnce(
        _ descriptor: borrowing Descriptor, to address: SocketAddress
    ) throws(ServerError) {
        let number = descriptor.number
        do throws(ServerError) {
            try system("bind", about: "\(address)") {
                unsafe address.withSystemAddress { unsafe Glibc.bind(number, $0, $1) }
            }
        } catch {
            throw error.isAddressInUse ? .addressInUse("\(address)") : error
        }
    }

    /// Whether a socket file is there that nobody listens on: a server before us was killed.
    private static func isLeftOver(_ address: SocketAddress) -> Bool {
        guard let probe = try? Descriptor.streamSocket(family: address.family) else { return false }
        let number = probe.number
        let result = unsafe address.withSystemAddress { unsafe connect(number, $0, $1) }
        return result == -1 && errno == ECONNREFUSED
    }
}

extension ServerError {
    fileprivate var isAddressInUse: Bool {
        guard case .system(_, _, EADDRINUSE) = self else { return false }
        return true
    }
}

/// Accepts connections on a loop and hands each to `accept` together with its place under the limit.
///
/// When descriptors or places run out it stops asking the kernel, which then keeps new connections in the backlog,
/// and tries again after a pause: it never spins on a listener that stays readable.
package final class Listener: ReadinessHandler, TimerHandler {
    package typealias Accept = (consuming Socket, consuming ConnectionPermit, Reactor) -> Void

    /// Connections taken in one turn, so that a storm of them does not hold up those already open.
    private static let acceptsPerTurn = 64
    private static let pause = Duration.milliseconds(50)

    package let address: SocketAddress
    private let descriptor: Descriptor
    private let limit: ConnectionLimit
    private let accept: Accept
    private var registration: Registration?
    private var resumption: TimerID?

    private init(_ socket: consuming ListeningSocket, limit: ConnectionLimit, accept: @escaping Accept) {
        address = socket.address
        descriptor = socket.takeDescriptor()
        self.limit = limit
        self.accept = accept
    }

    /// Starts accepting. The reactor keeps the listener until ``close(on:)``.
    @discardableResult
    package static func attach(
        _ socket: consuming ListeningSocket, to reactor: Reactor, limit: ConnectionLimit,
        accept: @escaping Accept
    ) throws(ServerError) -> Listener {
        let listener = Listener(socket, limit: limit, accept: accept)
        listener.registration = try reactor.register(
            listener.descriptor.number, for: .read, handler: listener)
        return listener
    }

    /// Stops accepting for good; what waits in the backlog is refused when the listener is let go of.
    package func close(on reactor: Reactor) {
        if let resumption { reactor.cancel(resumption) }
        if let registration { reactor.deregister(registration) }
        resumption = nil
        registration = nil
        if let path = address.unixPath { _ = unsafe unlink(path) }
    }

    package func loopStopped(on reactor: Reactor) {
        registration = nil
        close(on: reactor)
    }

    package func descriptorReady(_ readiness: Readiness, on reactor: Reactor) {
        for _ in 0..<Self.acceptsPerTurn where resumption == nil && registration != nil {
            guard let permit = limit.acquire() else { return pause(on: reactor) }
            switch acceptOne() {
            case .accepted(let socket): accept(socket, permit, reactor)
            case .none: return
            case .tryAgain: continue
            case .exhausted: return pause(on: reactor)
            }
        }
    }

    package func timerFired(_ timer: TimerID, on reactor: Reactor) {
        resumption = nil
        guard let registration else { return }
        reactor.setInterest(.read, of: registration)
    }

    private func pause(on reactor: Reactor) {
        guard let registration else { return }
        reactor.setInterest([], of: registration)
        resumption = reactor.schedule(after: Self.pause, self)
    }

    private enum Accepted: ~Copyable {
        case accepted(Socket)
        case none
        /// This one connection failed before it was taken.
        case tryAgain
        /// No descriptor or memory for it.
        case exhausted
    }

    /// `accept` and two `fcntl` stand in for `accept4`, which the C library's headers hide from Swift.
    private func acceptOne() -> Accepted {
        let number = Glibc.accept(descriptor.number, nil, nil)
        guard number < 0 else { return Self.prepare(Descriptor(owning: number), family: address.family) }
        switch errno {
        case EAGAIN: return .none
        case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .exhausted
        // accept(2) also passes on the errors of the connection: ECONNABORTED, EPROTO, ENETDOWN, EINTR, …
        default: return .tryAgain
        }
    }

    private static func prepare(_ descriptor: consuming Descriptor, family: Int32) -> Accepted {
        _ = fcntl(descriptor.number, F_SETFL, O_NONBLOCK)
        _ = fcntl(descriptor.number, F_SETFD, FD_CLOEXEC)
        // A peer that has already gone makes this fail; the first read will say so.
        if family != AF_UNIX {
            try? descriptor.setOption(Int32(IPPROTO_TCP), TCP_NODELAY, called: "TCP_NODELAY")
        }
        return .accepted(Socket(descriptor))
    }
}

extension ListeningSocket {
    fileprivate consuming func takeDescriptor() -> Descriptor { descriptor }
}
