import TestSupport
import Testing

@testable import PorticoTranscode

/// The lane reads a list of messages record behind record, hands over what it does not know, and takes up behind it.
@Suite struct RecordRunTests {
    private static let elements = [
        #"{"name":"Yoda","height":66,"films":["I","II"]}"#, #"{"name":"Leia"}"#,
        #"{"name":"é","eyes":"brown"}"#,
        #"{"height":7,"name":"x\n","films":[]}"#, #"{"name":"x","films":["é","\u00e9",""]}"#,
        #"{ "name" : "x" , "height" : 66 }"#, "{\n  \"name\": \"x\"\n}",
        #"{"name":"x","unknown":[1,{}],"height":1}"#,
        #"{"unknown":null,"name":"x"}"#,
        #"{"name":"x","images":{"small":"s","size":{"width":3}},"height":5}"#,
        #"{"name":"x","friends":[{"name":"y"},{"name":"z","height":1}],"height":2}"#,
        #"{"name":"x","name":"y"}"#, #"{"name":"x","films":["a"],"films":["b"]}"#,
        #"{"name":"x","height":null}"#,
        #"{"name":"\#(String(repeating: "long ", count: 20))"}"#,
        #"{"name":"\#(String(repeating: "lông ", count: 60))","height":1}"#,
        #"{"name":"x","scores":[1,-2],"weights":[0.5],"answers":[true],"height":12345678}"#,
        // These are left out.
        "{}", "null", "7", #"{"height":1}"#, #"{"name":"x","height":"tall"}"#,
        #"{"name":"x","films":["a",{}]}"#,
        #"{"name":"x","friends":[{"name":"y"}],"height":-1}"#, #"{"name":"x","text":"a","number":1}"#,
    ]

    @Test(arguments: 0..<40 as Range<UInt64>) func aListIsWhatItsElementsAre(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let alone = try Self.elements.map { try decode(Self.list([$0]), as: TestSchema.people, mode: .lossy) }
        for count in [1, 2, 3, 10, 300] {
            let picks = (0..<count).map { _ in Self.elements.indices.randomElement(using: &random) ?? 0 }
            let list = Self.list(picks.map { Self.elements[$0] })
            let decoded = try decode(list, as: TestSchema.people, mode: .lossy)
            #expect(decoded.bytes == picks.flatMap { alone[$0].bytes }, "\(picks)")
            #expect(decoded.skippedItems == picks.reduce(0) { $0 + alone[$1].skippedItems })
            let isWhole = picks.allSatisfy { alone[$0].skippedItems == 0 }
            #expect((fault(list, as: TestSchema.people, mode: .strict) == nil) == isWhole)
        }
    }

    /// A length of one byte, of two, of three, one after the other: each moves what was written for the one before.
    @Test func recordsOfAnyLengthFollowEachOther() throws {
        var random = SeededGenerator(seed: 7)
        let lengths = (0..<200).map { _ in [3, 120, 130, 16_370, 16_390].randomElement(using: &random) ?? 0 }
        let texts = lengths.map { String(repeating: "n", count: $0) }
        let elements = texts.map { #"{"name":"\#($0)","height":1}"# }
        let whole = try decode(Self.list(elements), as: TestSchema.people)
        let alone = try elements.flatMap { try decode(Self.list([$0]), as: TestSchema.people).bytes }
        #expect(whole.bytes == alone)
    }

    /// With white space behind it, so that the lane reads to its end.
    private static func list(_ elements: [String]) -> [UInt8] {
        Array(#"{"results":[\#(elements.joined(separator: ","))]}"#.utf8) + Array(repeating: 0x20, count: 120)
    }
}
