import Testing

import PorticoWire
import TestSupport

/// The vectors published with the protocol and its libraries, and what each of them is.
private let vectors: [(hex: String, streamID: UInt32, body: Frame.Body)] = [
    ("00000001 2c00 00000201 64", 1, .error(code: 0x201, text: 10..<11)),
    ("00000000 0c80 0000000000000000 64", 0, .keepalive(position: 0, data: 14..<15)),
    ("00000001 2000 00000005", 1, .requestN(5)),
    (
        "00000001 1900 00000001 000002 6d64 64", 1,
        .request(.stream, initialCredits: 1, Payload(metadata: 13..<15, data: 15..<16))
    ),
    (
        "00000001 1900 00000001 000000 64", 1,
        .request(.stream, initialCredits: 1, Payload(metadata: 13..<13, data: 13..<14))
    ),
    ("00000001 1800 00000001 64", 1, .request(.stream, initialCredits: 1, Payload(data: 10..<11))),
    (
        "00000001 1100 000019 fe 000006 05 612e422f43 fc 00000b 81 676f6f642d746f6b656e 6869", 1,
        .request(.response, initialCredits: nil, Payload(metadata: 9..<34, data: 34..<36))
    ),
    ("00000003 2400", 3, .cancel),
    ("00000000 0800 00000064 00000002", 0, .lease(timeToLiveMilliseconds: 100, requests: 2)),
    ("00000000 3100 fe", 0, .metadataPush(6..<7)),
    ("00000000 3800 0000000000000007", 0, .resumeOK(position: 7)),
    ("00000000 fe00 00000001", 0, .ignored),
    ("00000000 8200", 0, .ignored),
    (
        "00000000 0540 0001 0000 00007530 000493e0 01 61 02 6262 000001 6d 64", 0,
        .setup(
            SetupFrame(
                major: 1, minor: 0, keepaliveMilliseconds: 30_000, lifetimeMilliseconds: 300_000,
                metadataMIME: 19..<20, dataMIME: 21..<23, payload: Payload(metadata: 26..<27, data: 27..<28)))
    ),
    (
        "00000000 0480 0001 0000 00000001 00000002 0001 aa 00 00", 0,
        .setup(
            SetupFrame(
                major: 1, minor: 0, keepaliveMilliseconds: 1, lifetimeMilliseconds: 2,
                metadataMIME: 22..<22, dataMIME: 23..<23, payload: Payload(data: 23..<23)))
    ),
]

@Test(arguments: vectors.indices) func aPublishedVectorIsRead(index: Int) throws {
    let frame = try Frame(bytes(hex: vectors[index].hex).span)
    #expect(frame.streamID == vectors[index].streamID)
    #expect(frame.body == vectors[index].body)
}

@Test(arguments: vectors.indices) func aVectorCutShortThrowsOrHasShorterData(index: Int) {
    let whole = bytes(hex: vectors[index].hex)
    for count in whole.indices {
        do throws(WireError) {
            // What is left must be a frame whose ranges lie inside it.
            #expect(lastByte(of: try Frame(Array(whole[0..<count]).span).body) <= count)
        } catch {
            guard case .frameTruncated = error else {
                Issue.record("\(error) for \(count) bytes")
                continue
            }
        }
    }
}

private func lastByte(of body: Frame.Body) -> Int {
    switch body {
    case .setup(let setup): setup.payload.data.upperBound
    case .request(_, _, let payload), .payload(let payload): payload.data.upperBound
    case .keepalive(_, let range), .error(_, let range), .metadataPush(let range): range.upperBound
    case .lease, .requestN, .cancel, .resume, .resumeOK, .ignored: 0
    }
}

@Test(arguments: [
    ("80000001 2000 00000005", WireError.badStreamID),
    ("00000001 8000", .unknownFrameType(0x20)),
    ("00000001 fc00 00000001", .unknownFrameType(0x3f)),
    ("00000001 1100 000003 6d64", .frameTruncated(type: 0x04, length: 11)),
    ("00000001 1100 ffffff 6d64", .frameTruncated(type: 0x04, length: 11)),
    ("00000000 0400 0001 0000 00000001 00000002 01 00 00", .badMIMEType),
    ("00000000 0400 0001 0000 00000001 00000002 ff 61", .frameTruncated(type: 0x01, length: 20)),
    ("00000000 0480 0001 0000 00000001 00000002 ffff aa", .frameTruncated(type: 0x01, length: 21)),
]) func aMalformedFrameIsNamed(hex: String, expected: WireError) {
    #expect(throws: expected) { try Frame(bytes(hex: hex).span) }
}

@Test func randomBytesNeverTrap() {
    var dice = SeededGenerator(seed: 1)
    for _ in 0..<20_000 {
        var frame = (0..<Int.random(in: 0...60, using: &dice)).map { _ in
            UInt8.random(in: 0...255, using: &dice)
        }
        if !frame.isEmpty { frame[0] &= 0x7f }
        if let body = try? Frame(frame.span).body { #expect(lastByte(of: body) <= frame.count) }
    }
}
