import PorticoUpstream
import Testing

/// Pictures made of others: a grid of tiles, an overlay. Each `ispe` here says 4 × 5.
@Suite struct HEIFItemsTests {
    /// Where the item's bytes lie.
    enum Place: CaseIterable {
        case file, data
        /// In `idat`, each byte an extent of its own.
        case pieces
        /// The whole of `idat`, by an extent of no length.
        case rest
    }

    private static let limits = ImageLimits(pixels: 1_000_000, frames: 1, allowsSVG: false)

    private func facts(_ bytes: [UInt8]) throws -> ImageFacts {
        try ImageInspector.inspect(bytes.span, within: Self.limits)
    }

    private static func number(_ value: Int, _ bytes: Int) -> [UInt8] {
        (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * (bytes - 1 - $0))) }
    }

    static func payload(_ kind: String, _ width: Int, _ height: Int, isWide: Bool = false) -> [UInt8] {
        let head: [UInt8] = kind == "grid" ? [0, 0] : [1, 2, 3, 4, 5, 6, 7, 8]
        return [0, isWide ? 1 : 0] + head + number(width, isWide ? 4 : 2) + number(height, isWide ? 4 : 2)
    }

    static func info(_ kind: String, id: Int = 1, version: UInt8 = 2) -> [UInt8] {
        Pictures.box(
            "infe", [version, 0, 0, 0] + number(id, version == 3 ? 4 : 2) + [0, 0] + Array(kind.utf8) + [0])
    }

    /// `iinf` of version 0 with these entries.
    static func infos(_ entries: [UInt8]) -> [UInt8] { Pictures.box("iinf", [0, 0, 0, 0, 0, 1] + entries) }

    /// An item of `iloc` version 1.
    static func location(id: Int = 1, method: UInt8, _ extents: [(Int, Int)]) -> [UInt8] {
        number(id, 2) + [0, method, 0, 0] + number(extents.count, 2)
            + extents.flatMap { number($0.0, 4) + number($0.1, 4) }
    }

    static func locations(_ items: [[UInt8]]) -> [UInt8] {
        Pictures.box("iloc", [1, 0, 0, 0, 0x44, 0] + number(items.count, 2) + items.joined())
    }

    /// A file with these boxes in its `meta`, beside an `ispe` of 4 × 5.
    static func file(_ boxes: [UInt8]) -> [UInt8] {
        let size = Pictures.box("ispe", [0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 5])
        let meta = Pictures.box(
            "meta", [0, 0, 0, 0] + boxes + Pictures.box("iprp", Pictures.box("ipco", size)))
        return Pictures.box("ftyp", Array("heic".utf8) + [0, 0, 0, 0] + Array("mif1".utf8)) + meta
            + Pictures.box("mdat", [1, 2, 3])
    }

    private static func file(_ entry: [UInt8], _ payload: [UInt8], at place: Place) -> [UInt8] {
        let data = Pictures.box("idat", payload)
        switch place {
        case .data: return file(infos(entry) + locations([location(method: 1, [(0, payload.count)])]) + data)
        case .rest: return file(infos(entry) + locations([location(method: 1, [(0, 0)])]) + data)
        case .pieces:
            let extents = payload.indices.map { ($0, 1) }
            return file(data + locations([location(method: 1, extents)]) + infos(entry))
        case .file:
            func whole(offset: Int) -> [UInt8] {
                file(infos(entry) + locations([location(method: 0, [(offset, payload.count)])]))
            }
            return whole(offset: whole(offset: 0).count + 8) + Pictures.box("mdat", payload)
        }
    }

    @Test(arguments: ["grid", "iovl"], Place.allCases)
    func itsOwnSizeCounts(kind: String, place: Place) throws {
        for (version, isWide) in [(2, false), (3, true)] as [(UInt8, Bool)] {
            let entry = Self.info(kind, version: version)
            let small = Self.file(entry, Self.payload(kind, 1000, 1000, isWide: isWide), at: place)
            #expect(try facts(small) == ImageFacts(format: .heic, width: 1000, height: 1000))
            let large = Self.file(entry, Self.payload(kind, 1000, 1001, isWide: isWide), at: place)
            #expect(throws: ImageFault.tooManyPixels(width: 1000, height: 1001, limit: 1_000_000)) {
                try facts(large)
            }
        }
    }

    @Test func thirtyTwoBitsAreReadWhole() {
        let bytes = Self.file(
            Self.info("grid"), Self.payload("grid", 0xffff_ffff, 0xffff_ffff, isWide: true), at: .data)
        let fault = ImageFault.tooManyPixels(width: 0xffff_ffff, height: 0xffff_ffff, limit: 1_000_000)
        #expect(throws: fault) { try facts(bytes) }
    }

    @Test func itemsOfOtherKindsSayNothing() throws {
        let size = ImageFacts(format: .heic, width: 4, height: 5)
        let payload = Self.payload("grid", 9000, 9000)
        for entry in [Self.info("hvc1"), Self.info("grid", version: 1), []] {
            #expect(try facts(Self.file(entry, payload, at: .data)) == size)
        }
        #expect(try facts(Self.file([])) == size)
    }

    private static let grid = info("grid")
    private static let (small, huge) = (payload("grid", 4, 5), payload("grid", 9000, 9000))
    private static let inData = locations([location(method: 1, [(0, 8)])])

    private static let hostileSizes: [(String, [UInt8])] = [
        (
            "a second place of the item",
            file(
                infos(grid) + locations([location(method: 1, [(0, 8)]), location(method: 1, [(8, 8)])])
                    + Pictures.box("idat", small + huge))
        ),
        (
            "the item twice, first as a picture",
            file(infos(info("hvc1") + grid) + inData + Pictures.box("idat", huge))
        ),
        (
            "the second of two grids",
            file(
                infos(grid + info("grid", id: 2))
                    + locations([location(method: 1, [(0, 8)]), location(id: 2, method: 1, [(8, 8)])])
                    + Pictures.box("idat", small + huge))
        ),
        (
            "a grid in a sequence's meta",
            file(
                Pictures.box(
                    "moov",
                    Pictures.box("meta", [0, 0, 0, 0] + infos(grid) + inData + Pictures.box("idat", huge))))
        ),
    ]

    /// A client might believe the one that is not looked at.
    private static let doubtful: [(String, [UInt8])] = [
        (
            "a second idat",
            file(infos(grid) + inData + Pictures.box("idat", small) + Pictures.box("idat", huge))
        ),
        (
            "a second iloc",
            file(
                infos(grid) + inData + locations([location(method: 1, [(8, 8)])])
                    + Pictures.box("idat", small + huge))
        ),
        ("a second iinf", file(infos(info("hvc1")) + infos(grid) + inData + Pictures.box("idat", huge))),
        (
            "an extent without a length before another",
            file(
                infos(grid) + locations([location(method: 1, [(0, 0), (8, 8)])])
                    + Pictures.box("idat", small + huge))
        ),
        (
            "the item twice, as grid and as overlay",
            file(infos(grid + info("iovl")) + inData + Pictures.box("idat", small))
        ),
    ]

    private static let unfinished: [(String, [UInt8])] = [
        ("no iloc", file(infos(grid) + Pictures.box("idat", small))),
        ("no place of it", file(infos(info("grid", id: 2)) + inData + Pictures.box("idat", small))),
        ("no idat", file(infos(grid) + inData)),
        ("no extent", file(infos(grid) + locations([location(method: 1, [])]))),
        (
            "bytes of another item",
            file(infos(grid) + locations([location(method: 2, [(0, 8)])]) + Pictures.box("idat", small))
        ),
        (
            "an extent behind idat",
            file(infos(grid) + locations([location(method: 1, [(1, 8)])]) + Pictures.box("idat", small))
        ),
        ("a payload too short", file(infos(grid) + inData + Pictures.box("idat", Array(small.dropLast())))),
        (
            "a payload of version 1",
            file(infos(grid) + inData + Pictures.box("idat", [1] + small.dropFirst()))
        ),
        (
            "a wide grid's half",
            file(infos(grid) + inData + Pictures.box("idat", [0, 1] + small.dropFirst(2)))
        ),
        ("an iinf cut short", file(Pictures.box("iinf", [0, 0, 0, 0, 0]) + inData)),
        ("an infe cut short", file(infos(Pictures.box("infe", [2, 0, 0, 0, 0, 1, 0, 0, 0x67])) + inData)),
    ]

    @Test(arguments: hostileSizes) func theLargestSizeThatIsSaidCounts(name: String, bytes: [UInt8]) {
        let fault = ImageFault.tooManyPixels(width: 9000, height: 9000, limit: 1_000_000)
        #expect(throws: fault, "\(name)") { try facts(bytes) }
    }

    @Test(arguments: doubtful) func whatCanBeReadInTwoWaysIsRefused(name: String, bytes: [UInt8]) {
        #expect("\(name)") {
            try facts(bytes)
        } throws: {
            if case .broken(.heic, .order, _)? = $0 as? ImageFault { true } else { false }
        }
    }

    @Test(arguments: unfinished) func whatCannotBeFoundIsRefused(name: String, bytes: [UInt8]) {
        #expect("\(name)") {
            try facts(bytes)
        } throws: {
            switch $0 as? ImageFault {
            case .cutShort, .broken: true
            default: false
            }
        }
    }

    @Test func noPrefixIsWhole() throws {
        let bytes = Self.file(Self.grid, Self.small, at: .file)
        #expect(try facts(bytes).width == 4)
        for count in bytes.indices {
            #expect(throws: ImageFault.self, "\(count) bytes") { try facts(Array(bytes.prefix(count))) }
        }
    }
}
