import CLinux
import Glibc
package import PorticoWire

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
        return unsafe bytes.withUnsafeBufferPointer { buffer in
            Self.outcome {
                unsafe Glibc.send(number, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
            }
        }
    }

    /// Offers `output`, with what is lent in it, to the kernel once, and in one call. As ``send(_:)`` otherwise.
    package borrowing func send(_ output: FrameWriter) -> SendOutcome {
        var vectors: [iovec] = unsafe []
        unsafe vectors.reserveCapacity(2 * output.lent.count + 1)
        return unsafe output.bytes.withUnsafeBytes { own in
            unsafe gather(own, from: 0, output.lent[...], &vectors)
        }
    }

    /// Adds what goes out behind `own[..<start]` to the vectors and sends them; each pointer lives as long as its closure.
    private borrowing func gather(
        _ own: UnsafeRawBufferPointer, from start: Int, _ lent: ArraySlice<LentContent>,
        _ vectors: inout [iovec]
    ) -> SendOutcome {
        let end = lent.first?.place ?? own.count
        unsafe vectors.append(iovec(own[start..<end]))
        guard let content = lent.first else { return unsafe send(&vectors) }
        return unsafe content.message.withUnsafeBytes { message in
            unsafe vectors.append(iovec(message[content.part]))
            return unsafe gather(own, from: end, lent.dropFirst(), &vectors)
        }
    }

    private borrowing func send(_ vectors: inout [iovec]) -> SendOutcome {
        let number = descriptor.number
        return unsafe vectors.withUnsafeMutableBufferPointer { vectors in
            var message = unsafe msghdr()
            unsafe message.msg_iov = vectors.baseAddress
            unsafe message.msg_iovlen = vectors.count
            return Self.outcome { unsafe sendmsg(number, &message, Int32(MSG_NOSIGNAL)) }
        }
    }

    /// Of `attempt`, made again when a signal interrupts it.
    private static func outcome(_ attempt: () -> Int) -> SendOutcome {
        while true {
            let sent = attempt()
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

extension iovec {
    /// For sending: the kernel only reads there.
    fileprivate init(_ bytes: Slice<UnsafeRawBufferPointer>) {
        let bytes = unsafe UnsafeRawBufferPointer(rebasing: bytes)
        unsafe self.init(iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count)
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
