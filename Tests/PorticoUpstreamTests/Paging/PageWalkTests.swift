import PorticoUpstream
import TestSupport
import Testing

@Suite struct PageWalkTests {
    /// Walks a list of `items` in pages of `size`, answering in a random order.
    private func walk(
        items: Int, size: Int, seed: UInt64, width: Int = 4,
        facts: (_ page: Int, _ items: Int, _ isLast: Bool) -> PageFacts
    ) throws -> (asked: [Int], mostAtOnce: Int) {
        var dice = SeededGenerator(seed: seed)
        var walk = PageWalk(limit: 100, width: width)
        var pending = Array(walk.start())
        var asked = pending
        var mostAtOnce = 1
        let pages = max(1, (items + size - 1) / size)
        while !pending.isEmpty {
            let page = pending.remove(at: Int.random(in: 0..<pending.count, using: &dice))
            let here = max(0, min(size, items - (page - 1) * size))
            let next = try walk.answered(page, facts(page, here, page >= pages))
            pending += next
            asked += next
            mostAtOnce = max(mostAtOnce, pending.count)
        }
        #expect(walk.isComplete)
        return (asked, mostAtOnce)
    }

    @Test(arguments: [0, 1, 9, 10, 11, 82, 100], 0..<5)
    func theCountLetsPagesBeAskedForSideBySide(items: Int, seed: UInt64) throws {
        let (asked, most) = try walk(items: items, size: 10, seed: seed) { _, here, isLast in
            PageFacts(items: here, hasNext: !isLast, total: items)
        }
        #expect(asked.sorted() == Array(1...max(1, (items + 9) / 10)))
        #expect(most <= 4)
        if items == 82 { #expect(most == 4) }
    }

    @Test(arguments: [0, 5, 20, 21, 95]) func theNumberOfPagesIsEnough(items: Int) throws {
        let pages = (items + 19) / 20
        let (asked, _) = try walk(items: items, size: 20, seed: 1) { _, here, _ in
            PageFacts(items: here, totalPages: pages)
        }
        #expect(asked.sorted() == Array(1...max(1, pages)))
    }

    @Test(arguments: [0, 1, 10, 35]) func withoutACountTheLinksAreFollowedOneByOne(items: Int) throws {
        let (asked, most) = try walk(items: items, size: 10, seed: 1) { _, here, isLast in
            PageFacts(items: here, hasNext: !isLast)
        }
        #expect(asked == Array(1...max(1, (items + 9) / 10)))
        #expect(most == 1)
    }

    @Test func withoutAnyHintTheFirstEmptyPageIsTheEnd() throws {
        let (asked, _) = try walk(items: 25, size: 10, seed: 1) { _, here, _ in PageFacts(items: here) }
        #expect(asked == [1, 2, 3, 4])
    }

    @Test func aListThatGrewIsFollowedToItsEnd() throws {
        let (asked, _) = try walk(items: 45, size: 10, seed: 2) { page, here, isLast in
            PageFacts(items: here, hasNext: !isLast, total: page == 1 ? 30 : 45)
        }
        #expect(asked.sorted() == [1, 2, 3, 4, 5])
    }

    @Test(arguments: [PageFacts(items: 1, totalPages: 101), PageFacts(items: 1, hasNext: true, total: 1000)])
    func aListOfTooManyPagesIsRefused(facts: PageFacts) {
        var walk = PageWalk(limit: 100, width: 4)
        _ = walk.start()
        #expect(throws: PageWalk.TooManyPages.self) { try walk.answered(1, facts) }
    }

    @Test func aListWithoutAnEndIsRefused() {
        var walk = PageWalk(limit: 100, width: 4)
        _ = walk.start()
        #expect(throws: PageWalk.TooManyPages.self) {
            for page in 1...200 { _ = try walk.answered(page, PageFacts(items: 1, hasNext: true)) }
        }
    }

    @Test func behindALostPageTheOthersAreAskedForStill() throws {
        var walk = PageWalk(limit: 100, width: 2)
        _ = walk.start()
        #expect(try walk.answered(1, PageFacts(items: 10, hasNext: true, total: 40)) == 2..<4)
        #expect(try walk.lost(2) == 4..<5)
        #expect(try walk.lost(4) == 5..<5)
        #expect(walk.isComplete == false)
        #expect(try walk.answered(3, PageFacts(items: 10, hasNext: true, total: 40)).isEmpty)
        #expect(walk.isComplete)
    }

    @Test func whereNobodyToldTheEndALostPageIsTheEnd() throws {
        var walk = PageWalk(limit: 100, width: 4)
        _ = walk.start()
        #expect(try walk.answered(1, PageFacts(items: 10, hasNext: true)) == 2..<3)
        #expect(try walk.lost(2).isEmpty)
        #expect(walk.isComplete)
    }
}
