import Dispatch
import Foundation

/// What signals ask of a server, from the moment this is made: SIGHUP to reload, SIGTERM and SIGINT to end.
struct Signals {
    private enum Event { case reload, end }

    private static let ending = [SIGTERM, SIGINT]

    private let events: AsyncStream<Event>
    private let sources: [any DispatchSourceSignal]

    init() {
        let (stream, continuation) = AsyncStream<Event>.makeStream()
        events = stream
        sources =
            [Self.watch(SIGHUP) { continuation.yield(.reload) }]
            + Self.ending.map { number in Self.watch(number) { continuation.yield(.end) } }
    }

    /// Reloads at each SIGHUP and returns at the first signal to end. A second one of these ends the process at once, as if
    /// nobody listened.
    func waitForEnd(reload: @escaping @Sendable () async -> Void) async {
        waiting: for await event in events {
            switch event {
            case .reload: Task { await reload() }
            case .end: break waiting
            }
        }
        for source in sources { source.cancel() }
        for number in Self.ending { _ = signal(number, SIG_DFL) }
    }

    private static func watch(
        _ number: Int32, _ handler: @escaping @Sendable () -> Void
    ) -> any DispatchSourceSignal {
        _ = signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler(handler: handler)
        source.activate()
        return source
    }
}
