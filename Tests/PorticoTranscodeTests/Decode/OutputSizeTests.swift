import PorticoSchema
import TestSupport
import Testing

@testable import PorticoTranscode

/// Long records are written where they are to stay, in room that is guessed.
@Suite struct OutputSizeTests {
    private static let decoder = RecordDecoder(
        schema: TestSchema.schema, message: TestSchema.people, options: DecodeOptions(mode: .lossy))

    private static let documents: [[UInt8]] =
        LaneTests.documents.map { Array(#"{"results":[\#($0),\#($0)]}"#.utf8) }
        + [
            list(count: 40, #"{"name":"Yoda","height":66,"films":["I","II",""],"eyes":"brown"}"#),
            list(
                count: 40,
                #"{"name":"x","scores":[1,-2,300],"weights":[0.5,1,2,3,4,5,6,7,8,9],"answers":[true]}"#),
            list(count: 9, #"{"name":"\#(String(repeating: "long ", count: 90))","films":["é","\u00e9\n"]}"#),
            list(count: 9, #"{"name":"\#(String(repeating: "lông\n ", count: 90))","unknown":{"a":[1]}}"#),
            list(
                count: 9,
                #"{ "name" : "\#(String(repeating: "\\u00e9", count: 90))", "friends" : [{"name":"y"}]}"#),
        ]

    @Test(arguments: documents.indices) func aRecordDoesNotDependOnTheRoomThatWasGuessed(index: Int) {
        let json = Self.documents[index] + Array(repeating: 0x20, count: 120)
        let expected = Result { () throws(TranscodeError) in try Self.decoder.decode(json.span) }
        for capacity in [0, 64, 65, 80, 81, 96, 97, 130, 200, 333, 500, 777, 1_000, 2_000, 4_000, 100_000] {
            let decoded = Result { () throws(TranscodeError) in
                try Self.decoder.decode(json.span, capacity: capacity)
            }
            #expect(decoded == expected, "\(capacity) bytes of room")
        }
    }

    @Test func roomIsGuessedFromTheRecordBefore() {
        let size = OutputSize()
        #expect(size.estimate(1 << 20) == nil)
        size.learn(500_000, of: 1 << 20)
        let room = size.estimate(1 << 21) ?? 0
        #expect((1_000_000...1_100_000).contains(room))
        #expect(size.estimate(OutputSize.leastBytes - 1) == nil)
        size.learn(1, of: 100)
        #expect(size.estimate(1 << 21) == room)
    }

    @Test func longListsAreTheSameTheSecondTime() throws {
        let json = Self.list(count: 6_000, #"{"name":"Yoda","height":66,"films":["I","II"],"eyes":"brown"}"#)
        let first = try Self.decoder.decode(json.span)
        let second = try Self.decoder.decode(json.span)
        #expect(first == second)
        // A list of another kind: the guess is far off, and nothing is kept that is empty.
        let sparse = Self.list(
            count: 6_000, #"{"name":"Y","unknown":"\#(String(repeating: "x", count: 90))"}"#)
        let other = try Self.decoder.decode(sparse.span)
        #expect(other.bytes.capacity < other.bytes.count * 5 / 4)
        #expect(try other == Self.decoder.decode(sparse.span))
        #expect(try first == Self.decoder.decode(json.span))
    }

    private static func list(count: Int, _ element: String) -> [UInt8] {
        let elements = Array(repeating: element, count: count).joined(separator: ",")
        return Array(#"{"results":[\#(elements)]}"#.utf8)
    }
}
