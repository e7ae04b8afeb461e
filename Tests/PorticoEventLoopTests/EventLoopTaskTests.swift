import Glibc
import Synchronization
import Testing

@testable import PorticoEventLoop

@Suite struct EventLoopTaskTests {
    private final class Flag: Sendable {
        private let state = Mutex(false)
        var isRaised: Bool { state.withLock { $0 } }
        func raise() { state.withLock { $0 = true } }
    }

    private static var thread: UInt { UInt(pthread_self()) }

    private func thread(of loop: EventLoop) async -> UInt {
        await withCheckedContinuation { continuation in
            loop.execute { _ in continuation.resume(returning: Self.thread) }
        }
    }

    @Test func aTaskRunsOnItsLoopBeforeAndAfterItWaits() async throws {
        let loop = try EventLoop()
        try loop.start()
        let own = await thread(of: loop)
        let seen = await Task(executorPreference: loop) {
            let first = Self.thread
            // Handed to the loop by itself.
            let second = await thread(of: loop)
            let third = Self.thread
            // Resumed from another thread.
            await Task(executorPreference: globalConcurrentExecutor) {}.value
            return [first, second, third, Self.thread]
        }.value
        #expect(seen == [own, own, own, own])
        loop.stop()
        await loop.join()
    }

    @Test func tasksThatNeverWaitForOthersDoNotKeepTimersFromFiring() async throws {
        let loop = try EventLoop()
        try loop.start()
        let isOver = Flag()
        let busy = Task(executorPreference: loop) {
            var turns = 0
            while !isOver.isRaised {
                turns += 1
                await Task.yield()
            }
            return turns
        }
        await withCheckedContinuation { continuation in
            loop.execute { reactor in
                _ = reactor.schedule(after: .milliseconds(1)) { _ in
                    isOver.raise()
                    continuation.resume()
                }
            }
        }
        #expect(await busy.value > 0)
        loop.stop()
        await loop.join()
    }

    @Test func aTaskOutlivesItsLoop() async throws {
        let loop = try EventLoop()
        try loop.start()
        let own = await thread(of: loop)
        let task = Task(executorPreference: loop) {
            await withCheckedContinuation { continuation in
                loop.stop()
                Task(executorPreference: globalConcurrentExecutor) {
                    await loop.join()
                    continuation.resume()
                }
            }
            return Self.thread
        }
        #expect(await task.value != own)
    }

    @Test(arguments: [true, false]) func aTaskOfALoopThatNeverRunsIsRunElsewhere(isStoppedFirst: Bool)
        async throws
    {
        let loop = try EventLoop()
        if isStoppedFirst { loop.stop() }
        let task = Task(executorPreference: loop) { 7 }
        if !isStoppedFirst { loop.stop() }
        #expect(await task.value == 7)
    }
}
