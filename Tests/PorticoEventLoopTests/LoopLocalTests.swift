import Synchronization
import Testing

@testable import PorticoEventLoop

@Suite struct LoopLocalTests {
    private final class Guest: LoopResident {
        let number: Int
        private let left: Departures
        init(_ number: Int, _ left: Departures) {
            self.number = number
            self.left = left
        }
        func leave(_ reactor: Reactor) { left.add(number) }
    }

    /// How many guests there were, and which of them have left.
    private final class Book: Sendable {
        private let made = Mutex(0)
        let left = Departures()
        func makeGuest() -> Guest {
            Guest(
                made.withLock { made in
                    made += 1
                    return made
                }, left)
        }
    }

    private func startedLoop() throws -> EventLoop {
        let loop = try EventLoop()
        try loop.start()
        return loop
    }

    private func on<Value: Sendable>(
        _ loop: EventLoop, _ body: @escaping @Sendable (Reactor) -> Value
    ) async -> Value {
        await withCheckedContinuation { continuation in
            loop.execute { continuation.resume(returning: body($0)) }
        }
    }

    @Test func eachLoopHasOneOfItsOwn() async throws {
        let book = Book()
        let guests = LoopLocal { book.makeGuest() }
        let (one, other) = (try startedLoop(), try startedLoop())
        var seen: [Int] = []
        for loop in [one, one, other, one, other] {
            seen.append(await on(loop) { guests.resident(on: $0).number })
        }
        #expect(seen == [1, 1, 2, 1, 2])
        for loop in [one, other] {
            loop.stop()
            await loop.join()
        }
        #expect(book.left.numbers.sorted() == [1, 2])
    }

    @Test func itLeavesEveryLoopWhenItsOwnerHasGone() async throws {
        let book = Book()
        let loop = try startedLoop()
        var guests: LoopLocal<Guest>? = LoopLocal { book.makeGuest() }
        if let guests { _ = await on(loop) { guests.resident(on: $0).number } }
        #expect(book.left.numbers == [])
        guests = nil
        // Jobs run in the order of their arrival.
        await on(loop) { _ in }
        #expect(book.left.numbers == [1])
        loop.stop()
        await loop.join()
        #expect(book.left.numbers == [1])
    }

    @Test func aThreadKnowsItsLoop() async throws {
        let loop = try startedLoop()
        #expect(EventLoop.current == nil)
        #expect(await on(loop) { _ in EventLoop.current === loop })
        #expect(await Task(executorPreference: loop) { EventLoop.current === loop }.value)
        loop.stop()
        await loop.join()
    }
}

private final class Departures: Sendable {
    private let list = Mutex<[Int]>([])
    var numbers: [Int] { list.withLock { $0 } }
    func add(_ number: Int) { list.withLock { $0.append(number) } }
}
