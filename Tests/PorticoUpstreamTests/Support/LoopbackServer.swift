import Glibc
import Synchronization

/// An HTTP server that says exactly what a test tells it to, and misbehaves as told. One thread, one connection at a time.
final class LoopbackServer: Sendable {
    enum Step: Sendable {
        case write(String)
        case writeBytes([UInt8])
        /// Keeps the connection for another request when the steps are done.
        case keep
        /// Until the peer goes away.
        case waitForPeerToLeave
        /// The connection ends with RST instead of FIN.
        case reset
    }

    let port: Int
    private let listener: Int32
    private let received = Mutex<[String]>([])
    private let peersLeft = Mutex(0)
    private let accepted = Mutex(0)

    /// Heads of the requests so far.
    var requests: [String] { received.withLock { $0 } }
    /// Connections taken so far.
    var connections: Int { accepted.withLock { $0 } }
    /// How often a peer left while it was waited for.
    var departures: Int { peersLeft.withLock { $0 } }

    /// - Parameter script: what to answer to a request line's path.
    init(_ script: @escaping @Sendable (_ path: String) -> [Step]) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                precondition(unsafe bind(listener, generic, length) == 0)
                precondition(listen(listener, 16) == 0)
                precondition(unsafe getsockname(listener, generic, &length) == 0)
            }
        }
        self.listener = listener
        port = Int(UInt16(bigEndian: address.sin_port))
        Self.startThread { [self] in serve(script) }
    }

    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    private func serve(_ script: @Sendable (_ path: String) -> [Step]) {
        while true {
            let connection = accept(listener, nil, nil)
            guard connection >= 0 else { break }
            accepted.withLock { $0 += 1 }
            while let head = Self.readHead(connection) {
                received.withLock { $0.append(head) }
                let path = head.split(separator: " ").dropFirst().first.map(String.init) ?? ""
                let steps = script(path)
                for step in steps { perform(step, connection) }
                guard case .keep? = steps.last else { break }
            }
            close(connection)
        }
        close(listener)
    }

    private func perform(_ step: Step, _ connection: Int32) {
        switch step {
        case .keep: break
        case .write(let text): Self.write(Array(text.utf8), connection)
        case .writeBytes(let bytes): Self.write(bytes, connection)
        case .waitForPeerToLeave:
            var byte: UInt8 = 0
            while unsafe recv(connection, &byte, 1, 0) > 0 {}
            peersLeft.withLock { $0 += 1 }
        case .reset:
            var linger = linger(l_onoff: 1, l_linger: 0)
            let size = socklen_t(MemoryLayout.size(ofValue: linger))
            unsafe setsockopt(connection, SOL_SOCKET, SO_LINGER, &linger, size)
        }
    }

    private static func write(_ bytes: [UInt8], _ connection: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes {
                unsafe send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Nil: the peer left.
    private static func readHead(_ connection: Int32) -> String? {
        var head: [UInt8] = []
        var byte: UInt8 = 0
        while !head.suffix(4).elementsEqual([13, 10, 13, 10]) {
            guard unsafe recv(connection, &byte, 1, 0) == 1 else { return nil }
            head.append(byte)
        }
        return String(decoding: head, as: UTF8.self)
    }

    private static func startThread(_ body: @escaping @Sendable () -> Void) {
        final class Body {
            let run: @Sendable () -> Void
            init(_ run: @escaping @Sendable () -> Void) { self.run = run }
        }
        var thread = pthread_t()
        let box = unsafe Unmanaged.passRetained(Body(body)).toOpaque()
        unsafe pthread_create(
            &thread, nil,
            { box in
                guard let box = unsafe box else { return nil }
                unsafe Unmanaged<Body>.fromOpaque(box).takeRetainedValue().run()
                return nil
            }, box)
        pthread_detach(thread)
    }
}
