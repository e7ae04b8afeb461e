import Synchronization
import Testing

@testable import PorticoUpstream

@Suite struct SystemClockTests {
    /// Notes what rings, and wakes who waits for so many.
    private final class Bell: Sendable {
        private let state = Mutex(([Int](), [(count: Int, continuation: CheckedContinuation<Void, Never>)]()))

        var rung: [Int] { state.withLock { $0.0 } }

        func ring(_ number: Int) {
            let met = state.withLock { state in
                state.0.append(number)
                let count = state.0.count
                let met = state.1.filter { $0.count <= count }
                state.1.removeAll { $0.count <= count }
                return met.map(\.continuation)
            }
            for continuation in met { continuation.resume() }
        }

        func wait(for count: Int) async {
            await withCheckedContinuation { continuation in
                let isMet = state.withLock { state in
                    if state.0.count >= count { return true }
                    state.1.append((count, continuation))
                    return false
                }
                if isMet { continuation.resume() }
            }
        }
    }

    @Test func alarmsRingInTheirOrderWhateverTheOrderTheyWereSetIn() async {
        let (clock, bell) = (SystemClock(), Bell())
        let start = clock.now
        for number in [3, 1, 2, 0] {
            _ = clock.alarm(at: start + .milliseconds(10 * number)) { bell.ring(number) }
        }
        await bell.wait(for: 4)
        #expect(bell.rung == [0, 1, 2, 3])
        #expect(clock.now - start >= .milliseconds(30))
    }

    @Test func aCancelledAlarmDoesNotRing() async {
        let (clock, bell) = (SystemClock(), Bell())
        let start = clock.now
        let cancelled = clock.alarm(at: start + .milliseconds(5)) { bell.ring(1) }
        _ = clock.alarm(at: start + .milliseconds(10)) { bell.ring(2) }
        clock.cancel(cancelled)
        clock.cancel(cancelled)
        await bell.wait(for: 1)
        #expect(bell.rung == [2])
    }

    @Test func anAlarmOfThePastRingsAndMayBeSetWhileAnotherRings() async {
        let (clock, bell) = (SystemClock(), Bell())
        let start = clock.now
        _ = clock.alarm(at: start - .seconds(1)) {
            bell.ring(1)
            _ = clock.alarm(at: start) { bell.ring(2) }
        }
        await bell.wait(for: 2)
        #expect(bell.rung == [1, 2])
    }

    /// One for the far alarm, and one for the near one of each time.
    @Test func nearAlarmsBeforeAFarOneLeaveNoSleepersBehind() async {
        let (clock, bell) = (AlarmClock(), Bell())
        let far = clock.set(at: .now + .seconds(3600)) {}
        for number in 1...100 {
            _ = clock.set(at: .now) { bell.ring(number) }
            await bell.wait(for: number)
        }
        #expect(clock.sleeperCount <= 2)
        clock.cancel(far)
    }
}
