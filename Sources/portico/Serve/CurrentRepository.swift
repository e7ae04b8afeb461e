import PorticoConfig
import PorticoUpstream
import Synchronization

/// The repository that new calls go to, for what asks it for numbers; and the watch over its upstreams.
final class CurrentRepository: Sendable {
    private struct State {
        var repository: Repository
        var watch: Task<Void, Never>?
    }

    private let state: Mutex<State>

    init(_ repository: Repository) { state = Mutex(State(repository: repository)) }

    var value: Repository {
        get { state.withLock { $0.repository } }
        set { state.withLock { $0.repository = newValue } }
    }

    /// Asks upstreams in the background whether they are there, if the environment wants it. Ends the watch that was.
    func watchUpstreams(_ settings: Configuration.OperatorInterface) {
        state.withLock { state in
            state.watch?.cancel()
            // The upstreams alone: a watch keeps no repository from being freed.
            let upstreams = state.repository.upstreams
            state.watch = settings.probeUpstreams ? Task { await upstreams.watch() } : nil
        }
    }

    func endWatch() { state.withLock { $0.watch?.cancel() } }
}
