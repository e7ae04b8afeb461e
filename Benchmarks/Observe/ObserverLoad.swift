import Foundation
import Glibc
import PorticoWire

/// Many observers on few connections, all read by one thread, so that the clock of each delivery is the same one.
final class ObserverLoad {
    private final class Connection {
        let socket: Int32
        var splitter = FrameSplitter(limitBytes: FrameWriter.maximumFrameBytes)

        init(_ socket: Int32) { self.socket = socket }

        deinit { close(socket) }
    }

    private var connections: [Connection] = []
    private var polled: [pollfd] = []
    private var piece = [UInt8](repeating: 0, count: 1 << 16)
    private var nextStream: UInt32 = 1
    private let streams: Int

    /// - Parameter streams: observers on each connection.
    init(port: UInt16, connections count: Int, streams: Int) throws(BenchmarkFault) {
        self.streams = streams
        for _ in 0..<count {
            let socket = try Loopback.connected(to: port)
            connections.append(Connection(socket))
            polled.append(pollfd(fd: socket, events: Int16(POLLIN), revents: 0))
            var bytes = ServedExchange.greeting
            for stream in 0..<streams {
                bytes += Self.request(ObservedNotes.get, .stream, UInt32(2 * stream + 1))
            }
            try Self.send(bytes, to: socket)
        }
        nextStream = UInt32(2 * streams + 1)
    }

    /// Has one more item arrive at every observer, and says how long after the beginning each arrived.
    /// - Parameter writes: the change comes from a write on the first connection; else it has been made already.
    func change(writes: Bool) throws(BenchmarkFault) -> [Duration] {
        let start = ContinuousClock.now
        // The answer to the write is an item of the first connection, too: it is left out.
        var missing = connections.count * streams + (writes ? 1 : 0)
        var arrivals: [Duration] = []
        arrivals.reserveCapacity(missing)
        if writes {
            try Self.send(Self.request(ObservedNotes.touch, .response, nextStream), to: connections[0].socket)
        }
        while missing > 0 {
            guard unsafe poll(&polled, nfds_t(polled.count), 10_000) > 0 else {
                throw .wrongResult("\(missing) observers were told nothing within ten seconds.")
            }
            for index in polled.indices where polled[index].revents != 0 {
                let count = try receive(index)
                let now = ContinuousClock.now - start
                for _ in 0..<count { arrivals.append(now) }
                missing -= count
            }
        }
        nextStream += 2
        return arrivals
    }

    /// - Returns: how many observers' items came; the answer to a write counts as one.
    private func receive(_ index: Int) throws(BenchmarkFault) -> Int {
        let count = unsafe recv(connections[index].socket, &piece, piece.count, 0)
        guard count > 0 else { throw .peer("The server closed a connection.") }
        var (offset, items) = (0, 0)
        let bytes = Array(piece[..<count])
        do throws(WireError) {
            while let found = try connections[index].splitter.next(in: bytes.span, from: &offset) {
                switch found {
                case .inPlace(let range): items += try Self.isItem(bytes.span.extracting(range)) ? 1 : 0
                case .joined(let frame): items += try Self.isItem(frame.span) ? 1 : 0
                }
            }
        } catch { throw .wrongResult("The server's bytes are no frames: \(error.reason)") }
        return items
    }

    private static func isItem(_ bytes: Span<UInt8>) throws(WireError) -> Bool {
        let frame = try Frame(bytes)
        switch frame.body {
        case .payload: return frame.flags.contains(.next)
        case .setup, .lease, .keepalive, .request, .requestN, .cancel, .error, .metadataPush, .resume,
            .resumeOK,
            .ignored:
            return false
        }
    }

    private static func request(_ route: String, _ kind: RequestKind, _ stream: UInt32) -> [UInt8] {
        var metadata = MetadataWriter()
        metadata.route(route)
        var writer = FrameWriter()
        writer.request(
            kind, on: stream, initialCredits: kind == .stream ? 1 << 30 : nil, metadata: metadata.bytes,
            data: [])
        return writer.bytes
    }

    private static func send(_ bytes: [UInt8], to socket: Int32) throws(BenchmarkFault) {
        guard unsafe Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
            throw .peer("The server takes no more.")
        }
    }
}
