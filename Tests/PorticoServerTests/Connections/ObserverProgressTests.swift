import TestSupport
import Testing

@testable import PorticoServer

@Suite struct ObserverProgressTests {
    private static func mark(_ content: UInt8, stale: Bool = false) -> ObserverProgress.Mark {
        .init(cursor: [content], isStale: stale)
    }

    @Test func theClientGetsNothingThatItHas() {
        var progress = ObserverProgress(resuming: [], showsAge: false)
        #expect(progress.told(Self.mark(1), version: 1, isWaiting: false) == .offer)
        #expect(progress.told(Self.mark(1, stale: true), version: 2, isWaiting: false) == .nothing)
        #expect(progress.told(Self.mark(2), version: 3, isWaiting: false) == .offer)
        #expect(progress.told(Self.mark(3), version: 4, isWaiting: true) == .offer)
        #expect(progress.told(Self.mark(1), version: 5, isWaiting: true) == .withdraw)
        #expect(progress.told(Self.mark(1), version: 6, isWaiting: false) == .nothing)
        #expect(progress.told(Self.mark(2), version: 7, isWaiting: false) == .offer)
    }

    @Test func anOlderAnswerThatComesLaterIsDropped() {
        var progress = ObserverProgress(resuming: [], showsAge: false)
        #expect(progress.told(Self.mark(2), version: 2, isWaiting: false) == .offer)
        #expect(progress.told(Self.mark(1), version: 1, isWaiting: false) == .nothing)
        progress.startsAgain()
        #expect(progress.told(Self.mark(1), version: 1, isWaiting: false) == .offer)
    }

    @Test func aResumedObserverHearsOfADifferenceOnly() {
        var progress = ObserverProgress(resuming: [7], showsAge: true)
        #expect(progress.told(Self.mark(7, stale: true), version: 1, isWaiting: false) == .nothing)
        #expect(progress.told(Self.mark(7), version: 2, isWaiting: false) == .offer)
        var other = ObserverProgress(resuming: [7], showsAge: false)
        #expect(other.told(Self.mark(8), version: 1, isWaiting: false) == .offer)
        #expect(other.told(Self.mark(7), version: 2, isWaiting: false) == .offer)
    }

    @Test func ageIsShownToThoseWhoAsked() {
        var progress = ObserverProgress(resuming: [], showsAge: true)
        #expect(progress.told(Self.mark(1), version: 1, isWaiting: false) == .offer)
        #expect(progress.told(Self.mark(1, stale: true), version: 2, isWaiting: false) == .offer)
        #expect(progress.told(Self.mark(1), version: 3, isWaiting: true) == .withdraw)
    }

    /// Whatever the credits, the client never gets the same twice in a row, and at the end has what was told last.
    @Test(arguments: 0..<20) func theClientEndsUpWithTheLastAnswer(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var progress = ObserverProgress(resuming: [], showsAge: Bool.random(using: &random))
        var (waiting, received): (UInt8?, [UInt8]) = (nil, [])
        var last: UInt8 = 0
        for version in 1...500 {
            last = UInt8.random(in: 0..<4, using: &random)
            let decision = progress.told(
                Self.mark(last), version: UInt64(version), isWaiting: waiting != nil)
            switch decision {
            case .nothing: break
            case .offer: waiting = last
            case .withdraw: waiting = nil
            }
            if Bool.random(using: &random), let item = waiting {
                received.append(item)
                waiting = nil
            }
            #expect((waiting ?? received.last) == last)
        }
        #expect(zip(received, received.dropFirst()).allSatisfy { $0 != $1 })
    }
}
