import Foundation
import Glibc
import PorticoUpstream
import TestSupport
import Testing

/// A process is killed at any moment of its writing, again and again; what the next one finds is right or not there.
@Suite struct DiskKillTests {
    /// `PORTICO_KILLS`: how many; hundreds in CI, a few here.
    private static let kills = ProcessInfo.processInfo.environment["PORTICO_KILLS"].flatMap { Int($0) } ?? 8

    /// One of few keys, so that they are written over and evicted; the bytes follow from the key and a version inside them.
    static func entry(key: Int, version: UInt32) -> DiskEntry {
        var state = UInt64(key) << 32 | UInt64(version)
        var data: [UInt8] = []
        data.append(bigEndian: UInt64(version), bytes: 4)
        for _ in 0..<(200 + key * 37 % 5000) {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            data.append(UInt8(truncatingIfNeeded: state >> 56))
        }
        return DiskEntry(
            key: "picture \(key)", contentType: "image/png", fetchedAt: Int64(version), data: data)
    }

    static func store(_ directory: String) -> DiskStore? {
        DiskStore(
            .init(directory: directory, kind: "image", limitBytes: 60_000, entryLimitBytes: 10_000),
            dropped: { _ in })
    }

    @Test func whateverIsKilledNoWrongByteIsEverRead() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path
        var found = 0
        for round in 0..<Self.kills {
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = path as String, round = round as Int] in
                let store = try #require(DiskKillTests.store(path))
                var dice = SeededGenerator(seed: UInt64(round))
                var version = UInt32(round) << 20
                // Half of them may be killed in the scan; half have written something by then, however slow the machine.
                if round % 2 == 1 { await store.keep(DiskKillTests.entry(key: 0, version: version)) }
                let patience = UInt32.random(in: 0...20_000, using: &dice)
                Thread.detachNewThread {
                    usleep(patience)
                    kill(getpid(), SIGKILL)
                }
                while true {
                    version += 1
                    await store.keep(
                        DiskKillTests.entry(key: Int.random(in: 0..<40, using: &dice), version: version))
                }
            }
            found += try await check(path)
        }
        #expect(found > 0)
    }

    /// - Returns: how many entries there are.
    private func check(_ directory: String) async throws -> Int {
        let store = try #require(Self.store(directory))
        var found = 0
        for key in 0..<40 {
            guard let entry = await store.entry(for: "picture \(key)") else { continue }
            let version = UInt32(entry.data.bigEndian(at: 0, bytes: 4))
            #expect(entry == Self.entry(key: key, version: version))
            found += 1
        }
        let bytes = try FileManager.default.contentsOfDirectory(atPath: directory).reduce(0) { sum, name in
            let facts = try FileManager.default.attributesOfItem(atPath: "\(directory)/\(name)")
            return sum + ((facts[.size] as? Int) ?? 0)
        }
        #expect(bytes <= 60_000)
        #expect(store.statistics.dropped == 0)
        return found
    }

    /// As on a disk that is full: every file ends at 3000 bytes, wherever that is.
    @Test func whatDoesNotFitOnTheDiskIsNotThereAndHarmsNothing() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path
        await #expect(processExitsWith: .success) { [path = path as String] in
            let store = try #require(DiskKillTests.store(path))
            let (small, large) = (
                DiskKillTests.entry(key: 0, version: 1), DiskKillTests.entry(key: 100, version: 2)
            )
            await store.keep(small)
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 3000, rlim_max: 3000)
            #expect(unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
            await store.keep(large)
            #expect(await store.entry(for: large.key) == nil)
            #expect(await store.entry(for: small.key) == small)
            #expect(store.statistics.unwritten == 1)
        }
        #expect(directory.files.count == 1)
    }
}
