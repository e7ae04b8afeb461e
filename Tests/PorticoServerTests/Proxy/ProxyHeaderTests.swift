import PorticoEventLoop
import TestSupport
import Testing

@testable import PorticoServer

@Suite struct ProxyHeaderTests {
    static let ipv4: [UInt8] = [192, 0, 2, 1, 10, 0, 0, 1, 0xd4, 0x31, 0x1c, 0xe8]
    static let ipv6: [UInt8] =
        [0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1] + [UInt8](repeating: 9, count: 16)
        + [0x01, 0xbb, 0x1c, 0xe8]

    static func header(_ command: UInt8, _ family: UInt8, _ rest: [UInt8]) -> [UInt8] {
        ProxyHeader.signature + [command, family, UInt8(rest.count >> 8), UInt8(rest.count & 0xff)] + rest
    }

    private func read(_ pieces: [[UInt8]]) throws -> (peer: PeerAddress?, left: Int) {
        var reader = ProxyHeader()
        for (index, piece) in pieces.enumerated() {
            var offset = 0
            guard let peer = try reader.next(in: piece.span, from: &offset) else {
                #expect(offset == piece.count)
                continue
            }
            return (peer, piece.count - offset + pieces[(index + 1)...].joined().count)
        }
        return (nil, 0)
    }

    @Test(
        arguments: [
            (0x21, 0x11, Self.ipv4, "192.0.2.1:54321"), (0x21, 0x21, Self.ipv6, "[2001:db8::1]:443"),
            (0x21, 0x11, Self.ipv4 + [UInt8](repeating: 4, count: 300), "192.0.2.1:54321"),
            (0x20, 0x00, [], "-"), (0x20, 0x11, Self.ipv4, "-"), (0x21, 0x00, [1, 2, 3], "-"),
            (0x21, 0x12, Self.ipv4, "-"), (0x21, 0x31, [UInt8](repeating: 65, count: 216), "-"),
        ] as [(UInt8, UInt8, [UInt8], String)])
    func aHeaderIsReadWholeAndSplitAtEachByte(
        command: UInt8, family: UInt8, rest: [UInt8], peer: String
    ) throws {
        let bytes = Self.header(command, family, rest) + [7, 7]
        for cut in 0...bytes.count {
            let found = try read([Array(bytes[..<cut]), Array(bytes[cut...])])
            #expect(found.peer?.description == peer)
            #expect(found.left == 2)
        }
        #expect(try read(bytes.map { [$0] }).peer?.description == peer)
    }

    @Test func aHeaderCutShortNamesNobodyYet() throws {
        let bytes = Self.header(0x21, 0x21, Self.ipv6)
        for count in 0..<bytes.count { #expect(try read([Array(bytes[..<count])]).peer == nil) }
    }

    @Test(arguments: 0..<12) func aWrongSignatureIsFoundAtItsFirstWrongByte(place: Int) {
        var bytes = Array(ProxyHeader.signature[...place])
        bytes[place] ^= 1
        #expect(throws: ProxyHeader.Fault.noSignature) { try read([bytes]) }
    }

    @Test(arguments: [0x00, 0x01, 0x11, 0x22, 0x2f, 0x31, 0xff] as [UInt8])
    func otherVersionsAndCommandsAreRefused(command: UInt8) {
        #expect(throws: ProxyHeader.Fault.unknownCommand(command)) {
            try read([Self.header(command, 0x11, Self.ipv4)])
        }
    }

    @Test(arguments: [(0x11, 11), (0x11, 0), (0x21, 35)] as [(UInt8, Int)])
    func aLengthBelowItsAddressesIsRefused(family: UInt8, count: Int) {
        #expect(throws: ProxyHeader.Fault.lengthTooSmall(declared: count)) {
            try read([Self.header(0x21, family, [UInt8](repeating: 0, count: count))])
        }
    }

    @Test func theLongestHeaderIsPassedOverWithoutBeingKept() throws {
        let bytes = Self.header(0x21, 0x11, Self.ipv4 + [UInt8](repeating: 0, count: 0xffff - 12))
        let found = try read([bytes, [1]])
        #expect(found.peer?.description == "192.0.2.1:54321")
        #expect(found.left == 1)
    }

    @Test func noiseIsReadOrRefusedAndNeverMore() {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<2000 {
            var bytes = Self.header(0x21, 0x11, Self.ipv4)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 12..<bytes.count, using: &random)
                bytes[place] = UInt8.random(in: 0...255, using: &random)
            }
            _ = try? read([bytes])
        }
    }

    @Test(
        arguments: [
            ([0, 0, 0, 0, 0, 0, 0, 0], "[::]:1"), ([0, 0, 0, 0, 0, 0, 0, 1], "[::1]:1"),
            ([1, 0, 0, 2, 0, 0, 0, 3], "[1:0:0:2::3]:1"), ([1, 0, 2, 3, 4, 5, 6, 7], "[1:0:2:3:4:5:6:7]:1"),
            ([0xfe80, 0, 0, 0, 0, 1, 0, 0], "[fe80::1:0:0]:1"),
            ([1, 2, 3, 4, 5, 6, 0, 0], "[1:2:3:4:5:6::]:1"),
        ] as [([UInt64], String)])
    func ipv6IsWrittenAsRFC5952Says(groups: [UInt64], text: String) {
        let half = { (part: ArraySlice<UInt64>) in part.reduce(0) { $0 << 16 | $1 } }
        #expect(
            PeerAddress.ipv6(high: half(groups[..<4]), low: half(groups[4...]), port: 1).description == text)
    }
}
