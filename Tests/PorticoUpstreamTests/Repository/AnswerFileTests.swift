import PorticoUpstream
import TestSupport
import Testing

@Suite struct AnswerFileTests {
    private static let start = ContinuousClock.now

    private static func answer(_ change: (inout StoredAnswer) -> Void) -> StoredAnswer {
        var answer = StoredAnswer(message: [8, 1], skippedItems: 0, fetchedAt: start)
        change(&answer)
        return answer
    }

    private static let answers = [
        answer { _ in },
        answer { $0.message = [] },
        answer { $0.skippedItems = 300 },
        answer { $0.validators = Validators(entityTag: "\"v\"", lastModified: "then") },
        answer { $0.said = CacheControl(lifetime: .zero) },
        answer { $0.said = CacheControl(lifetime: .milliseconds(1500)) },
        answer {
            $0.message = [UInt8](repeating: 7, count: 1000)
            $0.skippedItems = 1
            $0.validators = Validators(entityTag: "v")
            $0.said = CacheControl(lifetime: .seconds(60))
        },
    ]

    @Test func theDocumentedExampleIsWhatIsWritten() {
        #expect(AnswerFile.encode(Self.answers[0]) == [0x0a, 0x02, 0x08, 0x01])
    }

    @Test(arguments: answers.indices) func whatIsWrittenIsReadAgain(index: Int) {
        let data = AnswerFile.encode(Self.answers[index])
        #expect(AnswerFile.decode(data, fetchedAt: Self.start) == Self.answers[index])
        // A later version may add fields: 15, as a varint.
        #expect(AnswerFile.decode(data + [0x78, 1], fetchedAt: Self.start) == Self.answers[index])
    }

    @Test func dataCutInsideAFieldIsNotRead() {
        let data = AnswerFile.encode(Self.answers[1 + 5])
        #expect(AnswerFile.decode(Array(data.prefix(500)), fetchedAt: Self.start) == nil)
        #expect(AnswerFile.decode([0x0a], fetchedAt: Self.start) == nil)
        #expect(AnswerFile.decode([0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f], fetchedAt: Self.start) == nil)
    }

    @Test func noBytesWhateverTheyAreDoHarm() {
        var dice = SeededGenerator(seed: 11)
        let data = AnswerFile.encode(Self.answers[3])
        for _ in 0..<5_000 {
            var damaged = data
            damaged[Int.random(in: damaged.indices, using: &dice)] = UInt8.random(in: 0...255, using: &dice)
            _ = AnswerFile.decode(damaged, fetchedAt: Self.start)
        }
    }
}
