import Foundation
import PorticoWire

/// One connection that asks one thing and waits for it.
enum WireProbe {
    /// The whole frame that answers `request`, with its length prefix.
    static func answer(from port: UInt16, to request: [UInt8]) throws(BenchmarkFault) -> [UInt8] {
        try exchange(port, ServedExchange.greeting + request) { bytes in
            bytes.count >= 3 && bytes.count >= 3 + Int(bytes.span.bigEndian(at: 0, width: 3))
        }
    }

    /// The whole answer to an HTTP request, head and all, when its body is chunked or has a length.
    static func httpAnswer(from port: UInt16, to request: [UInt8]) throws(BenchmarkFault) -> [UInt8] {
        try exchange(port, request) { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            guard let head = text.range(of: "\r\n\r\n") else { return false }
            if text.contains("Transfer-Encoding: chunked") { return text.hasSuffix("\r\n0\r\n\r\n") }
            let field = text[..<head.lowerBound].split(separator: "\r\n").first {
                $0.hasPrefix("Content-Length: ")
            }
            return field.flatMap { Int($0.dropFirst(16)) } == text[head.upperBound...].utf8.count
        }
    }

    /// Whether anything comes back.
    static func isAnswered(_ request: [UInt8], by port: UInt16) -> Bool {
        (try? exchange(port, request) { !$0.isEmpty }) != nil
    }

    private static func exchange(
        _ port: UInt16, _ request: [UInt8], until isWhole: ([UInt8]) -> Bool
    ) throws(BenchmarkFault) -> [UInt8] {
        let descriptor = try Loopback.connected(to: port)
        defer { close(descriptor) }
        guard unsafe send(descriptor, request, request.count, 0) == request.count else {
            throw .peer("Nothing listens on port \(port).")
        }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe recv(descriptor, &piece, piece.count, 0)
            guard count > 0 else { throw .peer("The server on port \(port) closed the connection.") }
            bytes += piece[..<count]
            if isWhole(bytes) { return bytes }
        }
    }
}
