import PorticoUpstream
import Synchronization

/// Time that stands still until a test moves it.
final class ManualClock: UpstreamClock {
    private struct Sleeper {
        let wakeAt: ContinuousClock.Instant
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var now = ContinuousClock.now
        var seconds: Int64 = 1_000_000
        var fraction = Duration.zero
        var sleepers: [Int: Sleeper] = [:]
        var cancelled: Set<Int> = []
        var ids = 0
        var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    var now: ContinuousClock.Instant { state.withLock { $0.now } }
    var secondsSince1970: Int64 { state.withLock { $0.seconds } }
    var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    func sleep(until instant: ContinuousClock.Instant) async throws(CancellationError) {
        let id = state.withLock { state in
            state.ids += 1
            return state.ids
        }
        let isDone = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in add(id, instant, continuation) }
        } onCancel: {
            cancel(id)
        }
        if !isDone { throw CancellationError() }
    }

    func advance(by duration: Duration) {
        let awake = state.withLock { state in
            state.now += duration
            state.fraction += duration
            state.seconds += state.fraction.components.seconds
            state.fraction -= .seconds(state.fraction.components.seconds)
            let due = state.sleepers.filter { $0.value.wakeAt <= state.now }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values.map(\.continuation)
        }
        for continuation in awake { continuation.resume(returning: true) }
    }

    /// Returns once `count` sleep at the same time.
    func waitForSleepers(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.sleepers.count >= count { return true }
                state.waiting.append((count, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    private func add(
        _ id: Int, _ instant: ContinuousClock.Instant, _ continuation: CheckedContinuation<Bool, Never>
    ) {
        let (result, met) = state.withLock { state in
            if state.cancelled.remove(id) != nil {
                return (false as Bool?, [] as [CheckedContinuation<Void, Never>])
            }
            if instant <= state.now { return (true, []) }
            state.sleepers[id] = Sleeper(wakeAt: instant, continuation: continuation)
            let met = state.waiting.filter { $0.count <= state.sleepers.count }
            state.waiting.removeAll { $0.count <= state.sleepers.count }
            return (nil, met.map(\.continuation))
        }
        if let result { continuation.resume(returning: result) }
        for waiter in met { waiter.resume() }
    }

    private func cancel(_ id: Int) {
        let sleeper = state.withLock { state in
            let sleeper = state.sleepers.removeValue(forKey: id)
            if sleeper == nil { state.cancelled.insert(id) }
            return sleeper
        }
        sleeper?.continuation.resume(returning: false)
    }
}
