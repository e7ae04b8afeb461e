import CLinux
import Glibc

/// What one read gave.
package enum ReceiveOutcome: Equatable, Sendable {
    /// Bytes were handed to the reader; `mayHaveMore` when they filled the buffer.
    case received(mayHaveMore: Bool)
    /// Nothing there yet.
    case wouldBlock
    /// The peer has finished sending.
    case endOfStream
    /// The connection is broken (`errno`: ECONNRESET, ETIMEDOUT, …).
    case failed(errno: Int32)
}

/// What one write took.
package enum SendOutcome: Equatable, Sendable {
    /// At least one byte, possibly fewer than were offered.
    case sent(Int)
    /// The kernel's buffer is full: ask for ``Interest/write``.
    case wouldBlock
    /// The connection is broken (`errno`: EPIPE, ECONNRESET, …).
    case failed(errno: Int32)
}

/// A connected, non-blocking stream socket with one owner.
package struct Socket: ~Copyable {
    private let descriptor: Descriptor

    /// - Parameter descriptor: a connected stream socket, already non-blocking.
    package init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }

    /// For ``Reactor/register(_:for:handler:)``.
    package var number: Int32 { descriptor.number }

    /// Offers `bytes` to the kernel once. Never raises SIGPIPE. `bytes` must not be empty.
    package borrowing func send(_ bytes: Span<UInt8>) -> SendOutcome {
        let number = descriptor.number
        while true {
            let sent = unsafe bytes.withUnsafeBufferPointer { buffer in
                unsafe Glibc.send(number, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
            }
            if sent >= 0 { return .sent(sent) }
            switch errno {
            case EINTR: continue
            case EAGAIN: return .wouldBlock
            case let code: return .failed(errno: code)
            }
        }
    }

    /// Reads once into `buffer`; -1 with `errno` set on failure.
    borrowing func receive(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
        while true {
            let count = unsafe recv(descriptor.number, buffer.baseAddress, buffer.count, 0)
            if count >= 0 || errno != EINTR { return count }
        }
    }

    /// Says that nothing more will be sent; what was sent still arrives, and the peer's bytes can still be read.
    package borrowing func finishSending() { _ = shutdown(descriptor.number, Int32(SHUT_WR)) }

    /// Makes the closing of the socket an abrupt reset, which discards what was not yet delivered.
    package borrowing func resetOnClose() {
        var option = linger(l_onoff: 1, l_linger: 0)
        let size = socklen_t(MemoryLayout<linger>.size)
        _ = unsafe setsockopt(descriptor.number, SOL_SOCKET, SO_LINGER, &option, size)
    }
}

extension Reactor {
    /// Reads once, at most 64 KiB, into the loop's own buffer and shows `body` what came.
    ///
    /// The bytes are gone when `body` returns: keep what is to be kept. `body` must not receive again.
    /// Not generic over an error of `body`: that cost 50 ns a read, as nobody specialises it across modules.
    package func receive(from socket: borrowing Socket, _ body: (Span<UInt8>) -> Void) -> ReceiveOutcome {
        let count = unsafe socket.receive(into: receiveBuffer.storage)
        guard count > 0 else {
            if count == 0 { return .endOfStream }
            let code = errno
            return code == EAGAIN ? .wouldBlock : .failed(errno: code)
        }
        let received = unsafe UnsafeBufferPointer(rebasing: receiveBuffer.storage[..<count])
        body(unsafe received.span)
        return .received(mayHaveMore: count == ReceiveBuffer.sizeBytes)
    }
}

/// Where a loop reads to: one for all its connections, so that an idle connection owns no buffer.
@safe struct ReceiveBuffer: ~Copyable {
    /// One read takes at most this much, so that one busy connection does not hold up the others.
    static let sizeBytes = 64 << 10

    fileprivate let storage: UnsafeMutableBufferPointer<UInt8>

    init() {
        unsafe storage = .allocate(capacity: Self.sizeBytes)
        unsafe storage.initialize(repeating: 0)
    }

    deinit { unsafe storage.deallocate() }
}

extension Descriptor {
    /// A non-blocking stream socket that a child process does not inherit.
    ///
    /// - Throws: ``SystemError/system(call:subject:errno:)``, for example EMFILE.
    static func streamSocket(family: Int32) throws(SystemError) -> Descriptor {
        let flags = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        return Descriptor(owning: try system("socket") { socket(family, flags, 0) })
    }

    borrowing func setOption(
        _ level: Int32, _ option: Int32, to value: Int32 = 1, called name: String
    ) throws(SystemError) {
        let number = number
        var value = value
        try system("setsockopt", about: name) {
            unsafe setsockopt(number, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
        }
    }
}
