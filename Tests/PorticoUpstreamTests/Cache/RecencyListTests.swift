import PorticoUpstream
import Testing

@Suite struct RecencyListTests {
    @Test func theLeastRecentlyUsedLeavesFirst() {
        var list = RecencyList<String>(limitBytes: 30)
        for key in ["a", "b", "c"] { #expect(list.insert(key, bytes: 10) == []) }
        list.touch("a")
        #expect(list.insert("d", bytes: 20) == ["b", "c"])
        #expect(list.keysOldestFirst == ["a", "d"])
        #expect(list.bytes == 30)
    }

    @Test func whatIsLargerThanTheWholeIsNotTaken() {
        var list = RecencyList<String>(limitBytes: 30)
        _ = list.insert("a", bytes: 10)
        #expect(list.insert("b", bytes: 31) == ["b"])
        #expect(list.keysOldestFirst == ["a"])
    }

    @Test func itAgreesWithANaiveModelOverRandomScripts() {
        var dice = SeededDice(seed: 7)
        var list = RecencyList<Int>(limitBytes: 100)
        var model: [(key: Int, bytes: Int)] = []
        for _ in 0..<20_000 {
            let key = Int.random(in: 0..<20, using: &dice)
            switch Int.random(in: 0..<4, using: &dice) {
            case 0:
                list.touch(key)
                if let index = model.firstIndex(where: { $0.key == key }) {
                    model.append(model.remove(at: index))
                }
            case 1:
                list.remove(key)
                model.removeAll { $0.key == key }
            default:
                let bytes = Int.random(in: 1...40, using: &dice)
                model.removeAll { $0.key == key }
                model.append((key, bytes))
                var expected: [Int] = []
                while model.reduce(0, { $0 + $1.bytes }) > 100 { expected.append(model.removeFirst().key) }
                #expect(list.insert(key, bytes: bytes) == expected)
            }
            #expect(list.keysOldestFirst == model.map(\.key))
            #expect(list.bytes == model.reduce(0) { $0 + $1.bytes })
        }
    }
}
