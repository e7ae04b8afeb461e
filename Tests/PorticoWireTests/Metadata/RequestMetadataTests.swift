import Testing

import PorticoWire
import TestSupport

/// Metadata as the Python library writes it: route `a.B/C`, bearer `good-token`.
private let python = bytes(hex: "fe 000006 05 612e422f43 fc 00000b 81 676f6f642d746f6b656e")

private func read(_ bytes: [UInt8]) throws(WireError) -> RequestMetadata {
    try RequestMetadata(0..<bytes.count, in: bytes.span)
}

@Test func thePublishedRequestIsRead() throws {
    let metadata = try read(python)
    #expect(metadata.route.map { Array(python[$0]) } == Array("a.B/C".utf8))
    #expect(metadata.credentials == .bearer(15..<25))
    #expect(metadata.context == nil)
}

@Test func whatIsWrittenIsTheSame() throws {
    var writer = MetadataWriter()
    writer.route("a.B/C")
    writer.bearer("good-token")
    #expect(writer.bytes == python)
    writer.context([0x08, 0x01])
    #expect(try read(writer.bytes).context == 29..<31)
}

@Test func aSpeltOutTypeIsTheSameAsItsID() throws {
    let name = Array(MetadataMIME.routing.name.utf8)
    let spelt = [UInt8(name.count - 1)] + name + [0, 0, 3, 2, 0x61, 0x62]
    #expect(try read(spelt).route?.count == 2)
}

@Test func unknownItemsArePassedOver() throws {
    let unknown = bytes(hex: "85 000002 ffff 00 78 000001 00")
    #expect(try read(unknown) == RequestMetadata())
    #expect(try read(unknown + python).route?.count == 5)
}

@Test func theFirstOfTwoRoutesCounts() throws {
    #expect(try read(bytes(hex: "fe 000004 01 61 01 62 fe 000002 01 63")).route == 5..<6)
}

@Test func simpleCredentialsAreTakenApart() throws {
    let metadata = try read(bytes(hex: "fc 000007 80 0002 7573 7077"))
    #expect(metadata.credentials == .simple(user: 7..<9, password: 9..<11))
}

@Test(arguments: 1..<python.count) func metadataCutShortIsAnErrorOrFewerItems(count: Int) {
    let cut = Array(python[0..<count])
    do throws(WireError) {
        let metadata = try read(cut)
        #expect(count == 10 && metadata.credentials == nil)
    } catch {
        #expect(error == .metadataTruncated(offset: count < 10 ? 0 : 10))
    }
}

@Test(arguments: [
    ("fe 000000", 4), ("fe 000002 05 61", 4), ("fc 000000", 4), ("fc 000002 80 00", 4),
    ("fc 000003 80 0001", 4), ("89 000000 89 000000", 8),
]) func aMalformedItemIsNamed(hex: String, offset: Int) {
    #expect(throws: WireError.badMetadataItem(offset: offset)) { try read(bytes(hex: hex)) }
}

@Test func randomMetadataNeverTraps() {
    var dice = SeededGenerator(seed: 3)
    for _ in 0..<20_000 {
        var metadata = python
        for _ in 0..<Int.random(in: 1...4, using: &dice) {
            metadata[Int.random(in: 0..<metadata.count, using: &dice)] = UInt8.random(
                in: 0...255, using: &dice)
        }
        if let route = try? read(metadata).route { #expect(route.upperBound <= metadata.count) }
    }
}
