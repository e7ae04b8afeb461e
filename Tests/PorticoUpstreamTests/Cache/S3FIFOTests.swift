import PorticoUpstream
import TestSupport
import Testing

@Suite struct S3FIFOTests {
    @Test func whatIsUsedTwiceOutlivesWhatIsNot() {
        var list = S3FIFO<String>(limitBytes: 30)
        for key in ["a", "b", "c"] { #expect(list.insert(key, bytes: 10) == []) }
        for _ in 0..<2 { list.touch("a") }
        #expect(list.insert("d", bytes: 20) == ["b", "c"])
        #expect(Set(list.keys) == ["a", "d"])
        #expect(list.bytes == 30)
    }

    @Test func whatComesBackSoonIsTakenInForGood() {
        var list = S3FIFO<String>(limitBytes: 100)
        for key in 0..<10 { _ = list.insert("\(key)", bytes: 10) }
        #expect(list.insert("10", bytes: 10) == ["0"])
        _ = list.insert("0", bytes: 10)
        // A long scan passes; what came back stays.
        for key in 11..<50 { _ = list.insert("\(key)", bytes: 10) }
        #expect(list.contains("0"))
    }

    @Test func aNewSizeKeepsItsPlaceAndItsUses() {
        var list = S3FIFO<String>(limitBytes: 30)
        _ = list.insert("a", bytes: 10)
        for _ in 0..<2 { list.touch("a") }
        #expect(list.insert("a", bytes: 20) == [])
        #expect(list.bytes == 20)
        #expect(list.insert("b", bytes: 10) == [])
        #expect(list.insert("c", bytes: 10) == ["b"])
        #expect(list.contains("a"))
    }

    @Test func whatIsLargerThanTheWholeIsNotTaken() {
        var list = S3FIFO<String>(limitBytes: 30)
        _ = list.insert("a", bytes: 10)
        #expect(list.insert("b", bytes: 31) == ["b"])
        #expect(list.insert("a", bytes: 31) == ["a"])
        #expect(list.count == 0 && list.bytes == 0)
    }

    @Test(arguments: 0..<5) func itAgreesWithANaiveModelOverRandomScripts(seed: UInt64) {
        var dice = SeededGenerator(seed: seed)
        var list = S3FIFO<Int>(limitBytes: 200)
        var model = NaiveS3FIFO(limitBytes: 200)
        for _ in 0..<20_000 {
            let key = Int.random(in: 0..<40, using: &dice)
            switch Int.random(in: 0..<6, using: &dice) {
            case 0...2:
                list.touch(key)
                model.touch(key)
            case 3:
                list.remove(key)
                model.remove(key)
            default:
                let bytes = Int.random(in: 1...60, using: &dice)
                #expect(list.insert(key, bytes: bytes) == model.insert(key, bytes: bytes))
            }
            #expect(Set(list.keys) == model.keys)
            #expect(list.bytes == model.bytes)
            #expect(list.bytes <= 200)
        }
    }

    /// Keys asked for by Zipf's law, with a scan of keys that are never asked for again in between.
    @Test func aScanCostsLessThanWithTheLeastRecentlyUsed() {
        let trace = ZipfTrace(keys: 10_000, requests: 200_000, scanEvery: 20_000, scanLength: 5_000, seed: 3)
        var fifo = S3FIFO<Int>(limitBytes: 1_000)
        var recency = RecencyList<Int>(limitBytes: 1_000)
        var (fifoHits, recencyHits) = (0, 0)
        for key in trace.keys {
            if fifo.contains(key) { fifoHits += 1 }
            if fifo.contains(key) { fifo.touch(key) } else { _ = fifo.insert(key, bytes: 1) }
            if recency.contains(key) { recencyHits += 1 }
            if recency.contains(key) { recency.touch(key) } else { _ = recency.insert(key, bytes: 1) }
        }
        let (ours, theirs) = (trace.ratio(fifoHits), trace.ratio(recencyHits))
        print("hit ratio under scans: S3-FIFO \(ours), least recently used \(theirs)")
        #expect(ours > theirs + 0.05)
    }
}

/// The policy in its plainest form: arrays searched from end to end.
private struct NaiveS3FIFO {
    private struct Item {
        let key: Int
        let bytes: Int
        var uses = 0
    }

    let limitBytes: Int
    private var small: [Item] = []
    private var main: [Item] = []
    private var ghosts: [Int] = []

    init(limitBytes: Int) { self.limitBytes = limitBytes }

    var keys: Set<Int> { Set((small + main).map(\.key)) }
    var bytes: Int { (small + main).reduce(0) { $0 + $1.bytes } }

    mutating func touch(_ key: Int) {
        for index in small.indices where small[index].key == key {
            small[index].uses = min(3, small[index].uses + 1)
        }
        for index in main.indices where main[index].key == key {
            main[index].uses = min(3, main[index].uses + 1)
        }
    }

    mutating func remove(_ key: Int) {
        small.removeAll { $0.key == key }
        main.removeAll { $0.key == key }
    }

    mutating func insert(_ key: Int, bytes size: Int) -> [Int] {
        let inMain = main.first { $0.key == key }
        let inSmall = small.first { $0.key == key }
        remove(key)
        guard size <= limitBytes else { return [key] }
        var leaving: [Int] = []
        while bytes + size > limitBytes { turn(&leaving) }
        let isGhost = inMain == nil && inSmall == nil && ghosts.contains(key)
        if isGhost { ghosts.removeAll { $0 == key } }
        let item = Item(key: key, bytes: size, uses: (inMain ?? inSmall)?.uses ?? 0)
        if inMain != nil || isGhost { main.append(item) } else { small.append(item) }
        return leaving
    }

    private mutating func turn(_ leaving: inout [Int]) {
        let smallBytes = small.reduce(0) { $0 + $1.bytes }
        if !small.isEmpty, smallBytes > limitBytes / 100 * 10 || main.isEmpty {
            var item = small.removeFirst()
            if item.uses >= 2 {
                item.uses = 0
                main.append(item)
            } else {
                leaving.append(item.key)
                ghosts.removeAll { $0 == item.key }
                ghosts.append(item.key)
                while ghosts.count > small.count + main.count { ghosts.removeFirst() }
            }
        } else {
            var item = main.removeFirst()
            if item.uses > 0 {
                item.uses -= 1
                main.append(item)
            } else {
                leaving.append(item.key)
            }
        }
    }
}

/// Requests from a seed: key k is asked for 1/k as often as key 1.
private struct ZipfTrace {
    private(set) var keys: [Int] = []
    private var asked = 0

    init(keys count: Int, requests: Int, scanEvery: Int, scanLength: Int, seed: UInt64) {
        var dice = SeededGenerator(seed: seed)
        var sums: [Double] = []
        for key in 1...count { sums.append((sums.last ?? 0) + 1 / Double(key)) }
        var scanned = count
        for request in 1...requests {
            let roll = Double.random(in: 0..<(sums.last ?? 1), using: &dice)
            keys.append(Self.place(of: roll, in: sums))
            guard request % scanEvery == 0 else { continue }
            keys += scanned..<scanned + scanLength
            scanned += scanLength
        }
        asked = requests
    }

    /// Of the requests that are not part of a scan.
    func ratio(_ hits: Int) -> Double { Double(hits) / Double(asked) }

    private static func place(of roll: Double, in sums: [Double]) -> Int {
        var (low, high) = (0, sums.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if sums[middle] > roll { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
