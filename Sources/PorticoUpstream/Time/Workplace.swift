package import PorticoEventLoop

/// Where the tasks of calls run.
package enum Workplace: Sendable {
    /// Wherever tasks run.
    case anywhere
    /// On the loop that begins them, so that nothing of a call changes threads; on that one if it is no loop.
    case loops(else: EventLoop)

    /// For a task that begins here and now; nil: none in particular.
    var executor: (any TaskExecutor)? {
        switch self {
        case .anywhere: nil
        case .loops(let other): EventLoop.current ?? other
        }
    }
}
