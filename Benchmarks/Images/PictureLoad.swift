import Foundation
import Glibc
import PorticoWire
import Synchronization

/// Clients in a process of their own that do as little as they can: a thread each, one request at a time, the answer's bytes
/// read and dropped. How long each answer is they learn once, so that both servers cost them the same.
struct PictureLoad {
    enum Kind: String {
        case portico, http
    }

    struct Result {
        let picturesPerSecond: Double
        let bytesPerSecond: Double

        init(picturesPerSecond: Double, bytesPerSecond: Double) {
            self.picturesPerSecond = picturesPerSecond
            self.bytesPerSecond = bytesPerSecond
        }

        /// Nil: not what ``PictureLoad/run()`` writes.
        init?(line: String) {
            let numbers = line.split(separator: " ").compactMap { Double($0) }
            guard numbers.count == 2 else { return nil }
            self.init(picturesPerSecond: numbers[0], bytesPerSecond: numbers[1])
        }
    }

    let port: UInt16
    let kind: Kind
    let seconds: Double

    private static let connections = 8
    private static let warmUpSeconds = 0.5

    init(port: UInt16, kind: Kind, seconds: Double) {
        self.port = port
        self.kind = kind
        self.seconds = seconds
    }

    init?(words: [String]) {
        guard words.count == 3, let port = UInt16(words[0]), let kind = Kind(rawValue: words[1]),
            let seconds = Double(words[2])
        else { return nil }
        self.init(port: port, kind: kind, seconds: seconds)
    }

    var words: [String] { ["\(port)", kind.rawValue, "\(seconds)"] }

    /// Warms up, measures, and writes a ``Result`` in one line.
    func run() -> Int32 {
        let set = PictureSet()
        guard ask(for: set, lasting: Self.warmUpSeconds) != nil, let result = ask(for: set, lasting: seconds)
        else { return 1 }
        ServeRole.say("\(result.picturesPerSecond) \(result.bytesPerSecond)")
        return 0
    }

    /// Nil: a connection failed.
    private func ask(for set: PictureSet, lasting seconds: Double) -> Result? {
        let (served, bytes, failures) = (Counter(), Counter(), Counter())
        let start = ContinuousClock.now
        let end = start + .seconds(seconds)
        Self.inThreads(Self.connections) { number in
            guard let client = PictureClient(port: port, kind: kind) else {
                failures.add(1)
                return
            }
            var picture = number * 37 % set.pictures.count
            while ContinuousClock.now < end {
                guard client.fetch(picture, name: set.names[picture], atLeast: set.pictures[picture].count)
                else {
                    failures.add(1)
                    return
                }
                served.add(1)
                bytes.add(set.pictures[picture].count)
                picture = (picture + 1) % set.pictures.count
            }
        }
        guard failures.value == 0 else { return nil }
        let time = (ContinuousClock.now - start).inSeconds
        return Result(
            picturesPerSecond: Double(served.value) / time,
            bytesPerSecond: Double(bytes.value) / time)
    }
}

/// Of all threads.
private final class Counter: Sendable {
    private let count = Atomic(0)
    var value: Int { count.load(ordering: .relaxed) }
    func add(_ more: Int) { count.add(more, ordering: .relaxed) }
}

extension PictureLoad {
    /// Returns when all have ended. Dispatch would begin no more of them than there are cores.
    private static func inThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
        let group = DispatchGroup()
        for number in 0..<count {
            group.enter()
            Thread.detachNewThread {
                body(number)
                group.leave()
            }
        }
        group.wait()
    }
}

/// One blocking connection.
private final class PictureClient {
    private let socket: Int32
    private let kind: PictureLoad.Kind
    private var stream: UInt32 = 1
    /// Small enough to stay in the processor's cache.
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)
    /// By picture: bytes of the whole answer, once it is known.
    private var lengths: [Int: Int] = [:]

    init?(port: UInt16, kind: PictureLoad.Kind) {
        self.kind = kind
        guard let socket = try? Loopback.connected(to: port) else { return nil }
        self.socket = socket
        guard kind == .portico else { return }
        var writer = FrameWriter()
        writer.setup(
            keepaliveMilliseconds: 60_000, lifetimeMilliseconds: 600_000,
            metadataMIME: MetadataMIME.composite.name, dataMIME: MetadataMIME.protobuf.name, metadata: nil,
            data: [])
        guard send(writer.bytes) else { return nil }
    }

    deinit { close(socket) }

    /// False: the connection is broken, or the answer is shorter than the picture.
    func fetch(_ picture: Int, name: String, atLeast pictureBytes: Int) -> Bool {
        guard send(request(picture, name)) else { return false }
        if let length = lengths[picture] { return receive(length) }
        let length = kind == .portico ? receiveFrames() : receiveHTTP()
        lengths[picture] = length
        return length > pictureBytes
    }

    private func request(_ picture: Int, _ name: String) -> [UInt8] {
        switch kind {
        case .http: return Array("GET /\(name) HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
        case .portico:
            var message = ProtobufWriter()
            message.varintField(1, UInt64(picture))
            var metadata = MetadataWriter()
            metadata.route(ServedPictures.route)
            var writer = FrameWriter()
            writer.request(
                .response, on: stream, initialCredits: nil, metadata: metadata.bytes, data: message.bytes)
            stream += 2
            return writer.bytes
        }
    }

    private func send(_ bytes: [UInt8]) -> Bool {
        unsafe bytes.withUnsafeBytes {
            unsafe Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
            == bytes.count
    }

    /// At most the buffer's size; 0: the end.
    private func receiveSome(_ limit: Int) -> Int {
        unsafe buffer.withUnsafeMutableBytes { unsafe recv(socket, $0.baseAddress, min(limit, $0.count), 0) }
    }

    private func receive(_ count: Int) -> Bool {
        var left = count
        while left > 0 {
            let got = receiveSome(left)
            guard got > 0 else { return false }
            left -= got
        }
        return true
    }

    /// What has come and is not taken yet, a head's worth at most; empty: the end.
    private func peek() -> [UInt8] {
        let got = unsafe buffer.withUnsafeMutableBytes {
            unsafe recv(socket, $0.baseAddress, min(1024, $0.count), Int32(MSG_PEEK))
        }
        return Array(buffer.prefix(max(0, got)))
    }

    /// - Returns: bytes of all frames up to the last of the answer (its flag C); 0: broken.
    private func receiveFrames() -> Int {
        var total = 0
        while true {
            guard receiveExactly(9) else { return 0 }
            let length = Int(buffer[0]) << 16 | Int(buffer[1]) << 8 | Int(buffer[2])
            let isLast = buffer[8] & 0x40 != 0
            guard buffer[7] >> 2 == 0x0a, receive(length - 6) else { return 0 }
            total += length + 3
            if isLast { return total }
        }
    }

    private func receiveExactly(_ count: Int) -> Bool {
        var got = 0
        while got < count {
            let more = unsafe buffer.withUnsafeMutableBytes {
                unsafe recv(socket, $0.baseAddress?.advanced(by: got), count - got, 0)
            }
            guard more > 0 else { return false }
            got += more
        }
        return true
    }

    private func receiveHTTP() -> Int {
        var headBytes = 0
        var head: [UInt8] = []
        // Looked at before it is taken: byte for byte, the first answers would cost this server's clients more than the rest.
        while headBytes == 0 {
            head = peek()
            guard !head.isEmpty else { return 0 }
            headBytes = head.firstRange(of: [13, 10, 13, 10])?.upperBound ?? 0
        }
        guard receive(headBytes) else { return 0 }
        head.removeLast(head.count - headBytes)
        let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
        let length = lines.first { $0.lowercased().hasPrefix("content-length:") }.flatMap {
            Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces))
        }
        guard let length, lines.first?.contains(" 200 ") == true, receive(length) else { return 0 }
        return head.count + length
    }
}
