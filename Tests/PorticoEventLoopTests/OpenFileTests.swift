import Foundation
import Glibc
import PorticoEventLoop
import Testing

@Suite struct OpenFileTests {
    private func withFolder(_ body: (String) throws -> Void) throws {
        let folder = NSTemporaryDirectory() + "portico-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }

    @Test(arguments: [0, 1, 100_000]) func aFileIsReadWhole(count: Int) throws {
        try withFolder { folder in
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7) }
            try Data(bytes).write(to: URL(fileURLWithPath: folder + "/a"))
            #expect(OpenFile(folder + "/a")?.read() == bytes)
            let atHand = OpenFile(folder + "/a")?.readAtHand(limitBytes: count)
            #expect(atHand == nil || atHand == bytes)
            #expect(OpenFile(folder + "/a")?.readAtHand(limitBytes: count - 1) == nil)
        }
    }

    /// Nor is anything waited for: a pipe has no end while nobody writes to it.
    @Test func whatIsNoFileIsNotRead() throws {
        try withFolder { folder in
            #expect(OpenFile(folder)?.read() == nil)
            #expect(OpenFile(folder + "/none")?.read() == nil)
            let isMade = unsafe mkfifo(folder + "/pipe", 0o600) == 0
            #expect(isMade)
            #expect(OpenFile(folder + "/pipe")?.read() == nil)
            #expect(OpenFile(folder + "/pipe")?.readAtHand(limitBytes: 10) == nil)
        }
    }

    @Test(arguments: [false, true]) func whatHasNoNameAnyMoreIsNotAtHand(isReplaced: Bool) throws {
        try withFolder { folder in
            try Data([1, 2]).write(to: URL(fileURLWithPath: folder + "/a"))
            let file = try #require(OpenFile(folder + "/a"))
            let before = file.readAtHand(limitBytes: 10)
            #expect(before == nil || before == [1, 2])
            if isReplaced {
                try Data([3]).write(to: URL(fileURLWithPath: folder + "/b"))
                let isRenamed = unsafe rename(folder + "/b", folder + "/a") == 0
                #expect(isRenamed)
            } else {
                try FileManager.default.removeItem(atPath: folder + "/a")
            }
            #expect(file.readAtHand(limitBytes: 10) == nil)
        }
    }

    @Test func aFileThatHasGrownOrShrunkIsReadAsItIs() throws {
        try withFolder { folder in
            let place = URL(fileURLWithPath: folder + "/a")
            try Data([1, 2]).write(to: place)
            let file = try #require(OpenFile(folder + "/a"))
            let handle = try FileHandle(forWritingTo: place)
            for bytes in [[1, 2, 3], [1]] as [[UInt8]] {
                try handle.truncate(atOffset: 0)
                try handle.write(contentsOf: Data(bytes))
                #expect(file.read() == bytes)
            }
        }
    }
}
