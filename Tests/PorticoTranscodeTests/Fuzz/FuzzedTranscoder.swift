import PorticoSchema
import PorticoTranscode

/// What must hold of any bytes at all: no trap, no read out of bounds, and whatever comes out can be read. `Tests/Fuzz/run`
/// feeds it what libFuzzer invents; the tests feed it what was kept of that.
///
/// The first byte of an input chooses the message and the mode, the rest is the JSON: `\u{1}{"name":"Yoda"}` is a
/// `t.Person`, read strictly.
struct FuzzedTranscoder {
    enum Violation: Error {
        /// The decoder's record is not a message.
        case unreadable(TranscodeError)
        /// The record's JSON is not JSON, or not that of the record.
        case differsOnTheWayBack
        /// A fault's place lies outside the input.
        case misplaced(TranscodeError)
        /// Written in little room, the record is another.
        case dependsOnRoom
    }

    private struct Subject {
        let decoder: RecordDecoder
        let encoder: RecordEncoder
        let layout: MessageLayout
        /// Its JSON can be read back: no field has a `path` of its own, which only the upstream's JSON follows.
        let isSymmetric: Bool

        init(_ message: MessageID, _ mode: DecodeOptions.Mode, isSymmetric: Bool) {
            decoder = RecordDecoder(
                schema: TestSchema.schema, message: message,
                options: DecodeOptions(mode: mode, maximumDepth: 30))
            encoder = RecordEncoder(schema: TestSchema.schema, message: message)
            layout = MessageLayout(schema: TestSchema.schema, message: message)
            self.isSymmetric = isSymmetric
        }
    }

    private let subjects: [Subject]

    init() {
        subjects = [(TestSchema.all, true), (TestSchema.person, false), (TestSchema.people, false)].flatMap {
            message, isSymmetric in
            [
                Subject(message, .lossy, isSymmetric: isSymmetric),
                Subject(message, .strict, isSymmetric: isSymmetric),
            ]
        }
    }

    /// - Returns: whether the input was read; most are refused.
    @discardableResult
    func check(_ input: Span<UInt8>) throws(Violation) -> Bool {
        guard input.count > 0 else { return false }
        let subject = subjects[Int(input[0]) % subjects.count]
        let json = input.extracting(1..<input.count)
        let decoded: DecodedMessage
        do throws(TranscodeError) { decoded = try subject.decoder.decode(json) } catch {
            if let offset = error.offset, offset > json.count { throw .misplaced(error) }
            return false
        }
        let inLittleRoom = try? subject.decoder.decode(json, capacity: json.count / 2)
        guard inLittleRoom == decoded else { throw .dependsOnRoom }
        let record = decoded.bytes
        let isFaithful: Bool
        do throws(TranscodeError) { isFaithful = try survives(record, subject) } catch {
            throw .unreadable(error)
        }
        guard isFaithful else { throw .differsOnTheWayBack }
        return true
    }

    /// Whether the record says the same after a way through JSON and back.
    private func survives(_ record: [UInt8], _ subject: Subject) throws(TranscodeError) -> Bool {
        var text: [UInt8] = []
        try subject.encoder.encode(record.span, into: &text)
        let canonical = try subject.layout.canonical(record.span)
        guard subject.isSymmetric else { return true }
        let again = try subject.decoder.decode(text.span).bytes
        // Compared by way of JSON, in which every NaN is one.
        var textAgain: [UInt8] = []
        try subject.encoder.encode(again.span, into: &textAgain)
        return textAgain == text && again.count == canonical.count
    }
}
