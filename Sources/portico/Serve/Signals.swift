import Dispatch
import Foundation

/// Waits for the signals that end a server.
enum Signals {
    /// Returns at the first SIGTERM or SIGINT. A second one ends the process at once, as if nobody listened.
    static func waitForEnd() async {
        let numbers = [SIGTERM, SIGINT]
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        let sources = numbers.map { number in
            _ = signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { continuation.yield() }
            source.activate()
            return source
        }
        for await _ in stream { break }
        for source in sources { source.cancel() }
        for number in numbers { _ = signal(number, SIG_DFL) }
    }
}
