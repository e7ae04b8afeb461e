import Testing

import PorticoWire
import TestSupport

/// The session as one would write it without a thought for speed or memory: whole answers, no fragments, no turns.
private struct NaiveSession {
    enum State: Equatable {
        case assembling(RequestKind, credits: Int, data: [UInt8])
        case serving(RequestKind, credits: Int, waiting: [UInt8]?, answered: Bool)
    }
    var streams: [UInt32: State] = [:]
    /// What each stream has been told, in order: items by their content, errors as `!`.
    var told: [UInt32: [String]] = [:]
    let limit: Int

    var isServing: Bool {
        streams.values.contains { if case .serving = $0 { true } else { false } }
    }

    mutating func request(_ id: UInt32, _ kind: RequestKind, credits: Int, data: [UInt8], follows: Bool)
        -> Bool
    {
        guard streams[id] == nil else { return false }
        guard kind != .channel, streams.count < limit else {
            if kind != .fireAndForget { told[id, default: []].append("!") }
            return false
        }
        streams[id] =
            follows
            ? .assembling(kind, credits: credits, data: data)
            : .serving(kind, credits: credits, waiting: nil, answered: false)
        return !follows
    }

    mutating func fragment(_ id: UInt32, data: [UInt8], follows: Bool) -> [UInt8]? {
        guard case .assembling(let kind, let credits, let before)? = streams[id] else { return nil }
        guard !follows else {
            streams[id] = .assembling(kind, credits: credits, data: before + data)
            return nil
        }
        streams[id] = .serving(kind, credits: credits, waiting: nil, answered: false)
        return before + data
    }

    mutating func grant(_ id: UInt32, _ credits: Int) {
        switch streams[id] {
        case .assembling(let kind, let before, let data):
            streams[id] = .assembling(kind, credits: before + credits, data: data)
        case .serving(let kind, let before, let waiting, let answered):
            streams[id] = .serving(kind, credits: before + credits, waiting: waiting, answered: answered)
            release(id)
        case nil: break
        }
    }

    mutating func cancel(_ id: UInt32) -> Bool {
        defer { streams[id] = nil }
        if case .serving(_, _, _, answered: false)? = streams[id] { return true }
        return false
    }

    mutating func item(_ id: UInt32, _ message: [UInt8], last: Bool) {
        guard case .serving(let kind, let credits, _, false)? = streams[id] else { return }
        guard last || kind == .stream else { return }
        if kind == .fireAndForget {
            streams[id] = nil
            return
        }
        streams[id] = .serving(kind, credits: credits, waiting: message, answered: last)
        release(id)
    }

    private mutating func release(_ id: UInt32) {
        guard case .serving(let kind, let credits, let message?, let answered)? = streams[id], credits > 0
        else { return }
        told[id, default: []].append(String(decoding: message, as: UTF8.self) + (answered ? "." : ""))
        streams[id] = answered ? nil : .serving(kind, credits: credits - 1, waiting: nil, answered: false)
    }

    mutating func fail(_ id: UInt32) {
        guard case .serving(let kind, _, _, false)? = streams[id] else { return }
        streams[id] = nil
        if kind != .fireAndForget { told[id, default: []].append("!") }
    }
}

/// What a client makes of the frames: fragments joined, per stream.
private func told(by output: [UInt8]) throws -> [UInt32: [String]] {
    var splitter = FrameSplitter(limitBytes: FrameWriter.maximumFrameBytes)
    var offset = 0
    var parts: [UInt32: [UInt8]] = [:]
    var result: [UInt32: [String]] = [:]
    while case .inPlace(let range)? = try splitter.next(in: output.span, from: &offset) {
        let bytes = Array(output[range])
        let frame = try Frame(bytes.span)
        switch frame.body {
        case .payload(let payload):
            parts[frame.streamID, default: []] += bytes[payload.data]
            #expect(payload.data.count <= 10)
            guard !frame.flags.contains(.follows) else { continue }
            #expect(frame.flags.contains(.next))
            let text = String(decoding: parts.removeValue(forKey: frame.streamID) ?? [], as: UTF8.self)
            result[frame.streamID, default: []].append(text + (frame.flags.contains(.complete) ? "." : ""))
        case .error: result[frame.streamID, default: []].append("!")
        case .setup, .lease, .keepalive, .request, .requestN, .cancel, .metadataPush, .resume, .resumeOK,
            .ignored:
            Issue.record("unexpected \(frame)")
        }
    }
    return result
}

/// One random step taken by both.
private struct Duel: ~Copyable {
    var script = SessionScript.open(messageBytes: 1 << 20, streams: 6, outputBytes: 1 << 20)
    var model = NaiveSession(limit: 6)
    var dice: SeededGenerator
    var counter = 0

    mutating func text() -> [UInt8] {
        counter += 1
        return Array("\(counter)-".utf8)
            + [UInt8](repeating: 0x78, count: Int.random(in: 0...40, using: &dice))
    }

    mutating func step() {
        let id = UInt32(Int.random(in: 0..<12, using: &dice) * 2 + 1)
        let follows = Int.random(in: 0..<3, using: &dice) == 0
        switch Int.random(in: 0..<12, using: &dice) {
        case 0..<4: request(id, follows: follows)
        case 4..<6:
            let data = text()
            let action = script.send {
                $0.payload(on: id, follows ? .follows : .next, metadata: nil, data: data.span)
            }
            let whole = model.fragment(id, data: data, follows: follows)
            if case .serveJoined(id, _, let parts) = action {
                #expect(parts.data == whole)
            } else {
                #expect(whole == nil)
            }
        case 6:
            let credits = UInt32.random(in: 1...3, using: &dice)
            #expect(script.send { $0.requestN(credits, on: id) } == .none)
            model.grant(id, Int(credits))
        case 7:
            let action = script.send { $0.cancel(id) }
            #expect(action == (model.cancel(id) ? .abandon(id) : .none))
        case 8:
            script.session.failed(id, .applicationError, "X: y", into: &script.output)
            model.fail(id)
        case 9:
            let message = text()
            script.session.next(id, metadata: nil, message: message, into: &script.output)
            model.item(id, message, last: false)
        default:
            let message = text()
            script.session.answered(id, metadata: nil, message: message, into: &script.output)
            model.item(id, message, last: true)
        }
    }

    private mutating func request(_ id: UInt32, follows: Bool) {
        let kind = RequestKind.allCases.randomElement(using: &dice)!
        let credits = UInt32.random(in: 1...2, using: &dice)
        let hasCredits = kind == .stream || kind == .channel
        let data = text()
        let action = script.send {
            $0.request(
                kind, on: id, flags: follows ? .follows : [], initialCredits: hasCredits ? credits : nil,
                metadata: nil, data: data)
        }
        let served = model.request(
            id, kind, credits: hasCredits ? Int(credits) : 1, data: data, follows: follows)
        if case .serve(id, kind, let payload) = action {
            #expect(served && payload.data.count == data.count)
        } else {
            #expect(!served && action == .none)
        }
    }
}

@Test(arguments: 0..<20) func aLongRandomScriptTellsClientsWhatTheNaiveSessionTells(seed: UInt64) throws {
    var duel = Duel(dice: SeededGenerator(seed: seed))
    // Every other one lends what it can, from one length or another.
    if !seed.isMultiple(of: 2) { duel.script.output = FrameWriter(smallestLentBytes: Int(seed) / 2) }
    for _ in 0..<1500 { duel.step() }
    duel.script.output.join()
    let output = duel.script.output.bytes
    let model = duel.model
    #expect(try told(by: output) == model.told)
    let isIdle = duel.script.session.isIdle
    #expect(isIdle == !model.isServing)
}

@Test func mutatedFramesNeverTrap() {
    var dice = SeededGenerator(seed: 7)
    for _ in 0..<300 {
        var script = SessionScript.open()
        for _ in 0..<60 {
            var writer = FrameWriter()
            let kind = RequestKind.allCases.randomElement(using: &dice)!
            writer.request(
                kind, on: UInt32.random(in: 0...5, using: &dice),
                flags: FrameFlags(rawValue: UInt16.random(in: 0...0x3ff, using: &dice)).subtracting(
                    .metadata),
                initialCredits: kind == .stream ? 1 : nil, metadata: [1, 2, 3], data: [4, 5])
            var frame = Array(writer.bytes.dropFirst(3))
            for _ in 0..<Int.random(in: 0...2, using: &dice) {
                frame[Int.random(in: 0..<frame.count, using: &dice)] = UInt8.random(in: 0...255, using: &dice)
            }
            let action = script.session.received(frame.span, at: script.now, into: &script.output)
            if case .serve(let id, _, let payload) = action {
                #expect(payload.data.upperBound <= frame.count)
                script.session.answered(id, metadata: nil, message: [1], into: &script.output)
            }
        }
    }
}
