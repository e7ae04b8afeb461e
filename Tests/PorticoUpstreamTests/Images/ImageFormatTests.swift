import PorticoUpstream
import Testing

@Suite struct ImageFormatTests {
    @Test(arguments: Pictures.all) func aFormatIsToldByItsBytes(format: ImageFormat, bytes: [UInt8]) {
        #expect(ImageFormat(signature: bytes) == format)
        #expect(format.isWhole(bytes))
    }

    @Test(arguments: Pictures.all) func noPrefixOfAPictureIsWhole(format: ImageFormat, bytes: [UInt8]) {
        // The last byte of the WebP is padding, which its own size does not need.
        let missing = format == .webp ? 2 : 1
        for count in 0...(bytes.count - missing) {
            #expect(!format.isWhole(Array(bytes.prefix(count))), "\(count) bytes")
        }
    }

    @Test(arguments: [
        "", "<html>", "RIFFxxxxWAVE", "GIF90a", "\u{89}PNG", "<svg xmlns='http://www.w3.org/2000/svg'/>",
    ])
    func otherBytesAreNoPicture(text: String) {
        #expect(ImageFormat(signature: Array(text.utf8)) == nil)
    }

    @Test func everyChangedByteOfAPNGIsSeen() {
        for index in Pictures.png.indices {
            var bytes = Pictures.png
            bytes[index] ^= 0x20
            #expect(!ImageFormat.png.isWhole(bytes), "byte \(index)")
        }
    }

    @Test func randomBytesBehindASignatureAreSurvived() {
        var dice = SeededDice(seed: 11)
        for _ in 0..<2000 {
            for (format, bytes) in Pictures.all {
                var changed = bytes
                for _ in 0..<3 {
                    changed[Int.random(in: 0..<changed.count, using: &dice)] = UInt8.random(
                        in: 0...255, using: &dice)
                }
                changed.removeLast(Int.random(in: 0...4, using: &dice))
                _ = format.isWhole(changed)
            }
        }
    }
}
