import Synchronization
import PorticoWire
import Testing

@testable import PorticoEventLoop

@Suite struct EventLoopTests {
    @Test func jobsOfOneThreadRunInOrderOnTheLoopsOwnThread() async throws {
        let loop = try EventLoop()
        try loop.start()
        let seen = Mutex<[Int]>([])
        for number in 0..<1000 {
            loop.execute { _ in seen.withLock { $0.append(number) } }
        }
        await loop.turn()
        #expect(seen.withLock { $0 } == Array(0..<1000))
        loop.stop()
        await loop.join()
    }

    @Test func jobsHandedOverBeforeTheStartAreRun() async throws {
        let loop = try EventLoop()
        let count = Mutex(0)
        loop.execute { _ in count.withLock { $0 += 1 } }
        try loop.start()
        await loop.turn()
        #expect(count.withLock { $0 } == 1)
        loop.stop()
        await loop.join()
    }

    @Test func jobsOfManyThreadsAreAllRun() async throws {
        let loop = try EventLoop()
        try loop.start()
        let tally = Tally()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<2000 { loop.execute { _ in tally.add() } }
                }
            }
        }
        await loop.turn()
        #expect(tally.count == 16_000)
        loop.stop()
        await loop.join()
    }

    @Test func aStoppedLoopRunsWhatItWasGivenAndTakesNoMore() async throws {
        let loop = try EventLoop()
        let count = Mutex(0)
        try loop.start()
        #expect(loop.execute { _ in count.withLock { $0 += 1 } })
        loop.stop()
        await loop.join()
        #expect(count.withLock { $0 } == 1)
        #expect(loop.execute { _ in } == false)
    }

    @Test func aLoopStoppedBeforeItsStartIsOverAtOnce() async throws {
        let loop = try EventLoop()
        loop.stop()
        await loop.join()
        #expect(loop.execute { _ in } == false)
    }

    @Test func timersFireInOrderAndNotWhenCancelled() async throws {
        let loop = try EventLoop()
        try loop.start()
        let fired: [String] = await withCheckedContinuation { continuation in
            loop.execute { reactor in
                let list = Box<[String]>([])
                let begun = reactor.now
                let cancelled = reactor.schedule(after: .milliseconds(2)) { _ in
                    list.value.append("cancelled")
                }
                _ = reactor.schedule(after: .milliseconds(6)) { reactor in
                    list.value.append(reactor.now - begun >= .milliseconds(6) ? "late" : "early")
                    continuation.resume(returning: list.value)
                }
                _ = reactor.schedule(after: .milliseconds(1)) { _ in list.value.append("soon") }
                reactor.cancel(cancelled)
            }
        }
        #expect(fired == ["soon", "late"])
        loop.stop()
        await loop.join()
    }

    @Test func aTimerThatSetsItselfAgainDoesNotHoldUpJobs() async throws {
        let loop = try EventLoop()
        try loop.start()
        loop.execute { reactor in Self.setForEver(on: reactor) }
        await loop.turn()
        await loop.turn()
        loop.stop()
        await loop.join()
    }

    private static func setForEver(on reactor: Reactor) {
        _ = reactor.schedule(after: .zero) { setForEver(on: $0) }
    }
}

final class Tally: Sendable {
    private let total = Atomic(0)
    var count: Int { total.load(ordering: .relaxed) }
    func add() { total.wrappingAdd(1, ordering: .relaxed) }
}

/// A place for a closure of one loop to keep something in.
final class Box<Value> {
    var value: Value
    init(_ value: Value) { self.value = value }
}

extension EventLoop {
    /// Returns when everything handed over so far has run.
    func turn() async {
        await withCheckedContinuation { continuation in
            if !execute({ _ in continuation.resume() }) { continuation.resume() }
        }
    }
}
