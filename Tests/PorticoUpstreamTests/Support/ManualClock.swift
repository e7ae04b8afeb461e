import PorticoEventLoop
import PorticoUpstream
import PorticoWire
import Synchronization

/// Time that stands still until a test moves it.
final class ManualClock: UpstreamClock {
    private struct Sleeper {
        let wakeAt: ContinuousClock.Instant
        let continuation: CheckedContinuation<Bool, Never>
    }
    private typealias Ring = @Sendable () -> Void

    private struct State: ~Copyable {
        var now: ContinuousClock.Instant
        var seconds: Int64 = 1_000_000
        var fraction = Duration.zero
        var sleepers: [Int: Sleeper] = [:]
        var alarms = TimerHeap<Ring>()
        var cancelled: Set<Int> = []
        var ids = 0
        var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

        /// Sleepers and alarms.
        var count: Int { sleepers.count + alarms.count }

        mutating func met() -> [CheckedContinuation<Void, Never>] {
            let count = count
            let met = waiting.filter { $0.count <= count }
            waiting.removeAll { $0.count <= count }
            return met.map(\.continuation)
        }
    }

    private let start: ContinuousClock.Instant
    private let state: Mutex<State>

    init() {
        let start = ContinuousClock.now
        self.start = start
        state = Mutex(State(now: start))
    }

    /// As the heap of alarms counts.
    private func moment(_ instant: ContinuousClock.Instant) -> Instant {
        Instant(nanoseconds: 0) + (instant - start)
    }

    var now: ContinuousClock.Instant { state.withLock { $0.now } }
    var secondsSince1970: Int64 { state.withLock { $0.seconds } }
    /// Sleepers and alarms.
    var sleeperCount: Int { state.withLock { $0.count } }

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
        let (awake, rings) = state.withLock { state in
            state.now += duration
            state.fraction += duration
            state.seconds += state.fraction.components.seconds
            state.fraction -= .seconds(state.fraction.components.seconds)
            let due = state.sleepers.filter { $0.value.wakeAt <= state.now }
            for id in due.keys { state.sleepers[id] = nil }
            var rings: [Ring] = []
            let mark = state.alarms.mark
            while let (_, ring) = state.alarms.popDue(at: moment(state.now), setBefore: mark) {
                rings.append(ring)
            }
            return (due.values.map(\.continuation), rings)
        }
        for continuation in awake { continuation.resume(returning: true) }
        for ring in rings { ring() }
    }

    /// One that is due rings at once.
    func alarm(at instant: ContinuousClock.Instant, _ ring: @escaping @Sendable () -> Void) -> AlarmID {
        let (timer, isDue, met) = state.withLock { state in
            let timer = state.alarms.insert(ring, at: moment(instant))
            let isDue = instant <= state.now && state.alarms.remove(timer) != nil
            return (timer, isDue, state.met())
        }
        if isDue { ring() }
        for waiter in met { waiter.resume() }
        return AlarmID(timer)
    }

    func cancel(_ alarm: AlarmID) {
        _ = state.withLock { $0.alarms.remove(alarm.timer) }
    }

    /// Returns once so many sleep or have set an alarm at the same time.
    func waitForSleepers(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.count >= count { return true }
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
            return (nil, state.met())
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
