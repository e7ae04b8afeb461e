import PorticoWire
import TestSupport
import Testing

@Suite struct QuickAnswersTests {
    private let now = Instant(nanoseconds: 1_000_000_000)
    private let answer: [UInt8] = [0, 0, 7, 0, 0, 0, 0, 0x28, 0x60, 65]

    private func request(_ page: UInt8, on id: UInt32 = 1) -> [UInt8] {
        var writer = FrameWriter()
        writer.request(.response, on: id, metadata: [1, 2], data: [8, page])
        return Array(writer.bytes.dropFirst(3))
    }

    private func terms(
        _ isAuthenticated: Bool = true, _ generation: UInt64 = 5, after delay: Duration = .zero
    ) -> QuickAnswers.Terms {
        QuickAnswers.Terms(isAuthenticated: isAuthenticated, generation: generation, now: now + delay)
    }

    private func kept(_ page: UInt8 = 1, in limitBytes: Int = 1 << 20) -> QuickAnswers {
        var answers = QuickAnswers(limitBytes: limitBytes)
        answers.keep(
            answer, for: request(page).span, terms(), until: now + .seconds(1))
        return answers
    }

    @Test func theSameRequestOnAnyStreamIsAnsweredOnThatStream() throws {
        let answers = kept()
        let again = answers.answer(to: request(1, on: 77).span, terms())
        let found = try #require(again)
        var output = FrameWriter([9])
        answers.write(found, on: 77, into: &output)
        #expect(output.bytes == [9, 0, 0, 7, 0, 0, 0, 77, 0x28, 0x60, 65])
    }

    @Test func anotherRequestCallerGenerationOrTimeIsNot() {
        let answers = kept()
        func isAnswered(
            _ page: UInt8 = 1, _ isAuthenticated: Bool = true, _ generation: UInt64 = 5,
            _ delay: Duration = .milliseconds(999)
        ) -> Bool {
            answers.answer(to: request(page).span, terms(isAuthenticated, generation, after: delay)) != nil
        }
        #expect(isAnswered())
        #expect(!isAnswered(2))
        #expect(!isAnswered(1, false))
        #expect(!isAnswered(1, true, 6))
        #expect(!isAnswered(1, true, 5, .seconds(1)))
    }

    @Test func fullItBeginsAnewAndStaysBelowItsLimit() {
        let needed = request(1).count - 4 + answer.count
        var answers = kept(1, in: 2 * needed)
        for page in 2...3 as ClosedRange<UInt8> {
            answers.keep(
                answer, for: request(page).span, terms(), until: now + .seconds(1))
        }
        let found = (1...3 as ClosedRange<UInt8>).map { page in
            answers.answer(to: request(page).span, terms()) != nil
        }
        #expect(found == [false, false, true])
        answers.keep(
            [UInt8](repeating: 1, count: 2 * needed), for: request(4).span, terms(), until: now + .seconds(1))
        let tooLarge = answers.answer(to: request(4).span, terms())
        #expect(tooLarge == nil)
    }

    /// Against a dictionary: it may have forgotten, but never answers with something else.
    @Test func aLongRandomHistoryNeverGivesAnotherRequestsAnswer() {
        var random = SeededGenerator(seed: 3)
        var answers = QuickAnswers(limitBytes: 1 << 14, seed: 1)
        var model: [[UInt8]: [UInt8]] = [:]
        for _ in 0..<20_000 {
            let length = Int.random(in: 9...60, using: &random)
            var frame = [UInt8](repeating: 0, count: length)
            frame[length - 1] = UInt8.random(in: 0...7, using: &random)
            frame[length / 2] = UInt8.random(in: 0...3, using: &random)
            if Bool.random(using: &random) {
                let answer = (0..<12).map { _ in UInt8.random(in: 0...255, using: &random) }
                model[frame] = answer
                answers.keep(
                    answer, for: frame.span, terms(false), until: now + .seconds(1))
            } else if let found = answers.answer(to: frame.span, terms(false)) {
                var output = FrameWriter()
                answers.write(found, on: 0, into: &output)
                #expect(output.bytes[7...] == model[frame]?[7...])
            }
        }
    }
}
