import CLinux
import Glibc

extension Socket {
    /// Begins to connect, without waiting: the socket becomes writable when the attempt has ended, and
    /// ``connectError()`` says how.
    ///
    /// - Throws: ``SystemError/system(call:subject:errno:)``: no descriptor, or refused on the spot.
    package static func connecting(to address: SocketAddress) throws(SystemError) -> Socket {
        let descriptor = try Descriptor.streamSocket(family: address.family)
        if address.unixPath == nil {
            try descriptor.setOption(Int32(IPPROTO_TCP), TCP_NODELAY, called: "TCP_NODELAY")
        }
        let number = descriptor.number
        let result = unsafe address.withSystemAddress { unsafe connect(number, $0, $1) }
        // Interrupted, connect(2) goes on by itself, just as when it is in progress.
        guard result == 0 || errno == EINPROGRESS || errno == EINTR else {
            throw .system(call: "connect", subject: "\(address)", errno: errno)
        }
        return Socket(descriptor)
    }

    /// Ends the connection in both directions at once; the descriptor itself goes with its owner.
    package borrowing func finishBothWays() { _ = shutdown(number, Int32(SHUT_RDWR)) }

    /// The `errno` of an attempt to connect that has ended; 0: connected.
    package borrowing func connectError() -> Int32 {
        var code: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        let result = unsafe getsockopt(number, SOL_SOCKET, SO_ERROR, &code, &size)
        return result == 0 ? code : errno
    }
}
