import Testing

@testable import PorticoUpstream

/// Bodies packed with `gzip -9n` and Python's zlib: the text is `aaaa…` of the length, or `hello`.
enum Packed {
    static let gzipHello: [UInt8] = [
        0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0, 0x02, 0x03, 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0, 0x86, 0xa6, 0x10,
        0x36, 0x05, 0, 0, 0,
    ]
    static let zlibHello: [UInt8] = [
        0x78, 0x9c, 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0, 0x06, 0x2c, 0x02, 0x15,
    ]
    static let bareHello: [UInt8] = [0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0]
}

@Suite struct ContentCodingTests {
    private func undo(_ codings: [String], _ body: [UInt8], limit: Int = 100) throws(TransportError) -> String
    {
        let fields = codings.map { HTTPField("content-encoding", $0) }
        let response = HTTPResponse(status: 200, fields: fields, body: body)
        return String(decoding: try ContentCoding.undo(on: response, limitBytes: limit).body, as: UTF8.self)
    }

    @Test(arguments: [
        ("gzip", Packed.gzipHello), ("X-GZIP", Packed.gzipHello), ("deflate", Packed.zlibHello),
        ("deflate", Packed.bareHello), ("identity", Array("hello".utf8)), ("", Array("hello".utf8)),
    ]) func aCodedBodyIsDecoded(coding: String, body: [UInt8]) throws {
        #expect(try undo([coding], body) == "hello")
    }

    @Test func theMembersOfAGzipBodyAreOneText() throws {
        #expect(try undo(["gzip"], Packed.gzipHello + Packed.gzipHello) == "hellohello")
    }

    @Test func anEmptyBodyHasNoCoding() throws {
        #expect(try undo(["gzip"], []) == "")
    }

    @Test(arguments: ["br", "zstd", "gzip, gzip, gzip"]) func anUnknownCodingIsMalformed(coding: String) {
        #expect(throws: TransportError.malformed) { try undo([coding], Packed.gzipHello) }
    }

    @Test func aTruncatedBodyIsMalformed() {
        for count in 1..<Packed.gzipHello.count {
            #expect(throws: TransportError.malformed, "\(count) bytes") {
                try undo(["gzip"], Array(Packed.gzipHello.prefix(count)))
            }
        }
    }

    @Test func everyDamagedByteOfTextOrChecksumIsNoticed() {
        for index in 10..<Packed.gzipHello.count {
            var damaged = Packed.gzipHello
            damaged[index] ^= 0x01
            #expect(throws: TransportError.self, "byte \(index)") { try undo(["gzip"], damaged) }
        }
    }

    @Test func bytesAfterTheEndAreMalformed() {
        #expect(throws: TransportError.malformed) { try undo(["gzip"], Packed.gzipHello + [1]) }
        #expect(throws: TransportError.malformed) { try undo(["deflate"], Packed.zlibHello + [1]) }
    }

    @Test func aBombIsCutAtTheLimit() throws {
        let bomb = try #require(Deflate.compress([UInt8](repeating: 97, count: 1 << 20), limitBytes: 1 << 16))
        #expect(bomb.count < 2000)
        #expect(throws: TransportError.bodyTooLong(limitBytes: 1000)) {
            try undo(["deflate"], bomb, limit: 1000)
        }
        #expect(try undo(["deflate"], bomb, limit: 1 << 20).utf8.count == 1 << 20)
    }
}
