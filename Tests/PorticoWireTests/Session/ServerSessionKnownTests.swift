import PorticoWire
import Testing

@Suite struct ServerSessionKnownTests {
    private static let answer: [UInt8] = [0, 0, 7, 0, 0, 0, 0, 0x28, 0x60, 65]

    /// A request with its length prefix.
    private func request(_ page: UInt8 = 1, on id: UInt32) -> [UInt8] {
        var writer = FrameWriter()
        writer.request(.response, on: id, metadata: [1, 2], data: [8, page])
        return writer.bytes
    }

    private func terms(at now: Instant) -> QuickAnswers.Terms {
        QuickAnswers.Terms(isAuthenticated: true, generation: 1, now: now)
    }

    /// Knows the answer to page 1.
    private func known(at now: Instant) -> QuickAnswers {
        var known = QuickAnswers(seed: 1)
        known.keep(
            Self.answer, for: request(on: 1).span.extracting(droppingFirst: 3), terms(at: now),
            until: now + .seconds(100))
        return known
    }

    /// - Returns: how many were answered, and up to where `bytes` were used.
    private func give(
        _ bytes: [UInt8], _ script: inout SessionScript, splitter: borrowing FrameSplitter
    ) -> (count: Int, offset: Int) {
        var offset = 0
        let count = script.session.answerKnown(
            in: bytes.span, from: &offset, cutBy: splitter, known(at: script.start), terms(at: script.now),
            into: &script.output)
        return (count, offset)
    }

    private func give(_ bytes: [UInt8], _ script: inout SessionScript) -> (count: Int, offset: Int) {
        give(bytes, &script, splitter: FrameSplitter(limitBytes: 1000))
    }

    @Test func allKnownRequestsOfAPieceAreAnsweredOnTheirStreams() throws {
        var script = SessionScript.open()
        let piece = request(on: 1) + request(on: 3) + request(on: 5)
        let given = give(piece, &script)
        #expect(given == (3, piece.count))
        #expect(try script.written() == ["1 PAYLOAD NC A", "3 PAYLOAD NC A", "5 PAYLOAD NC A"])
        let isIdle = script.session.isIdle
        #expect(isIdle)
    }

    @Test func theFirstOneThatIsNotKnownStopsThem() throws {
        var script = SessionScript.open()
        let given = give(request(on: 1) + request(2, on: 3) + request(on: 5), &script)
        #expect(given == (1, request(on: 1).count))
        #expect(try script.written() == ["1 PAYLOAD NC A"])
    }

    @Test func oneThatIsNotWholeWaits() {
        for length in 0..<request(on: 1).count {
            var script = SessionScript.open()
            let given = give(Array(request(on: 1)[..<length]), &script)
            #expect(given == (0, 0))
        }
    }

    @Test func nothingIsLookedForInsideAFrameOrBeyondTheLimit() throws {
        var script = SessionScript.open()
        var splitter = FrameSplitter(limitBytes: 1000)
        var offset = 0
        let isAhead = try splitter.next(in: ([0, 0] as [UInt8]).span, from: &offset) != nil
        #expect(!isAhead)
        #expect(give(request(on: 1), &script, splitter: splitter) == (0, 0))
        #expect(give(request(on: 1), &script, splitter: FrameSplitter(limitBytes: 4)) == (0, 0))
    }

    @Test func evenStreamsAndThoseInUseAreLeftToTheSession() throws {
        var script = SessionScript.open()
        let action = script.send { $0.request(.response, on: 3, metadata: nil, data: [9]) }
        guard case .serve(3, .response, _) = action else {
            Issue.record("\(action)")
            return
        }
        #expect(give(request(on: 2), &script).count == 0)
        #expect(give(request(on: 3), &script).count == 0)
        #expect(give(request(on: 5), &script).count == 1)
        #expect(try script.written() == ["5 PAYLOAD NC A"])
    }

    @Test func aSessionThatIsNotOpenOrGoesAwayAnswersNone() {
        var early = SessionScript()
        #expect(give(request(on: 1), &early).count == 0)
        var draining = SessionScript.open()
        draining.session.drain(goAway: nil, into: &draining.output)
        #expect(give(request(on: 1), &draining).count == 0)
        var closed = SessionScript.open()
        _ = closed.session.end(.connectionError, "INTERNAL: over", into: &closed.output)
        #expect(give(request(on: 1), &closed).count == 0)
    }

    @Test func aFullOutputOrTooManyStreamsStopThem() {
        var narrow = SessionScript.open(outputBytes: 15)
        #expect(give(request(on: 1) + request(on: 3) + request(on: 5), &narrow).count == 2)
        var busy = SessionScript.open(streams: 1)
        _ = busy.send { $0.request(.response, on: 7, metadata: nil, data: [9]) }
        #expect(give(request(on: 1), &busy).count == 0)
    }

    @Test func anAnsweredRequestIsASignOfLife() {
        var script = SessionScript.open()
        script.now = script.now + .seconds(50)
        #expect(give(request(on: 1), &script).count == 1)
        #expect(script.pass(.seconds(29)) == .none)
        #expect(script.output.bytes.count == Self.answer.count)
    }

    @Test func aFrameThatCameInPiecesIsAnsweredToo() throws {
        var script = SessionScript.open()
        let frame = Array(request(on: 9).dropFirst(3))
        let known = known(at: script.start)
        let terms = terms(at: script.now)
        let isAnswered = script.session.answerKnown(frame.span, known, terms, into: &script.output)
        #expect(isAnswered)
        #expect(try script.written() == ["9 PAYLOAD NC A"])
    }
}
