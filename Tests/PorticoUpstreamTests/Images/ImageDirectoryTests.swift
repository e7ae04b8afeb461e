import Foundation
import Glibc
import PorticoConfig
import PorticoUpstream
import Testing

/// What pictures are on disk: the form they are served in, and a directory that others may write to.
@Suite struct ImageDirectoryTests {
    private static let poster = Request.picture(width: 500, path: "/abc.png")
    /// A twentieth and more is saved by deflating its comments.
    private static let weak =
        Pictures.gif.prefix(19)
        + [[UInt8]](repeating: [0x21, 0xfe, 100] + [UInt8](repeating: 7, count: 100) + [0], count: 20)
        .joined() + Pictures.gif.dropFirst(19)

    private func packed(_ answer: Answer) throws -> [UInt8] {
        guard case .atHand(let packed) = answer.deflated else {
            throw TransportError.malformed
        }
        return packed
    }

    @Test func whatDeflatingSavesIsKeptDeflatedAndHandedOutAsItLiesThere() async throws {
        let directory = try TemporaryDirectory()
        let first = try Harness.ofPictures(directory: directory.path) { _ in
            HTTPResponse(status: 200, body: Array(Self.weak))
        }
        let fetched = try await first.call(TestSchema.picture, Self.poster)
        let bytes = try packed(fetched)
        #expect(Deflate.decompress(bytes, length: fetched.message.count) == fetched.message)
        await first.repository.settleDisk()
        let file = directory.read(try #require(directory.files.first))
        #expect(file.firstRange(of: bytes) != nil)
        #expect(first.repository.statistics.imageSavings[.deflating] == fetched.message.count - bytes.count)
        let second = try Harness.ofPictures(directory: directory.path) { _ throws(TransportError) in
            throw .unreachable
        }
        let read = try await second.call(TestSchema.picture, Self.poster)
        #expect(read.message == fetched.message)
        #expect(try packed(read) == bytes)
        #expect(try packed(try #require(second.cached(TestSchema.picture, Self.poster))) == bytes)
    }

    @Test func whatDeflatingDoesNotSaveIsNeverTriedAgain() async throws {
        let directory = try TemporaryDirectory()
        let harness = try Harness.ofPictures(directory: directory.path) { _ in
            HTTPResponse(status: 200, body: Pictures.png)
        }
        let answer = try await harness.call(TestSchema.picture, Self.poster)
        guard case .notWorthwhile = answer.deflated else {
            Issue.record("a PNG of \(Pictures.png.count) bytes deflated")
            return
        }
        await harness.repository.settleDisk()
        let file = directory.read(try #require(directory.files.first))
        #expect(file.firstRange(of: Pictures.png) != nil)
    }

    @Test func picturesInADirectoryThatCannotBeWrittenToAreServed() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path
        let first = try Harness.ofPictures(directory: path) { _ in
            HTTPResponse(status: 200, body: Pictures.png)
        }
        _ = try await first.call(TestSchema.picture, Self.poster)
        await first.repository.settleDisk()
        let files = directory.files
        try directory.allowOnlyReading()
        await #expect(processExitsWith: .success) { [path = path as String] in
            try ImageDirectoryTests.becomeNobody()
            let harness = try Harness.ofPictures(directory: path) { _ in
                HTTPResponse(status: 200, body: Pictures.gif)
            }
            let kept = try await harness.call(TestSchema.picture, ImageDirectoryTests.poster)
            #expect(kept.origin == .hit)
            #expect(harness.pictures.requests.isEmpty)
            #expect(harness.log.all == [.directoryReadOnly(directory: path)])
            // Another is fetched, and kept in memory.
            let other = Request.picture(width: 500, path: "/other.gif")
            #expect(try await harness.call(TestSchema.picture, other).origin == .miss)
            #expect(harness.cached(TestSchema.picture, other)?.origin == .hit)
            await harness.repository.settleDisk()
            #expect(harness.repository.statistics.images.disk?.unwritten == 1)
        }
        #expect(directory.files == files)
    }

    @Test func aDamagedFileThatCannotBeRemovedIsNotServedEither() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path
        let store = try #require(DiskKillTests.store(path))
        for key in 0..<2 { await store.keep(DiskKillTests.entry(key: key, version: 1)) }
        for file in directory.files {
            var bytes = directory.read(file)
            bytes[bytes.count - 1] ^= 1
            directory.write(bytes, to: file)
        }
        await store.keep(DiskKillTests.entry(key: 1, version: 2))
        let files = directory.files
        try directory.allowOnlyReading()
        await #expect(processExitsWith: .success) { [path = path as String] in
            try ImageDirectoryTests.becomeNobody()
            let settings = DiskStore.Settings(
                directory: path, kind: "image", limitBytes: 1000, entryLimitBytes: 10_000)
            let writer = DiskStore(settings, dropped: { _ in })
            #expect(writer == nil)
            // Smaller than what lies there: the rest is not looked at, and stays.
            let reader = DiskStore(reading: settings, dropped: { _ in })
            let store = try #require(reader)
            #expect(await store.entry(for: "picture 0") == nil)
            _ = await store.entry(for: "picture 1")
            await store.keep(DiskKillTests.entry(key: 1, version: 3))
            #expect(await store.entry(for: "picture 1") == nil)
            #expect(store.statistics.unwritten == 1)
        }
        #expect(directory.files == files)
    }

    /// Whoever runs the tests may be somebody for whom every directory can be written to.
    private static func becomeNobody() throws {
        guard getuid() == 0 else { return }
        try #require(setgid(65_534) == 0 && setuid(65_534) == 0)
    }
}
