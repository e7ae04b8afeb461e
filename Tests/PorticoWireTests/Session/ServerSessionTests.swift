import Testing

import PorticoWire

@Test func aRequestInOneFrameIsServedFromWhereItLies() throws {
    var script = SessionScript.open()
    let action = script.send { $0.request(.response, on: 1, metadata: [9], data: [7, 8]) }
    #expect(action == .serve(1, .response, Payload(metadata: 9..<10, data: 10..<12)))
    script.session.answered(1, metadata: [0x6d], message: [0x64], into: &script.output)
    #expect(try script.written() == ["1 PAYLOAD NC [m] d"])
    let isIdle = script.session.isIdle
    #expect(isIdle)
}

@Test func anEmptyAnswerStillCarriesNextAndComplete() throws {
    var script = SessionScript.open()
    _ = script.send { $0.request(.response, on: 1, metadata: nil, data: []) }
    script.answer(1, "")
    #expect(try script.written() == ["1 PAYLOAD NC "])
}

@Test func fragmentsOfARequestAreJoined() throws {
    var script = SessionScript.open()
    #expect(
        script.send {
            $0.request(.stream, on: 3, flags: .follows, initialCredits: 1, metadata: [1], data: [])
        } == .none)
    #expect(script.send { $0.payload(on: 3, [.follows, .next], metadata: [2], data: [5].span) } == .none)
    let last = script.send { $0.payload(on: 3, .next, metadata: nil, data: [6].span) }
    guard case .serveJoined(3, .stream, let parts) = last else {
        Issue.record("\(last)")
        return
    }
    #expect(parts.metadata == [1, 2] && parts.data == [5, 6])
}

@Test func aLargeAnswerGoesOutInFragmentsTheLastWithNextAndComplete() throws {
    var script = SessionScript.open()
    _ = script.send { $0.request(.response, on: 1, metadata: nil, data: []) }
    script.session.answered(
        1, metadata: [0x6d], message: Array("0123456789abcdefghijXYZ".utf8), into: &script.output)
    #expect(
        try script.written() == ["1 PAYLOAD F [m] 0123456789", "1 PAYLOAD F abcdefghij", "1 PAYLOAD NC XYZ"])
}

@Test func aSmallAnswerPassesALargeOne() throws {
    var script = SessionScript.open(outputBytes: 30)
    for id in [1, 3] as [UInt32] {
        _ = script.send { $0.request(.response, on: id, metadata: nil, data: []) }
    }
    script.answer(1, String(repeating: "a", count: 50))
    script.answer(3, "small")
    #expect(try script.written() == ["1 PAYLOAD F aaaaaaaaaa", "1 PAYLOAD F aaaaaaaaaa"])
    script.session.fill(&script.output)
    #expect(try script.written() == ["1 PAYLOAD F aaaaaaaaaa", "3 PAYLOAD NC small"])
    script.session.fill(&script.output)
    #expect(try script.written() == ["1 PAYLOAD F aaaaaaaaaa", "1 PAYLOAD NC aaaaaaaaaa"])
    let (waiting, isIdle) = (script.session.waitingBytes, script.session.isIdle)
    #expect(waiting == 0 && isIdle)
}

@Test func aCancelledAnswerStopsInItsMiddle() throws {
    var script = SessionScript.open(outputBytes: 15)
    _ = script.send { $0.request(.response, on: 1, metadata: nil, data: []) }
    script.answer(1, String(repeating: "a", count: 50))
    #expect(try script.written().count == 1)
    #expect(script.send { $0.cancel(1) } == .none)
    script.session.fill(&script.output)
    let (waiting, isIdle) = (script.session.waitingBytes, script.session.isIdle)
    #expect(waiting == 0 && isIdle)
    #expect(try script.written().isEmpty)
}

@Test func cancellingAWaitingCallAbandonsItAndDropsItsAnswer() throws {
    var script = SessionScript.open()
    _ = script.send { $0.request(.response, on: 1, metadata: nil, data: []) }
    #expect(script.send { $0.cancel(1) } == .abandon(1))
    script.answer(1, "late")
    script.session.failed(1, .applicationError, "INTERNAL: late", into: &script.output)
    #expect(try script.written().isEmpty)
}

@Test func anItemWithoutCreditWaitsAndTheNewestWins() throws {
    var script = SessionScript.open()
    _ = script.send { $0.request(.stream, on: 1, initialCredits: 1, metadata: nil, data: []) }
    for text in ["one", "two", "three"] {
        script.session.next(1, metadata: nil, message: Array(text.utf8), into: &script.output)
    }
    #expect(try script.written() == ["1 PAYLOAD N one"])
    _ = script.send { $0.requestN(.max, on: 1) }
    #expect(try script.written() == ["1 PAYLOAD N three"])
    _ = script.send { $0.requestN(.max, on: 1) }
    script.answer(1, "last")
    #expect(try script.written() == ["1 PAYLOAD NC last"])
}

@Test func creditsGivenDuringReassemblyCount() throws {
    var script = SessionScript.open()
    _ = script.send {
        $0.request(.stream, on: 1, flags: .follows, initialCredits: 1, metadata: nil, data: [])
    }
    _ = script.send { $0.requestN(1, on: 1) }
    _ = script.send { $0.payload(on: 1, .next, metadata: nil, data: [1].span) }
    script.session.next(1, metadata: nil, message: [0x61], into: &script.output)
    script.answer(1, "b")
    #expect(try script.written() == ["1 PAYLOAD N a", "1 PAYLOAD NC b"])
}

@Test func aFireAndForgetIsServedAndNeverAnswered() throws {
    var script = SessionScript.open()
    let action = script.send { $0.request(.fireAndForget, on: 1, metadata: nil, data: []) }
    #expect(action == .serve(1, .fireAndForget, Payload(data: 6..<6)))
    script.session.failed(1, .applicationError, "NOT_FOUND: x", into: &script.output)
    script.answer(1, "ignored")
    let isIdle = script.session.isIdle
    #expect(isIdle)
    #expect(try script.written().isEmpty)
}

@Test func whatIsNotOfferedIsRejectedAndTheConnectionLives() throws {
    var script = SessionScript.open(messageBytes: 20, metadataBytes: 5, streams: 2)
    let large = [UInt8](repeating: 0, count: 21)
    _ = script.send {
        $0.request(.channel, on: 1, flags: .follows, initialCredits: 1, metadata: nil, data: [])
    }
    _ = script.send { $0.payload(on: 1, .next, metadata: nil, data: [1].span) }
    _ = script.send { $0.request(.stream, on: 3, initialCredits: 0, metadata: nil, data: []) }
    _ = script.send { $0.request(.response, on: 5, metadata: nil, data: large) }
    _ = script.send { $0.request(.response, on: 7, metadata: Array(large.prefix(6)), data: []) }
    _ = script.send { $0.request(.fireAndForget, on: 9, metadata: nil, data: large) }
    for id in [11, 13, 15] as [UInt32] {
        _ = script.send { $0.request(.response, on: id, metadata: nil, data: []) }
    }
    #expect(
        try script.written() == [
            "1 ERROR 202 UNIMPLEMENTED: no method takes a stream of requests",
            "3 ERROR 204 INVALID_ARGUMENT: a request for 0 items",
            "5 ERROR 202 RESOURCE_EXHAUSTED: the request is over 20 bytes",
            "7 ERROR 202 RESOURCE_EXHAUSTED: the request's metadata is over 5 bytes",
            "15 ERROR 202 RESOURCE_EXHAUSTED: 2 requests are in flight on this connection",
        ])
    script.answer(11, "ok")
    #expect(try script.written() == ["11 PAYLOAD NC ok"])
}

@Test func fragmentsOverTheLimitEndTheirRequestOnly() throws {
    var script = SessionScript.open(messageBytes: 4, metadataBytes: 2)
    _ = script.send { $0.request(.response, on: 1, flags: .follows, metadata: nil, data: [1, 2, 3]) }
    _ = script.send { $0.payload(on: 1, .follows, metadata: nil, data: [4, 5].span) }
    _ = script.send { $0.payload(on: 1, .next, metadata: nil, data: [6].span) }
    _ = script.send { $0.request(.response, on: 3, flags: .follows, metadata: nil, data: [1]) }
    _ = script.send { $0.payload(on: 3, .next, metadata: [1], data: [2].span) }
    #expect(
        try script.written() == [
            "1 ERROR 202 RESOURCE_EXHAUSTED: the request is over 4 bytes",
            "3 ERROR 204 INVALID_ARGUMENT: a fragment brings metadata after data",
        ])
    #expect(script.send { $0.request(.response, on: 5, metadata: nil, data: [1, 2, 3, 4]) } != .none)
}

@Test func unfinishedRequestsTogetherAreBounded() throws {
    var script = SessionScript.open(messageBytes: 90, metadataBytes: 10, streams: 4)
    let part = [UInt8](repeating: 0, count: 60)
    _ = script.send { $0.request(.response, on: 1, flags: .follows, metadata: nil, data: part) }
    _ = script.send { $0.request(.response, on: 3, flags: .follows, metadata: nil, data: part) }
    #expect(try script.written() == ["3 ERROR 202 RESOURCE_EXHAUSTED: the request is over 90 bytes"])
    #expect(script.send { $0.cancel(1) } == .none)
    _ = script.send { $0.request(.response, on: 5, flags: .follows, metadata: nil, data: part) }
    #expect(try script.written().isEmpty)
}

@Test func framesOnUnknownOrBusyStreamsAreIgnored() throws {
    var script = SessionScript.open()
    _ = script.send { $0.request(.response, on: 1, metadata: nil, data: []) }
    #expect(script.send { $0.request(.response, on: 1, metadata: nil, data: []) } == .none)
    #expect(script.send { $0.cancel(9) } == .none)
    #expect(script.send { $0.requestN(5, on: 9) } == .none)
    #expect(script.send { $0.error(.applicationError, on: 9, "x") } == .none)
    #expect(script.send { $0.payload(on: 9, .next, metadata: nil, data: Span()) } == .none)
    #expect(script.send(hex: "00000000 8200") == .none)
    #expect(script.send(hex: "00000000 0800 00000064 00000002") == .none)
    #expect(try script.written().isEmpty)
}

@Test(arguments: [
    ("00000002 1000", "a client's streams are odd, not 2"),
    ("00000000 1000", "a client's streams are odd, not 0"),
    ("00000001 8000", "frame type 0x20 is not known here"),
    ("00000001 2000 0000", "a frame of type 0x8 cannot be 8 bytes long"),
]) func whatBreaksTheProtocolEndsTheConnection(hex: String, reason: String) throws {
    var script = SessionScript.open()
    #expect(script.send(hex: hex) == .close)
    #expect(try script.written() == ["0 ERROR 101 INVALID_ARGUMENT: \(reason)"])
}

@Test func aKeepaliveOnAStreamIsIgnored() throws {
    var script = SessionScript.open()
    #expect(script.send(hex: "00000001 0c80 0000000000000000 64") == .none)
    #expect(script.send(hex: "00000000 0c80 0000000000000000 64") == .none)
    #expect(try script.written() == ["KEEPALIVE d"])
}

/// "A PAYLOAD with both F and C flags set, implicitly ignores the F flag."
@Test func aFragmentWithCompleteIsTheLast() throws {
    var script = SessionScript.open()
    _ = script.send { $0.request(.response, on: 1, flags: .follows, metadata: nil, data: [5]) }
    let last = script.send { $0.payload(on: 1, [.follows, .complete], metadata: nil, data: [6].span) }
    guard case .serveJoined(1, .response, let parts) = last else {
        Issue.record("\(last)")
        return
    }
    #expect(parts.data == [5, 6])
}

@Test func requestsWhoseLastFragmentIsOverdueAreGivenUpEachInItsTime() throws {
    var script = SessionScript.open()
    _ = script.send { $0.request(.response, on: 1, flags: .follows, metadata: nil, data: [5]) }
    #expect(script.pass(.seconds(20)) == .none)
    for id in [5, 3] as [UInt32] {
        _ = script.send {
            $0.request(.stream, on: id, flags: .follows, initialCredits: 1, metadata: nil, data: [])
        }
    }
    #expect(script.session.unfinishedBytes > 3)
    #expect(script.pass(.seconds(25)) == .none)
    // Pieces prolong nothing, but show that the peer is there.
    _ = script.send { $0.payload(on: 1, .follows, metadata: nil, data: [6].span) }
    #expect(try script.written().isEmpty)
    #expect(script.pass(.seconds(15)) == .none)
    let overdue = "ERROR 202 DEADLINE_EXCEEDED: the request took too long to arrive"
    #expect(try script.written() == ["1 \(overdue)"])
    #expect(script.session.nextDeadline == script.now.advanced(by: .seconds(15)))
    #expect(script.send { $0.payload(on: 5, .next, metadata: nil, data: [6].span) } != .none)
    #expect(script.pass(.seconds(20)) == .none)
    #expect(try script.written() == ["3 \(overdue)"])
    #expect(script.session.unfinishedBytes == 0)
}
