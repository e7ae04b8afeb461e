import PorticoSchema
import Testing

@testable import PorticoServer

private func key(_ number: UInt8) -> DeflatedAnswers.Key {
    DeflatedAnswers.Key(method: MethodID(0), request: [number])
}

private func pair(_ byte: UInt8, count: Int = 90) -> DeflatedAnswers.Pair {
    DeflatedAnswers.Pair(
        plain: [UInt8](repeating: byte, count: count), packed: [UInt8](repeating: byte, count: 10))
}

@Test func aDeflatedAnswerIsFoundForTheSamePlainOneOnly() {
    var answers = DeflatedAnswers()
    answers.keep(pair(1), for: key(1))
    #expect(answers.pair(for: key(1), plain: pair(1).plain)?.packed == pair(1).packed)
    #expect(answers.pair(for: key(1), plain: pair(2).plain) == nil)
    #expect(answers.pair(for: key(2), plain: pair(1).plain) == nil)
}

@Test func theOldestGoesWhenRoomRunsOut() {
    var answers = DeflatedAnswers(limitBytes: 300)
    for number in 1...4 as ClosedRange<UInt8> { answers.keep(pair(number), for: key(number)) }
    #expect(answers.byteCount == 300)
    #expect(answers.pair(for: key(1), plain: pair(1).plain) == nil)
    #expect(answers.pair(for: key(4), plain: pair(4).plain) != nil)
}

@Test func aChangedAnswerTakesThePlaceOfItsOldForm() {
    var answers = DeflatedAnswers(limitBytes: 300)
    for byte in 1...9 as ClosedRange<UInt8> { answers.keep(pair(byte), for: key(1)) }
    #expect(answers.byteCount == 100)
    #expect(answers.pair(for: key(1), plain: pair(9).plain) != nil)
}

@Test func whatIsLargerThanAllTheRoomIsNotKept() {
    var answers = DeflatedAnswers(limitBytes: 50)
    answers.keep(pair(1), for: key(1))
    #expect(answers.byteCount == 0)
}
