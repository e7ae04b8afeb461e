import PorticoUpstream
import TestSupport
import Testing

@Suite struct DiskEntryTests {
    private let entry = DiskEntry(key: "k", contentType: "t", fetchedAt: 1, data: [100])

    @Test func anEntryIsWrittenAsTheFormatSays() throws {
        let file = try #require(entry.encoded())
        #expect(
            Array(file.prefix(23)) == [
                0x64, 0x74, 0x6b, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1,
            ])
        #expect(Array(file.suffix(4)) == [0x50, 0x54, 0x43, 0x32])
        #expect(file.count == 23 + 8 + 4)
        #expect(DiskEntry(file, limitBytes: 1) == entry)
    }

    @Test(arguments: [0, 1, 99, 5000], [true, false])
    func whatIsWrittenIsReadBack(count: Int, isNoise: Bool) throws {
        var dice = SeededGenerator(seed: 5)
        let data = (0..<count).map { _ in isNoise ? UInt8.random(in: 0...255, using: &dice) : 7 }
        let entry = DiskEntry(key: "ü/\(count)", contentType: "image/png", fetchedAt: -5, data: data)
        let file = try #require(entry.encoded())
        #expect(DiskEntry(file, limitBytes: 5000) == entry)
        // Deflated when that saves at least a twentieth.
        #expect(isNoise || count < 99 ? file.count >= count : file.count < count)
    }

    @Test func aFlippedBitAnywhereIsSeen() throws {
        let entry = DiskEntry(
            key: "key", contentType: "image/png", fetchedAt: 1, data: [UInt8](repeating: 7, count: 500))
        let file = try #require(entry.encoded())
        for index in file.indices {
            for bit in 0..<8 {
                var changed = file
                changed[index] ^= 1 << UInt8(bit)
                #expect(DiskEntry(changed, limitBytes: 1000) == nil, "byte \(index), bit \(bit)")
            }
        }
    }

    @Test func shortAndLongFilesAreSeen() throws {
        let file = try #require(entry.encoded())
        for count in 0..<file.count { #expect(DiskEntry(Array(file.prefix(count)), limitBytes: 9) == nil) }
        #expect(DiskEntry(file + [0], limitBytes: 9) == nil)
        #expect(DiskEntry([], limitBytes: 9) == nil)
    }

    @Test func moreThanTheLimitIsNotInflated() throws {
        let bomb = DiskEntry(
            key: "k", contentType: "t", fetchedAt: 1, data: [UInt8](repeating: 0, count: 100_000))
        let file = try #require(bomb.encoded())
        #expect(file.count < 1000)
        #expect(DiskEntry(file, limitBytes: 99_999) == nil)
    }

    @Test func aKeyThatTheFormatCannotHoldIsNotWritten() {
        let long = DiskEntry(
            key: String(repeating: "k", count: 65_536), contentType: "t", fetchedAt: 1, data: [])
        #expect(long.encoded() == nil)
    }
}
