import Glibc

@testable import PorticoEventLoop
@testable import PorticoServer

/// A blocking client that sends and reads bytes as they are. Reads give up after ten minutes, so that a broken
/// server fails a test instead of hanging it.
struct RawClient: ~Copyable {
    private let descriptor: Descriptor

    init(_ address: SocketAddress) throws {
        let number = socket(address.family, Int32(SOCK_STREAM.rawValue), 0)
        descriptor = Descriptor(owning: number)
        var timeout = timeval(tv_sec: 600, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        _ = unsafe setsockopt(number, SOL_SOCKET, SO_RCVTIMEO, &timeout, size)
        try system("connect", about: "\(address)") {
            unsafe address.withSystemAddress { unsafe connect(number, $0, $1) }
        }
    }

    borrowing func send(_ text: String) { send(Array(text.utf8)) }

    borrowing func send(_ bytes: [UInt8]) {
        var sent = 0
        while sent < bytes.count {
            let count = unsafe bytes[sent...].withUnsafeBytes { rest in
                unsafe Glibc.send(descriptor.number, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            sent += count
        }
    }

    /// One read; nil: end of stream, reset or time out.
    borrowing func read() -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = unsafe recv(descriptor.number, &bytes, bytes.count, 0)
        return count > 0 ? Array(bytes.prefix(count)) : nil
    }

    borrowing func readToEnd() -> String {
        var all: [UInt8] = []
        while let bytes = read() { all += bytes }
        return String(decoding: all, as: UTF8.self)
    }

    /// One response: the head, and as much body as its Content-Length says.
    borrowing func readResponse() -> (status: Int, head: String, body: String)? {
        var all: [UInt8] = []
        while true {
            let text = String(decoding: all, as: UTF8.self)
            if let response = Self.split(text) { return response }
            guard let bytes = read() else { return nil }
            all += bytes
        }
    }

    borrowing func get(_ path: String) -> (status: Int, head: String, body: String)? {
        send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
        return readResponse()
    }

    private static func split(_ text: String) -> (status: Int, head: String, body: String)? {
        guard let end = text.utf8Range(of: "\r\n\r\n") else { return nil }
        let head = String(text[..<end.lowerBound])
        let body = String(text[end.upperBound...])
        let length = head.split(separator: "\r\n").first { $0.hasPrefix("Content-Length: ") }
            .flatMap { Int($0.dropFirst("Content-Length: ".count)) }
        guard body.utf8.count >= length ?? 0, let status = Int(head.dropFirst(9).prefix(3)) else {
            return nil
        }
        return (status, head, body)
    }
}

extension String {
    /// Where `part` first occurs.
    fileprivate func utf8Range(of part: String) -> Range<String.Index>? {
        let pattern = Array(part.utf8)
        let bytes = Array(utf8)
        guard bytes.count >= pattern.count else { return nil }
        for start in 0...(bytes.count - pattern.count)
        where bytes[start..<start + pattern.count].elementsEqual(pattern) {
            let lower = utf8.index(utf8.startIndex, offsetBy: start)
            return lower..<utf8.index(lower, offsetBy: pattern.count)
        }
        return nil
    }
}
