import PorticoUpstream
import TestSupport
import Testing

@Suite struct ImageFormatTests {
    private static let limits = ImageLimits(pixels: 1000, frames: 10, allowsSVG: true)

    private func facts(_ bytes: [UInt8], within limits: ImageLimits = ImageFormatTests.limits) throws
        -> ImageFacts
    {
        try ImageInspector.inspect(bytes.span, within: limits)
    }

    @Test(arguments: Pictures.all) func aFormatIsToldByItsBytes(expected: ImageFacts, bytes: [UInt8]) throws {
        #expect(try facts(bytes) == expected)
        // Cameras append films, and a byte more harms nobody; XML ends with its last element.
        guard expected.format != .svg, ![.avif, .heic].contains(expected.format) else { return }
        #expect(try facts(bytes + [0]) == expected)
    }

    @Test(arguments: Pictures.all) func noPrefixOfAPictureIsWhole(expected: ImageFacts, bytes: [UInt8]) {
        // The last byte of the SVG is a line's end, and that of the WebP is padding, which its own size counts.
        let missing = expected.format == .svg ? 2 : 1
        for count in 0...(bytes.count - missing) {
            #expect(throws: ImageFault.self, "\(count) bytes") { try facts(Array(bytes.prefix(count))) }
        }
    }

    @Test(arguments: ["", "<html>", "RIFFxxxxWAVE", "GIF90a", "\u{89}PNG", "<html><svg/></html>", "%PDF-1.7"])
    func otherBytesAreNoPicture(text: String) {
        #expect(throws: ImageFault.unknownFormat) { try facts(Array(text.utf8)) }
    }

    @Test func everyChangedByteOfAPNGIsSeen() {
        for index in Pictures.png.indices {
            var bytes = Pictures.png
            bytes[index] ^= 0x20
            #expect(throws: ImageFault.self, "byte \(index)") { try facts(bytes) }
        }
    }

    @Test(arguments: Pictures.all) func aLargePictureIsRefused(expected: ImageFacts, bytes: [UInt8]) throws {
        let pixels = expected.width * expected.height
        #expect(try facts(bytes, within: ImageLimits(pixels: pixels, frames: 1, allowsSVG: true)) == expected)
        guard pixels > 1 else { return }
        #expect(
            throws: ImageFault.tooManyPixels(
                width: expected.width, height: expected.height, limit: pixels - 1)
        ) {
            try facts(bytes, within: ImageLimits(pixels: pixels - 1, frames: 1, allowsSVG: true))
        }
    }

    @Test func aDecompressionBombIsRefusedByItsHeader() {
        let bomb =
            PNGStructure.signature + PNGStructure.header(width: 0x7fff_ffff, height: 0x7fff_ffff)
            + PNGStructure.chunk(PNGStructure.Name.data, [0]) + PNGStructure.chunk(PNGStructure.Name.end, [])
        #expect(throws: ImageFault.tooManyPixels(width: 0x7fff_ffff, height: 0x7fff_ffff, limit: 1000)) {
            try facts(bomb)
        }
    }

    @Test func theFramesOfAnAnimationAreCounted() throws {
        let frame = Pictures.gif[25..<40]
        let head = Pictures.gif.prefix(25)
        #expect(try facts(head + frame + frame + frame + [0x3b]).frames == 3)
        let many = head + [[UInt8]](repeating: Array(frame), count: 11).joined() + [0x3b]
        #expect(throws: ImageFault.tooManyFrames(limit: 10)) { try facts(Array(many)) }
    }

    /// What is counted twice counts by its larger number, or a picture could promise less than it holds.
    @Test func aSmallerPromiseBesideALargerOneIsNotBelieved() throws {
        let counts = [[0, 0, 0, 99], [0, 0, 0, 1]].map { PNGStructure.chunk(0x6163_544c, $0 + [0, 0, 0, 0]) }
        let plain = PNGStructure.plain(width: 1, height: 1, shade: 0)
        let headBytes = PNGStructure.signature.count + PNGStructure.header(width: 1, height: 1).count
        let png = plain[..<headBytes] + counts[0] + counts[1] + plain[headBytes...]
        #expect(throws: ImageFault.tooManyFrames(limit: 10)) { try facts(Array(png), within: Self.limits) }

        let canvas: [UInt8] = Array("VP8X".utf8) + [10, 0, 0, 0] + [UInt8](repeating: 0, count: 10)
        // 2f, then 14 bits of each size less one: 0x3fff is 16384 pixels.
        let still: [UInt8] = Array("VP8L".utf8) + [6, 0, 0, 0, 0x2f, 0xff, 0xff, 0xff, 0x0f, 0]
        let body = Array("WEBP".utf8) + canvas + still
        let webp = Array("RIFF".utf8) + [UInt8(body.count), 0, 0, 0] + body
        #expect(throws: ImageFault.tooManyPixels(width: 16384, height: 16384, limit: 1000)) {
            try facts(webp, within: Self.limits)
        }
    }

    @Test func svgIsRefusedUnlessItIsAllowed() {
        let strict = ImageLimits(pixels: 1000, frames: 10, allowsSVG: false)
        #expect(throws: ImageFault.notAllowed(.svg)) { try facts(Pictures.svg, within: strict) }
    }

    @Test(arguments: [
        "<svg><script>alert(1)</script></svg>", "<svg><x:script xmlns:x='a'/></svg>", "<svg onload='x()'/>",
        "<svg><foreignObject/></svg>", "<svg><image href='http://a/b.png'/></svg>",
        "<svg><a xlink:href='javascript:x()'/></svg>", "<svg><use href='//a/b#c'/></svg>",
        "<svg><animate attributeName='href' to='javascript:x()'/></svg>",
        "<svg><style>@import 'http://a'</style></svg>", "<svg><g style='fill: url( http://a)'/></svg>",
        "<svg><g fill='u&#x72;l(http://a)'/></svg>", "<svg><style>g { fill: \\75rl(http://a) }</style></svg>",
        "<svg><set attributeName='x:href' to='//a'/></svg>",
        "<!DOCTYPE svg [<!ENTITY a 'b'>]><svg>&a;</svg>",
        "<svg><style><![CDATA[a{b:url(//c)}]]></style></svg>",
        "<svg><image href='data:image/svg+xml;base64,AA'/></svg>", "<?xml-stylesheet href='//a'?><svg/>",
        "<svg></g></svg>", "<svg/><svg/>", "<svg a='1' a='2'/>", "<svg a=1/>", "<svg><g></svg>", "text<svg/>",
        "<svg a='<'/>", "<svg><style>g { fill: u<!-- -->rl(//a) }</style></svg>",
        "<svg><style>@im<![CDATA[port '//a']]></style></svg>", "<svg><style>u<g/>rl(//a)</style></svg>",
        "<svg><style>g { mask: image-set('//a' 1x) }</style></svg>",
        "<svg xmlns:h='http://www.w3.org/1999/xhtml'><h:img srcset='//a 1x'/></svg>",
        "<svg><meta xmlns='http://www.w3.org/1999/xhtm&#108;' http-equiv='refresh' content='0;//a'/></svg>",
        "<?xml version='1.0' encoding='iso-2022-jp'?><svg/>",
        "<?xml version='1.0' encoding = \"utf-7\"?><svg/>",
    ])
    func anSVGThatRunsListensOrLooksElsewhereIsRefused(text: String) {
        #expect(throws: ImageFault.self) { try facts(Array(text.utf8)) }
    }

    @Test(arguments: [
        ("<svg/>", 300, 150), ("<svg viewBox='0 0 7 8'/>", 7, 8), ("<svg width='2.5' height='3em'/>", 3, 150),
        ("\u{feff}<svg/>", 300, 150), ("<?xml version='1.0' encoding='UTF-8'?><svg/>", 300, 150),
        ("<svg xmlns='http://www.w3.org/2000/svg'><style>g { fill: url(#a) }</style></svg>", 300, 150),
        ("<!DOCTYPE svg PUBLIC '-//W3C//DTD SVG 1.1//EN' 'http://www.w3.org/a.dtd'>\n<svg/>", 300, 150),
        ("<svg><image href='data:image/png;base64,AA'/><text>on a &amp; b</text></svg>", 300, 150),
    ])
    func aPlainSVGIsPassedOn(text: String, width: Int, height: Int) throws {
        let wide = ImageLimits(pixels: 100_000, frames: 1, allowsSVG: true)
        #expect(
            try facts(Array(text.utf8), within: wide)
                == ImageFacts(format: .svg, width: width, height: height))
    }

    @Test func locationsOutsideTheFileAreSeen() {
        // The length of the one extent, in the middle of `iloc`.
        var bytes = Pictures.avif
        let length = bytes.count - 13 - 36 - 1
        #expect(bytes[length] == 5)
        bytes[length] = 6
        #expect(throws: ImageFault.cutShort(.avif, atByte: bytes.count)) { try facts(bytes) }
    }

    @Test func randomBytesBehindASignatureAreSurvived() {
        var dice = SeededGenerator(seed: 11)
        for _ in 0..<500 {
            for (_, bytes) in Pictures.all {
                var changed = bytes
                for _ in 0..<3 {
                    changed[Int.random(in: 0..<changed.count, using: &dice)] = UInt8.random(
                        in: 0...255, using: &dice)
                }
                changed.removeLast(Int.random(in: 0...4, using: &dice))
                _ = try? facts(changed)
            }
        }
    }
}
