import Foundation
import PorticoWire

/// The thread that reads one connection: frames to the client, a KEEPALIVE in each pause, the end told once.
/// It holds the client weakly: a client nobody keeps closes its socket, and the thread ends.
struct ConnectionReader: Sendable {
    private let socket: BlockingSocket
    private let keepalive: Duration
    private let lifetime: Duration
    private let limitBytes: Int
    private weak let client: PorticoClient?

    init(socket: BlockingSocket, options: ConnectionOptions, client: PorticoClient) {
        self.socket = socket
        keepalive = max(options.keepalive, .seconds(1))
        lifetime = options.lifetime
        limitBytes = FrameWriter.maximumFrameBytes
        self.client = client
    }

    func start() {
        let thread = Thread { client?.ended(run()) }
        thread.name = "portico client"
        thread.start()
    }

    /// - Returns: why it ended.
    private func run() -> PorticoClientError {
        var splitter = FrameSplitter(limitBytes: limitBytes)
        let clock = ContinuousClock()
        var lastHeard = clock.now
        while true {
            guard socket.waitUntilReadable(timeout: keepalive) else {
                guard clock.now - lastHeard < lifetime else {
                    return .disconnected(reason: "the server has been silent for \(lifetime)")
                }
                var writer = FrameWriter()
                writer.keepalive(.respond, data: [UInt8]().span)
                client?.write(writer.bytes)
                continue
            }
            let bytes = socket.read(upTo: 64 << 10)
            guard !bytes.isEmpty else { return .disconnected(reason: "the server closed the connection") }
            lastHeard = clock.now
            do throws(WireError) {
                try deliver(bytes, through: &splitter)
            } catch {
                return .protocolViolation(error.reason)
            }
        }
    }

    private func deliver(_ bytes: [UInt8], through splitter: inout FrameSplitter) throws(WireError) {
        var offset = 0
        while let found = try splitter.next(in: bytes.span, from: &offset) {
            switch found {
            case .inPlace(let range): try client?.received(bytes.span.extracting(range))
            case .joined(let frame): try client?.received(frame.span)
            }
        }
    }
}
