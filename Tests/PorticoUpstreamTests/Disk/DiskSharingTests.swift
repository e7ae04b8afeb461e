import PorticoUpstream
import TestSupport
import Testing

/// Two stores on one directory, as two processes are; foreign and damaged files; many files.
@Suite struct DiskSharingTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func store() throws -> DiskStore { try #require(DiskKillTests.store(directory.path)) }

    @Test func twoStoresOnOneDirectoryNeverReadAWrongByte() async throws {
        let stores = [try store(), try store()]
        try await withThrowingTaskGroup { group in
            for (number, store) in stores.enumerated() {
                group.addTask { try await use(store, number) }
            }
            try await group.waitForAll()
        }
    }

    private func use(_ store: DiskStore, _ number: Int) async throws {
        var dice = SeededGenerator(seed: UInt64(number))
        for version in 0..<UInt32(60) {
            let key = Int.random(in: 0..<20, using: &dice)
            await store.keep(DiskKillTests.entry(key: key, version: version * 2 + UInt32(number)))
            let other = Int.random(in: 0..<20, using: &dice)
            guard let entry = await store.entry(for: "picture \(other)") else { continue }
            let found = UInt32(entry.data.bigEndian(at: 0, bytes: 4))
            #expect(entry == DiskKillTests.entry(key: other, version: found))
        }
        #expect(store.statistics.bytes <= 60_000)
    }

    @Test func foreignFilesUnderAnEntrysNameAreDropped() async throws {
        let names = ["x.image", "0123456789abcdef0123456789abcdef.image", "a-b.image", ".image"]
        for name in names { directory.write(Array("not an entry".utf8), to: name) }
        let store = try store()
        await store.keep(DiskKillTests.entry(key: 1, version: 1))
        #expect(await store.entry(for: "picture 1") != nil)
        #expect(store.statistics.bytes <= 60_000)
    }

    /// In each part of the format: data, type, key, flags, lengths, time, lengths, checksum, magic.
    @Test(arguments: [
        0, 3, 100, 203, 204, 212, 213, 221, 222, 223, 224, 225, 226, 233, 234, 237, 238, 241, 242, 249, 250,
        253,
    ])
    func aFlippedBitIsNeverServed(byte: Int) async throws {
        for bit in 0..<8 {
            let store = try store()
            let entry = DiskKillTests.entry(key: 0, version: 9)
            await store.keep(entry)
            let file = try #require(directory.files.first)
            var bytes = directory.read(file)
            bytes[byte] ^= 1 << UInt8(bit)
            directory.write(bytes, to: file)
            #expect(await store.entry(for: entry.key) == nil)
            #expect(store.statistics.dropped == 1)
            #expect(directory.files == [])
        }
    }
}
