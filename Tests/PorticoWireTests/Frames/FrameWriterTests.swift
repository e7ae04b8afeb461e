import PorticoWire
import TestSupport
import Testing

@Test func thePublishedVectorsAreWritten() {
    var writer = FrameWriter()
    writer.error(.applicationError, on: 1, "d")
    writer.keepalive(.respond, data: [0x64].span)
    writer.requestN(5, on: 1)
    writer.request(.stream, on: 1, initialCredits: 1, metadata: [0x6d, 0x64], data: [0x64])
    writer.request(.stream, on: 1, initialCredits: 1, metadata: [], data: [0x64])
    writer.request(.stream, on: 1, initialCredits: 1, metadata: nil, data: [0x64])
    let expected = [
        "00000b 00000001 2c00 00000201 64",
        "00000f 00000000 0c80 0000000000000000 64",
        "00000a 00000001 2000 00000005",
        "000010 00000001 1900 00000001 000002 6d64 64",
        "00000e 00000001 1900 00000001 000000 64",
        "00000b 00000001 1800 00000001 64",
    ]
    #expect(writer.bytes == bytes(hex: expected.joined()))
}

@Test func aSetupIsReadBackAsItWasWritten() throws {
    var writer = FrameWriter()
    writer.setup(
        keepaliveMilliseconds: 20_000, lifetimeMilliseconds: 90_000, metadataMIME: "a/b", dataMIME: "c/d",
        metadata: [1, 2], data: [3])
    let frame = try Frame(writer.bytes.span.extracting(droppingFirst: 3))
    guard case .setup(let setup) = frame.body else {
        Issue.record("not a SETUP: \(frame)")
        return
    }
    #expect((setup.major, setup.minor) == (1, 0))
    #expect((setup.keepaliveMilliseconds, setup.lifetimeMilliseconds) == (20_000, 90_000))
    #expect(setup.metadataMIME.count == 3 && setup.dataMIME.count == 3)
    #expect(setup.payload.metadata?.count == 2 && setup.payload.data.count == 1)
}

@Test func payloadCancelAndPushCarryTheirFlags() {
    var writer = FrameWriter()
    writer.payload(on: 3, [.next, .complete], metadata: nil, data: [7].span)
    writer.payload(on: 3, [.follows], metadata: [9], data: Span())
    writer.cancel(5)
    writer.metadataPush([0xfe])
    let expected = [
        "000007 00000003 2860 07", "00000a 00000003 2980 000001 09", "000006 00000005 2400",
        "000007 00000000 3100 fe",
    ]
    #expect(writer.bytes == bytes(hex: expected.joined()))
}

/// The worked example of Schemas/README.md, "One call, byte by byte".
@Test func theExampleForWritersOfClientsIsWhatIsWritten() {
    var metadata = MetadataWriter()
    metadata.route("starwars.v1.Characters/GetPerson")
    var writer = FrameWriter()
    writer.setup(
        keepaliveMilliseconds: 20_000, lifetimeMilliseconds: 90_000,
        metadataMIME: MetadataMIME.composite.name,
        dataMIME: "app/any", metadata: nil, data: [])
    writer.request(.response, on: 1, metadata: metadata.bytes, data: [0x08, 0x01])
    let expected =
        bytes(hex: "000042 00000000 0400 00010000 00004e20 00015f90 27")
        + Array("message/x.rsocket.composite-metadata.v0".utf8) + [7] + Array("app/any".utf8)
        + bytes(hex: "000030 00000001 1100 000025 fe 000021 20")
        + Array("starwars.v1.Characters/GetPerson".utf8) + [0x08, 0x01]
    #expect(writer.bytes == expected)
}

/// Two writers write the same; one lends, from whatever length on. Joined after any number of bytes sent, the rest is the same.
@Test(arguments: [0, 1, 5, 20]) func whatIsLentGoesOutWhereItBelongs(smallestLentBytes: Int) {
    var dice = SeededGenerator(seed: UInt64(smallestLentBytes))
    for _ in 0..<20 {
        var (copying, lending) = (FrameWriter([7]), FrameWriter([7], smallestLentBytes: smallestLentBytes))
        for _ in 0..<Int.random(in: 0..<6, using: &dice) {
            let message = (0..<40).map { _ in UInt8.random(in: 0...255, using: &dice) }
            let start = Int.random(in: 0...40, using: &dice)
            let part = start..<Int.random(in: start...40, using: &dice)
            let metadata = Bool.random(using: &dice) ? [UInt8](message.prefix(3)) : nil
            copying.payload(on: 3, .next, metadata: metadata, data: message.span.extracting(part))
            lending.payload(on: 3, .next, metadata: metadata, message: message, part)
            guard Bool.random(using: &dice) else { continue }
            copying.cancel(5)
            lending.cancel(5)
        }
        #expect(lending.count == copying.count)
        for sent in 0...copying.count {
            var rest = lending
            rest.join(droppingFirst: sent)
            #expect(rest.bytes == Array(copying.bytes.dropFirst(sent)))
            #expect(rest.lent.isEmpty && rest.count == rest.bytes.count)
        }
    }
}
