import PorticoWire
import TestSupport
import Testing

@testable import PorticoEventLoop

@Suite struct TimerHeapTests {
    private let start = Instant(nanoseconds: 1_000_000_000)

    @Test func timersComeOutByDeadlineAndEqualOnesInTheOrderTheyWereSet() {
        var heap = TimerHeap<String>()
        _ = heap.insert("late", at: start + .seconds(3))
        _ = heap.insert("first", at: start + .seconds(1))
        _ = heap.insert("second", at: start + .seconds(1))
        #expect(heap.nextDeadline == start + .seconds(1))
        var fired: [String] = []
        let mark = heap.mark
        while let due = heap.popDue(at: start + .seconds(2), setBefore: mark) { fired.append(due.payload) }
        #expect(fired == ["first", "second"])
        #expect(heap.count == 1)
    }

    @Test func aTimerSetAfterTheMarkWaitsForTheNextTurn() {
        var heap = TimerHeap<Int>()
        let mark = heap.mark
        _ = heap.insert(1, at: start)
        let early = heap.popDue(at: start, setBefore: mark)?.payload
        #expect(early == nil)
        let late = heap.popDue(at: start, setBefore: heap.mark)?.payload
        #expect(late == 1)
    }

    @Test func anOldNameDoesNotCancelTheTimerThatTookItsPlace() {
        var heap = TimerHeap<Int>()
        let old = heap.insert(1, at: start)
        #expect(heap.remove(old) == 1)
        _ = heap.insert(2, at: start)
        #expect(heap.remove(old) == nil)
        #expect(heap.count == 1)
    }

    /// A long random script against a list that is searched from one end to the other.
    @Test func itAgreesWithAPlainList() {
        struct Model {
            var deadline: Int
            var order: Int
            var id: TimerID
        }
        var random = SeededGenerator(seed: 0x7e57)
        var heap = TimerHeap<Int>()
        var model: [Model] = []
        for step in 0..<20_000 {
            switch Int.random(in: 0..<5, using: &random) {
            case 0, 1:
                let deadline = Int.random(in: 0..<50, using: &random)
                model.append(
                    Model(
                        deadline: deadline, order: step,
                        id: heap.insert(step, at: start + .milliseconds(deadline))))
            case 2, 3:
                guard let victim = model.indices.randomElement(using: &random) else { continue }
                let removed = model.remove(at: victim)
                #expect(heap.remove(removed.id) == removed.order)
                #expect(heap.remove(removed.id) == nil)
            default:
                let now = Int.random(in: 0..<50, using: &random)
                let expected = model.min { ($0.deadline, $0.order) < ($1.deadline, $1.order) }
                let popped = heap.popDue(at: start + .milliseconds(now), setBefore: heap.mark)?.payload
                guard let expected, expected.deadline <= now else {
                    #expect(popped == nil)
                    continue
                }
                #expect(popped == expected.order)
                model.removeAll { $0.order == expected.order }
            }
            #expect(heap.count == model.count)
        }
    }
}
