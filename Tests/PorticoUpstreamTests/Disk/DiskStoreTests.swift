import PorticoUpstream
import Synchronization
import TestSupport
import Testing

@Suite struct DiskStoreTests {
    private let directory: TemporaryDirectory
    private let dropped = Names()

    init() throws { directory = try TemporaryDirectory() }

    private final class Names: Sendable {
        private let names = Mutex<[String]>([])
        var all: [String] { names.withLock { $0 } }
        func add(_ name: String) { names.withLock { $0.append(name) } }
    }

    private func store(limitBytes: Int = 100_000, kind: String = "image") throws -> DiskStore {
        let dropped = dropped
        let store = DiskStore(
            .init(directory: directory.path, kind: kind, limitBytes: limitBytes, entryLimitBytes: 10_000),
            dropped: { dropped.add($0) })
        return try #require(store)
    }

    private func entry(_ key: String, count: Int = 100) -> DiskEntry {
        var dice = SeededGenerator(seed: UInt64(count))
        return DiskEntry(
            key: key, contentType: "image/png", fetchedAt: 1,
            data: (0..<count).map { _ in UInt8.random(in: 0...255, using: &dice) })
    }

    @Test func whatIsKeptIsFoundAgainByTheNextRun() async throws {
        let first = try store()
        await first.keep(entry("a"))
        #expect(await first.entry(for: "a") == entry("a"))
        #expect(await first.entry(for: "b") == nil)
        let second = try store()
        #expect(await second.entry(for: "a") == entry("a"))
        #expect(directory.files.count == 1)
    }

    /// Whether the writing has begun, has ended or neither.
    @Test func atHandIsNeverWhatANewerEntryReplaces() async throws {
        let store = try store()
        await store.keep(entry("a"))
        for count in 101...150 {
            store.keepBehind(entry("a", count: count))
            let found = store.entryAtHand(for: "a", limitBytes: 1000)
            #expect(found == nil || found == entry("a", count: count))
        }
        await store.settle()
    }

    /// On a file system that cannot tell what is in memory there is nothing at hand.
    @Test func whatTheKernelHasInMemoryIsAtHandIfItIsWhole() async throws {
        let store = try store()
        await store.keep(entry("a"))
        await store.settle()
        let file = try #require(directory.files.first)
        let found = store.entryAtHand(for: "a", limitBytes: 1000)
        #expect(found == nil || found == entry("a"))
        #expect(store.entryAtHand(for: "a", limitBytes: 99) == nil)
        #expect(store.entryAtHand(for: "b", limitBytes: 1000) == nil)
        var bytes = directory.read(file)
        bytes[bytes.count / 2] ^= 1
        directory.write(bytes, to: file)
        // Whoever waits for it drops it.
        #expect(store.entryAtHand(for: "a", limitBytes: 1000) == nil)
        #expect(dropped.all == [])
        #expect(await store.entry(for: "a") == nil)
        #expect(dropped.all == [file])
    }

    /// Files stay open between reads; what is at hand is what a new look at the directory would find.
    @Test func whatAnotherProcessHasReplacedOrRemovedIsNotAtHandAsItWas() async throws {
        let (store, other) = (try store(), try store())
        await store.keep(entry("a"))
        _ = store.entryAtHand(for: "a", limitBytes: 1000)
        let newer = DiskEntry(key: "a", contentType: "image/png", fetchedAt: 2, data: [7])
        await other.keep(newer)
        let found = store.entryAtHand(for: "a", limitBytes: 1000)
        #expect(found == nil || found == newer)
        directory.remove(try #require(directory.files.first))
        #expect(store.entryAtHand(for: "a", limitBytes: 1000) == nil)
        #expect(await store.entry(for: "a") == nil)
    }

    /// What leaves is closed, or its blocks would be taken as long as the store lives.
    @Test func noFileStaysOpenThatHasLeft() async throws {
        let store = try store(limitBytes: 1000)
        for number in 0..<50 {
            await store.keep(entry("\(number)", count: 200))
            _ = store.entryAtHand(for: "\(number)", limitBytes: 1000)
        }
        #expect(directory.openFiles.filter { $0.hasSuffix(" (deleted)") } == [])
    }

    @Test func aDamagedFileIsDroppedAndReported() async throws {
        let store = try store()
        await store.keep(entry("a"))
        let file = try #require(directory.files.first)
        var bytes = directory.read(file)
        bytes[bytes.count / 2] ^= 1
        directory.write(bytes, to: file)
        #expect(await store.entry(for: "a") == nil)
        #expect(dropped.all == [file])
        #expect(directory.files == [])
        await store.keep(entry("a"))
        #expect(await store.entry(for: "a") == entry("a"))
    }

    @Test(arguments: [0, 1, 27, 28, 60]) func aFileCutShortIsDropped(count: Int) async throws {
        let store = try store()
        await store.keep(entry("a"))
        let file = try #require(directory.files.first)
        directory.write(Array(directory.read(file).prefix(count)), to: file)
        #expect(await store.entry(for: "a") == nil)
        #expect(directory.files == [])
    }

    @Test func anEntryOfAnotherKeyIsNotServed() async throws {
        let store = try store()
        await store.keep(entry("a"))
        let file = try #require(directory.files.first)
        directory.write(try #require(entry("b").encoded()), to: file)
        #expect(await store.entry(for: "a") == nil)
    }

    @Test func unfinishedFilesAreRemovedAndForeignOnesLeftAlone() async throws {
        directory.write([1], to: "x.image.1.partial")
        directory.write([2], to: "README")
        let store = try store()
        #expect(await store.entry(for: "x") == nil)
        #expect(directory.files == ["README"])
    }

    @Test func filesAreBoundedInBytesAndThoseThatAreReadStay() async throws {
        let store = try store(limitBytes: 3500)
        for key in ["a", "b", "c"] { await store.keep(entry(key, count: 1000)) }
        for _ in 0..<2 { #expect(await store.entry(for: "a") != nil) }
        await store.keep(entry("d", count: 1000))
        #expect(await store.entry(for: "b") == nil)
        for key in ["a", "c", "d"] { #expect(await store.entry(for: key) != nil) }
        #expect(directory.files.count == 3)
        #expect(store.statistics.bytes == directory.files.reduce(0) { $0 + directory.read($1).count })
        #expect(store.statistics.bytes <= 3500)
    }

    @Test func theBoundHoldsForWhatEarlierRunsLeft() async throws {
        let large = try store()
        for key in ["a", "b", "c"] { await large.keep(entry(key, count: 1000)) }
        let small = try store(limitBytes: 1500)
        _ = await small.entry(for: "a")
        #expect(directory.files.count == 1)
        #expect(small.statistics.bytes <= 1500)
    }

    @Test func aDirectoryThatCannotBeHadIsNoStore() {
        let store = DiskStore(
            .init(directory: "/proc/none", kind: "image", limitBytes: 1, entryLimitBytes: 1),
            dropped: { _ in })
        #expect(store == nil)
    }

    @Test func whatIsKeptBehindIsThereAtOnceAndOnDiskLater() async throws {
        let store = try store()
        store.keepBehind(entry("a"), group: "g")
        #expect(store.mayHold("a", group: "g"))
        #expect(await store.entry(for: "a", group: "g") == entry("a"))
        await store.settle()
        #expect(directory.files.count == 1)
        let second = try self.store()
        #expect(await second.entry(for: "a", group: "g") == entry("a"))
    }

    @Test func whatWasMadeVoidDoesNotComeBack() async throws {
        let store = try store()
        await store.keep(entry("kept"), group: "other")
        await store.keep(entry("written"), group: "g")
        store.keepBehind(entry("waiting"), group: "g")
        store.void(group: "g")
        for key in ["written", "waiting"] {
            #expect(store.mayHold(key, group: "g") == false)
            #expect(await store.entry(for: key, group: "g") == nil)
        }
        await store.settle()
        #expect(directory.files.count == 1)
        #expect(await store.entry(for: "kept", group: "other") != nil)
        await store.keep(entry("written"), group: "g")
        #expect(await store.entry(for: "written", group: "g") != nil)
    }

    @Test func twoKindsShareADirectoryWithoutSeeingEachOther() async throws {
        let images = try store()
        let answers = try store(limitBytes: 1500, kind: "answer")
        await images.keep(entry("a", count: 1000))
        await answers.keep(entry("a", count: 900))
        await answers.keep(entry("b", count: 900))
        #expect(await images.entry(for: "a") == entry("a", count: 1000))
        #expect(answers.statistics.entries == 1)
        let again = try store()
        #expect(await again.entry(for: "a") == entry("a", count: 1000))
    }

    @Test func aFileThatSomebodyElseRemovedIsNoFault() async throws {
        let store = try store()
        await store.keep(entry("a"))
        directory.remove(try #require(directory.files.first))
        #expect(await store.entry(for: "a") == nil)
        #expect(dropped.all == [])
        #expect(store.statistics.entries == 0)
    }

    /// As when the disk is full: nothing is kept, nothing is left behind.
    @Test func whatCannotBeWrittenIsCounted() async throws {
        let store = try store()
        directory.remove("")
        store.keepBehind(entry("a"))
        await store.settle()
        #expect(store.statistics.unwritten == 1)
        #expect(await store.entry(for: "a") == nil)
    }
}
