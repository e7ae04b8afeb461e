import Foundation
import Glibc
import PorticoEventLoop
import Testing

@Suite struct FileContentTests {
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
            #expect(FileContent.read(folder + "/a") == bytes)
            let atHand = FileContent.readAtHand(folder + "/a", limitBytes: count)
            #expect(atHand == nil || atHand == bytes)
            #expect(FileContent.readAtHand(folder + "/a", limitBytes: count - 1) == nil)
        }
    }

    /// Nor is anything waited for: a pipe has no end while nobody writes to it.
    @Test func whatIsNoFileIsNotRead() throws {
        try withFolder { folder in
            #expect(FileContent.read(folder) == nil)
            #expect(FileContent.read(folder + "/none") == nil)
            let isMade = unsafe mkfifo(folder + "/pipe", 0o600) == 0
            #expect(isMade)
            #expect(FileContent.read(folder + "/pipe") == nil)
            #expect(FileContent.readAtHand(folder + "/pipe", limitBytes: 10) == nil)
        }
    }
}
