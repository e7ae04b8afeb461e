import CLinux
import Glibc

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
    ///
    /// - Returns: the listener's registration, for ``ListenerHandle``.
    package static func attach(
        _ socket: consuming ListeningSocket, to reactor: Reactor, limit: ConnectionLimit,
        accept: @escaping Accept
    ) throws(SystemError) -> Registration {
        let listener = Listener(socket, limit: limit, accept: accept)
        let registration = try reactor.register(listener.descriptor.number, for: .read, handler: listener)
        listener.registration = registration
        return registration
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
