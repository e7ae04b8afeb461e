import PorticoUpstream
import TestSupport
import Testing

@Suite struct FlightTableTests {
    private let start = ContinuousClock.now

    @Test func equalCallsShareOneFlight() {
        var table = FlightTable<String>()
        let first = table.join("a", .until(start))
        let second = table.join("a", .until(start + .seconds(5)))
        let other = table.join("b", .until(start))
        #expect(first.isFirst && !second.isFirst && other.isFirst)
        #expect(first.flight == second.flight && first.flight != other.flight)
        #expect(table.latestDeadline(of: first.flight) == start + .seconds(5))
        #expect(Set(table.landed(first.flight)) == [first.waiter, second.waiter])
        #expect(!table.isInFlight("a"))
    }

    @Test func aFlightEndsWhenItsLastWaiterLeaves() {
        var table = FlightTable<String>()
        let first = table.join("a", .until(start))
        let second = table.join("a", .until(start))
        #expect(table.leave(first.waiter) == nil)
        #expect(table.leave(first.waiter) == nil)
        #expect(table.leave(second.waiter) == first.flight)
        let third = table.join("a", .until(start))
        #expect(third.isFirst && third.flight != first.flight)
        #expect(table.landed(first.flight) == [])
        #expect(table.isInFlight("a"))
    }

    @Test func aFlightWaitsAsLongAsThoseItIsBuiltFor() {
        var table = FlightTable<String>()
        let view = table.join("view", .until(start + .seconds(1)))
        let page = table.join("page", .asLongAs(view.flight))
        #expect(table.latestDeadline(of: page.flight) == start + .seconds(1))
        _ = table.join("view", .until(start + .seconds(9)))
        #expect(table.latestDeadline(of: page.flight) == start + .seconds(9))
        _ = table.landed(view.flight)
        #expect(table.latestDeadline(of: page.flight) == nil)
    }

    @Test func inWhateverOrderTheyLeaveTheOthersAreFound() {
        var dice = SeededGenerator(seed: 11)
        var table = FlightTable<String>()
        let joined = (1...200).map { (table.join("a", .until(start + .seconds($0))), $0) }
        var left = joined.shuffled(using: &dice)
        while let (leaver, _) = left.popLast() {
            #expect(table.leave(leaver.waiter) == (left.isEmpty ? leaver.flight : nil))
            #expect(
                table.latestDeadline(of: leaver.flight) == left.map(\.1).max().map { start + .seconds($0) })
        }
        #expect(table.waiterCount == 0)
    }

    @Test func itAgreesWithANaiveModelOverRandomScripts() {
        var dice = SeededGenerator(seed: 3)
        var table = FlightTable<Int>()
        var model: [FlightTable<Int>.FlightID: (key: Int, waiters: Set<FlightTable<Int>.WaiterID>)] = [:]
        for _ in 0..<20_000 {
            switch Int.random(in: 0..<5, using: &dice) {
            case 0..<2:
                let key = Int.random(in: 0..<6, using: &dice)
                let joined = table.join(key, .until(start))
                let running = model.first { $0.value.key == key }?.key
                #expect(joined.isFirst == (running == nil))
                if let running { #expect(joined.flight == running) }
                model[joined.flight, default: (key, [])].waiters.insert(joined.waiter)
            case 2..<4:
                guard let flight = model.keys.min(by: { "\($0)" < "\($1)" }),
                    let waiter = model[flight]?.waiters.min(by: { "\($0)" < "\($1)" })
                else { continue }
                model[flight]?.waiters.remove(waiter)
                let isLast = model[flight]?.waiters.isEmpty == true
                if isLast { model[flight] = nil }
                #expect(table.leave(waiter) == (isLast ? flight : nil))
            default:
                guard let flight = model.keys.max(by: { "\($0)" < "\($1)" }) else { continue }
                #expect(Set(table.landed(flight)) == model[flight]?.waiters)
                model[flight] = nil
            }
            #expect(table.count == model.count)
            #expect(table.waiterCount == model.values.reduce(0) { $0 + $1.waiters.count })
        }
    }
}
