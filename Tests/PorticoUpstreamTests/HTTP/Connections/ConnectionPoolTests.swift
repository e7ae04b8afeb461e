import TestSupport
import Testing

@testable import PorticoUpstream

/// What a pool must do, without its economy: every connection and exchange in a plain list.
private struct NaivePool {
    enum Stage { case connecting, idle, busy }
    var limit: Int
    var connections: [(id: Int, stage: Stage)] = []
    var line: [Int] = []
    var nextConnection = 0

    func ids(_ stage: Stage) -> [Int] { connections.filter { $0.stage == stage }.map(\.id) }

    mutating func move(_ id: Int, to stage: Stage?) {
        connections.removeAll { $0.id == id }
        if let stage { connections.append((id, stage)) }
    }

    /// Serves the line with idle connections, then asks for one more if somebody is left without.
    mutating func settle() -> ConnectionPool.Action {
        if !line.isEmpty, let idle = ids(.idle).last {
            move(idle, to: .busy)
            return .start(line.removeFirst(), on: idle)
        }
        if line.count > ids(.connecting).count, connections.count < limit {
            nextConnection += 1
            move(nextConnection, to: .connecting)
            return .connect(nextConnection)
        }
        return .none
    }
}

@Suite struct ConnectionPoolTests {
    /// `#expect` itself cannot call what changes a value.
    private func expect(
        _ action: ConnectionPool.Action, _ expected: ConnectionPool.Action,
        at place: SourceLocation = #_sourceLocation
    ) {
        #expect(action == expected, sourceLocation: place)
    }

    @Test func theConnectionUsedLastIsTakenFirst() {
        var pool = ConnectionPool(limit: 2)
        expect(pool.requested(1), .connect(1))
        expect(pool.requested(2), .connect(2))
        expect(pool.connected(1), .start(1, on: 1))
        expect(pool.connected(2), .start(2, on: 2))
        expect(pool.becameFree(2), .none)
        expect(pool.becameFree(1), .none)
        expect(pool.requested(3), .start(3, on: 1))
    }

    @Test func overTheLimitTheLineIsServedInItsOrder() {
        var pool = ConnectionPool(limit: 1)
        expect(pool.requested(1), .connect(1))
        expect(pool.requested(2), .none)
        expect(pool.requested(3), .none)
        expect(pool.connected(1), .start(1, on: 1))
        let (wasInLine, wasNot) = (pool.withdrew(2), pool.withdrew(1))
        #expect(wasInLine)
        #expect(!wasNot)
        expect(pool.becameFree(1), .start(3, on: 1))
    }

    @Test func aFailedAttemptFailsOneExchangeAndTriesForTheNext() {
        var pool = ConnectionPool(limit: 1)
        _ = pool.requested(1)
        _ = pool.requested(2)
        let outcome = pool.connectFailed()
        #expect(outcome.failed == 1)
        #expect(outcome.then == .connect(2))
    }

    @Test func anAttemptNobodyWaitsForFailsNobody() {
        var pool = ConnectionPool(limit: 2)
        _ = pool.requested(1)
        let wasInLine = pool.withdrew(1)
        #expect(wasInLine)
        let failed = pool.connectFailed().failed
        #expect(failed == nil)
        #expect(pool.connectionCount == 0)
    }

    @Test(arguments: [1, 2, 7]) func randomScriptsAgreeWithTheNaivePool(limit: Int) {
        var random = SeededGenerator(seed: UInt64(limit))
        var pool = ConnectionPool(limit: limit)
        var model = NaivePool(limit: limit)
        for exchange in 0..<20_000 {
            step(exchange, &pool, &model, &random)
            #expect(pool.connectionCount <= limit)
            #expect(pool.idleCount == model.ids(.idle).count)
            #expect(pool.busyCount == model.ids(.busy).count)
            #expect(pool.connectingCount == model.ids(.connecting).count)
            #expect(pool.waitingCount == model.line.count)
        }
    }

    private func step(
        _ exchange: Int, _ pool: inout ConnectionPool, _ model: inout NaivePool,
        _ random: inout SeededGenerator
    ) {
        switch Int.random(in: 0..<7, using: &random) {
        case 0, 1:
            model.line.append(exchange)
            expect(pool.requested(exchange), model.settle())
        case 2:
            guard let id = model.ids(.connecting).randomElement(using: &random) else { return }
            model.move(id, to: .idle)
            expect(pool.connected(id), model.settle())
        case 3:
            guard let id = model.ids(.busy).randomElement(using: &random) else { return }
            model.move(id, to: .idle)
            expect(pool.becameFree(id), model.settle())
        case 4:
            guard let id = model.ids(.busy).randomElement(using: &random) else { return }
            model.move(id, to: nil)
            expect(pool.busyEnded(), model.settle())
        case 5:
            guard let id = model.ids(.connecting).randomElement(using: &random) else { return }
            model.move(id, to: nil)
            let failed = model.line.count > model.ids(.connecting).count ? model.line.removeFirst() : nil
            let outcome = pool.connectFailed()
            #expect(outcome.failed == failed)
            expect(outcome.then, model.settle())
        case _:
            if Bool.random(using: &random), let id = model.ids(.idle).randomElement(using: &random) {
                model.move(id, to: nil)
                pool.idleEnded(id)
            } else if let waiter = model.line.randomElement(using: &random) {
                model.line.removeAll { $0 == waiter }
                let wasInLine = pool.withdrew(waiter)
                #expect(wasInLine)
            }
        }
    }
}
