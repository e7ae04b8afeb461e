import Testing

import PorticoWire
import TestSupport

/// All frames of `pieces`, fed one after the other.
private func frames(in pieces: [[UInt8]], limitBytes: Int = 1 << 16) throws(WireError) -> [[UInt8]] {
    var splitter = FrameSplitter(limitBytes: limitBytes)
    var found: [[UInt8]] = []
    for piece in pieces {
        var offset = 0
        while let frame = try splitter.next(in: piece.span, from: &offset) {
            switch frame {
            case .inPlace(let range): found.append(Array(piece[range]))
            case .joined(let bytes): found.append(bytes)
            }
        }
    }
    return found
}

private func prefixed(_ frames: [[UInt8]]) -> [UInt8] {
    frames.flatMap { [UInt8($0.count >> 16), UInt8($0.count >> 8 & 0xff), UInt8($0.count & 0xff)] + $0 }
}

private let three: [[UInt8]] = [[1, 2, 3], [], [4, 5, 6, 7, 8, 9, 10]]

@Test func framesInOnePieceAreFoundInPlace() throws {
    let stream = prefixed(three)
    var splitter = FrameSplitter(limitBytes: 7)
    var offset = 0
    #expect(try splitter.next(in: stream.span, from: &offset) == .inPlace(3..<6))
    #expect(try splitter.next(in: stream.span, from: &offset) == .inPlace(9..<9))
    #expect(try splitter.next(in: stream.span, from: &offset) == .inPlace(12..<19))
    #expect(try splitter.next(in: stream.span, from: &offset) == nil)
    let isInside = splitter.isInsideFrame
    #expect(!isInside)
}

@Test(arguments: 0...prefixed(three).count) func framesSplitAtAnyByteAreTheSame(at split: Int) throws {
    let stream = prefixed(three)
    #expect(try frames(in: [Array(stream[..<split]), Array(stream[split...])]) == three)
}

@Test func framesFedByteByByteAreTheSame() throws {
    #expect(try frames(in: prefixed(three).map { [$0] }) == three)
}

@Test(arguments: 1..<prefixed(three).count) func aTruncatedStreamGivesOnlyWholeFrames(count: Int) throws {
    let found = try frames(in: [Array(prefixed(three)[..<count])])
    #expect(found == Array(three.prefix(found.count)) && found.count < three.count)
}

@Test(arguments: [8, 1 << 20]) func aLengthOverTheLimitIsRefusedBeforeItsBytesCome(declared: Int) {
    let prefix = prefixed([[UInt8](repeating: 0, count: declared)]).prefix(3)
    #expect(throws: WireError.frameTooLong(declared: declared, limit: 7)) {
        try frames(in: [Array(prefix)], limitBytes: 7)
    }
}

@Test func aFrameOfExactlyTheLimitPasses() throws {
    #expect(try frames(in: [prefixed([[1, 2, 3, 4, 5, 6, 7]])], limitBytes: 7).count == 1)
}

@Test func anUnfinishedFrameIsKnownAsSuch() throws {
    var splitter = FrameSplitter(limitBytes: 100)
    var offset = 0
    #expect(try splitter.next(in: [0].span, from: &offset) == nil)
    let isInside = splitter.isInsideFrame
    #expect(isInside)
}

@Test func randomPiecesOfRandomFramesComeOutWhole() throws {
    var dice = SeededGenerator(seed: 2)
    for _ in 0..<200 {
        let sent = (0..<Int.random(in: 1...20, using: &dice)).map { _ in
            [UInt8](
                repeating: UInt8.random(in: 0...255, using: &dice),
                count: Int.random(in: 0...300, using: &dice))
        }
        var rest = prefixed(sent)[...]
        var pieces: [[UInt8]] = []
        while !rest.isEmpty {
            let count = min(rest.count, Int.random(in: 1...400, using: &dice))
            pieces.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        #expect(try frames(in: pieces) == sent)
    }
}
