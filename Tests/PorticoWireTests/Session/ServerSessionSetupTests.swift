import Testing

import PorticoWire

@Test func aGoodSetupIsAcceptedWithoutAnAnswer() throws {
    var script = SessionScript()
    let action = script.send { $0.goodSetup() }
    guard case .accept(let setup) = action else {
        Issue.record("\(action)")
        return
    }
    #expect(setup.lifetimeMilliseconds == 60_000)
    #expect(try script.written().isEmpty)
}

private let composite = MetadataMIME.composite.name.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
    .joined()

@Test(arguments: [
    ("00000001 1000", "0 ERROR 1 FAILED_PRECONDITION: the first frame must be SETUP on stream 0"),
    (
        "00000000 0c80 0000000000000000",
        "0 ERROR 1 FAILED_PRECONDITION: the first frame must be SETUP on stream 0"
    ),
    ("47455420 2f20", "0 ERROR 1 INVALID_ARGUMENT: a frame of type 0xb cannot be 6 bytes long"),
    ("00", "0 ERROR 1 INVALID_ARGUMENT: a frame of type 0x0 cannot be 1 bytes long"),
    (
        "00000000 3400 0001 0000 0001 61 0000000000000000 0000000000000000",
        "0 ERROR 4 UNIMPLEMENTED: no session is resumed here"
    ),
    (
        "00000000 0400 0002 0000 00000001 00000001 27\(composite) 00",
        "0 ERROR 2 UNIMPLEMENTED: version 2.0 is not spoken here, 1.0 is"
    ),
    (
        "00000000 0480 0001 0000 00000001 00000001 0001 aa 27\(composite) 00",
        "0 ERROR 3 UNIMPLEMENTED: resuming is not supported, set up without R"
    ),
    (
        "00000000 0440 0001 0000 00000001 00000001 27\(composite) 00",
        "0 ERROR 3 UNIMPLEMENTED: leases are not supported, set up without L"
    ),
    (
        "00000000 0400 0001 0000 00000000 00000001 27\(composite) 00",
        "0 ERROR 1 INVALID_ARGUMENT: keepalive interval and lifetime must be more than 0"
    ),
    (
        "00000000 0400 0001 0000 00000001 00000001 01 61 00",
        "0 ERROR 2 INVALID_ARGUMENT: the metadata MIME type must be message/x.rsocket.composite-metadata.v0"
    ),
]) func aBadBeginningIsAnsweredAndClosed(hex: String, expected: String) throws {
    var script = SessionScript()
    #expect(script.send(hex: hex) == .close)
    #expect(try script.written() == [expected])
    #expect(script.send { $0.goodSetup() } == .none)
    #expect(try script.written().isEmpty)
}

@Test func aSecondSetupIsIgnored() throws {
    var script = SessionScript.open()
    #expect(script.send { $0.goodSetup() } == .none)
    #expect(try script.written().isEmpty)
}

@Test func noSetupInTimeEndsTheSession() throws {
    var script = SessionScript()
    #expect(script.pass(.milliseconds(9999)) == .none)
    #expect(script.pass(.milliseconds(1)) == .close)
    #expect(try script.written() == ["0 ERROR 1 DEADLINE_EXCEEDED: no SETUP in time"])
}

@Test func aKeepaliveIsAnsweredWithItsDataOnlyWhenItAsks() throws {
    var script = SessionScript.open()
    _ = script.send { $0.keepalive(.respond, data: [0x61, 0x62].span) }
    _ = script.send { $0.keepalive([], data: [0x63].span) }
    #expect(try script.written() == ["KEEPALIVE ab"])
}

@Test func aSilentPeerIsAskedOnceAndThenTakenForDead() throws {
    var script = SessionScript.open()
    #expect(script.pass(.seconds(29)) == .none)
    #expect(script.pass(.seconds(1)) == .none)
    #expect(script.pass(.seconds(1)) == .none)
    #expect(try script.written() == ["KEEPALIVE R "])
    #expect(script.pass(.seconds(29)) == .close)
    #expect(
        try script.written() == [
            "0 ERROR 101 DEADLINE_EXCEEDED: nothing heard within the lifetime"
        ])
}

@Test func anyFrameProvesThatAPeerIsAlive() throws {
    var script = SessionScript.open()
    for _ in 0..<10 {
        #expect(script.pass(.seconds(25)) == .none)
        _ = script.send { $0.cancel(1) }
    }
    let next = script.session.nextDeadline
    #expect(next == script.now.advanced(by: .seconds(30)))
    #expect(try script.written().isEmpty)
}

@Test func drainingPushesTheGoAwayAndRefusesNewRequests() throws {
    var script = SessionScript.open()
    _ = script.send { $0.request(.response, on: 1, metadata: nil, data: []) }
    script.session.drain(goAway: [1, 2], into: &script.output)
    script.session.drain(goAway: [1, 2], into: &script.output)
    #expect(script.send { $0.request(.response, on: 3, metadata: nil, data: []) } == .none)
    script.answer(1, "done")
    let isIdle = script.session.isIdle
    #expect(isIdle)
    #expect(
        try script.written() == [
            "METADATA_PUSH 6", "3 ERROR 202 UNAVAILABLE: the server is going away, connect again",
            "1 PAYLOAD NC done",
        ])
}

@Test func anErrorOnStreamZeroEndsTheSessionSilently() throws {
    var script = SessionScript.open()
    #expect(script.send { $0.error(.connectionError, on: 0, "bye") } == .close)
    #expect(try script.written().isEmpty)
}
