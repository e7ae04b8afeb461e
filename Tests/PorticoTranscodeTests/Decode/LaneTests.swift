import PorticoSchema
import PorticoWire
import TestSupport
import Testing

@testable import PorticoTranscode

/// The fast lane gives up near the end of the input: with white space behind it a document is read in the lane, without
/// it by the careful reader. Both must agree, on records and on faults.
@Suite struct LaneTests {
    static let documents = [
        #"{"name":"Yoda","height":66,"eyes":"brown","films":["I","II"],"number":"896"}"#,
        #"{ "name" : "Yoda" , "height" : 66 , "films" : [ "I" , "" , "III" ] }"#,
        "{\n\t\"films\": [],\r\n  \"height\": 12,\n  \"name\": \"R\\u00e9n\\ud83d\\ude00\\n\\/\\\"\"\n}",
        #"{"height":null,"films":null,"name":"Ж日本語😀é","eye_color":"","height":7}"#,
        #"{"name":"a","films":["1234567","12345678","123456789","1234567890123456","12345678901234567"]}"#,
        #"{"name":"\#(String(repeating: "long ", count: 30))","films":["\#(String(repeating: "é", count: 70))"]}"#,
        #"{"name":"x","images":{"small":"s.png","large":null,"size":{"width":-3}},"friends":[{"name":"y"}]}"#,
        #"{"name":"x","height":"66","eyeColor":"red","unknown":{"a":[1,2]}}"#,
        #"{"name":"x","height":4294967295}"#, #"{"name":"x","height":4294967296}"#,
        #"{"name":"x","height":-1}"#, #"{"name":"x","height":01}"#, #"{"name":"x","height":1.0}"#,
        #"{"name":"x","height":1.}"#, #"{"name":"x","height":1e1}"#, #"{"name":"x","height":12x}"#,
        #"{"name":"x",}"#, #"{"name":"x","name":"y"}"#, #"{"name":"x" "height":1}"#,
        #"{"name":"x","films":["a",]}"#,
        #"{"name":"x","films":["a" "b"]}"#, #"{"name":"x","films":["a",null]}"#,
        #"{"name":"x","films":[1,"a"]}"#,
        #"{"name":"\x","height":1}"#, #"{"name":"\ud800","height":1}"#, #"{"name":"\u12g4","height":1}"#,
        "{\"name\":\"a\u{1}b\",\"height\":1}", "{\"name\":\"a\tb\",\"height\":1}",
        #"{"height":nulL,"name":"x"}"#,
        #"{"scores":[],"weights":[1.5,-0,2e3],"name":"x","answers":[true,false],"scores":[-1,300000,7]}"#,
        #"{ "name" : "x" , "scores" : [ 1 , -2 ] , "answers" : [ true ] , "weights" : [ 0.25 ] }"#,
        #"{"name":"x","scores":[\#((0..<90).map { String($0 * 7) }.joined(separator: ","))],"height":1}"#,
        #"{"name":"x","scores":[1,null]}"#, #"{"name":"x","scores":[1,]}"#, #"{"name":"x","scores":[1 2]}"#,
        #"{"name":"x","answers":[tru]}"#, #"{"name":"x","scores":["7"]}"#, #"{"name":"x","scores":[1.5]}"#,
        #"{"name":"x","text":"a","height":1}"#, #"{"number":1,"name":"x","text":null}"#,
        #"{"name":"x","text":"a","number":1}"#, #"{"name":"x","number":1,"text":"a"}"#,
        #"{"name":"x","twenty_nine_bytes_and_no_more":"a","thirty_bytes_and_therefore_slow":"b"}"#,
        "{\"thirty_bytes_and_therefore_slow\" : \"b\",\"twenty_nine_bytes_and_no_more\"\t:\"a\",\"name\"  :  \"x\"}",
        #"{"twenty_nine_bytes_xxd_no_more":"a","seventeen_lexters":1,"seventeen_letters":2,"name":"x"}"#,
        #"{"name":"x","images":{"small":"s"},"images":null}"#, #"{"name":"x","friends":[{}],"friends":null}"#,
        #"{"name":"x","films":["a"],"films":null,"height":1,"height":null}"#,
        #"{"name" "x"}"#, #"{"name" ; "x"}"#, #"{"name"::"x"}"#, "{\"name\"\u{1}:\"x\"}",
        #"{"name":"\u00E9\u00e9\uFFFF\u0000\u007f\u0080\u07ff\u0800\ud7ff\ue000\udbff\udfff","height":1}"#,
        #"{"name":"\ud83d\n","height":1}"#, #"{"name":"\udc00","height":1}"#, #"{"name":"\ud83dxxxxxxx"}"#,
        "{\"name\":\u{0}x\",\"height\":1}", "{\"name\":\"x\",\"images\":\u{0}x\",\"height\":1}",
        "{\"name\":\"x\",\"height\":\u{0}x\",\"films\":\u{0}\"x\"]}",
        #"{"name":"\u00 9"}"#, #"{"name":"\u00e/"}"#, #"{"name":"\U00e9"}"#, #"{"name":"\0"}"#,
        #"{"name"\#(String(repeating: " ", count: 40)):  "x"}"#,
    ]

    @Test(arguments: documents) func aRecordDoesNotDependOnWhatFollowsIt(document: String) {
        let alone = outcome(Array(document.utf8))
        for count in [1, 8, 33, 40, 64, 200] {
            let padded = Array(document.utf8) + Array(repeating: UInt8(ascii: " "), count: count)
            #expect(outcome(padded) == alone, "\(count) spaces behind \(document)")
        }
    }

    @Test(arguments: [
        #"{"results":[{"name":"x","films":["a"]}]}"#, #"{"results":[{"name":"x","scores":[1]}]}"#,
        #"{"results":[{"name":"x","films":[]}]}"#, #"{"best":{"name":"x","friends":[{"name":"y"}]}}"#,
    ])
    func listsInTheLaneCountAsDepth(document: String) {
        for count in [0, 200] {
            let json = Array(document.utf8) + Array(repeating: UInt8(ascii: " "), count: count)
            func decode(_ depth: Int) throws(TranscodeError) -> DecodedMessage {
                try RecordDecoder(
                    schema: TestSchema.schema, message: TestSchema.people,
                    options: DecodeOptions(maximumDepth: depth)
                ).decode(json.span)
            }
            #expect(throws: Never.self) { try decode(4) }
            #expect(throws: TranscodeError.self) { try decode(3) }
        }
    }

    /// Sets of fields are words of 64 bits, of which one may be the taps'.
    @Test(arguments: 61...65) func ofManyFieldsTooTheLastValueCounts(slot: Int) throws {
        let fields = (0..<66).map {
            TestSchema.field("f\($0)", $0 + 1, .uint32, oneof: $0 == slot || $0 == 5 ? 0 : nil)
        }
        let message = MessageDescriptor(
            fullName: "t.Wide", fields: fields, oneofs: ["pick"], location: TestSchema.nowhere)
        let decoder = RecordDecoder(
            schema: Schema(messages: [message], enums: [], methods: [], fileDescriptorSet: []),
            message: MessageID(0))
        for count in [0, 200] {
            func decode(_ json: String) throws(TranscodeError) -> [UInt8] {
                let spaces = String(repeating: " ", count: count)
                return try decoder.decode(Array((json + spaces).utf8).span).bytes
            }
            let twice = try decode(#"{"f9":7,"f\#(slot)":1,"f\#(slot)":2,"f0":3,"f1":4}"#)
            #expect(try twice == decode(#"{"f9":7,"f\#(slot)":2,"f0":3,"f1":4}"#))
            #expect(throws: TranscodeError.self) { try decode(#"{"f\#(slot)":1,"f5":2,"f0":3}"#) }
            #expect(throws: TranscodeError.self) { try decode(#"{"f5":1,"f\#(slot)":2,"f0":3}"#) }
        }
    }

    @Test(arguments: documents) func aDocumentCutOffAnywhereIsRefused(document: String) {
        let bytes = Array(document.utf8)
        for count in 0..<bytes.count {
            let cut = Array(bytes.prefix(count))
            #expect(fault(cut, as: TestSchema.person) != nil, "\(count) bytes of \(document)")
            // The same with the lane at work: what follows is no JSON.
            let padded = cut + Array(repeating: UInt8(ascii: "x"), count: 100)
            #expect(fault(padded, as: TestSchema.person) != nil, "\(count) bytes of \(document)")
        }
    }

    @Test(arguments: 0..<20 as Range<UInt64>) func textsArriveAsTheyWere(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            let text = (0..<Int.random(in: 0...60, using: &random)).map { _ in Self.scalar(&random) }
            let written = text.map { Bool.random(using: &random) ? Self.escaped($0) : Self.plain($0) }
                .joined()
            let json =
                Array(#"{"name":"x","films":["\#(written)"]}"#.utf8) + Array(repeating: 0x20, count: 64)
            var expected = ProtobufWriter()
            expected.stringField(1, "x")
            expected.stringField(4, String(String.UnicodeScalarView(text)))
            #expect(try decode(json, as: TestSchema.person).bytes == expected.bytes, "\(written)")
        }
    }

    @Test func bytesThatAreNoUTF8AreRefusedWhereverTheyStand() {
        let bad: [[UInt8]] = [
            [0x80], [0xbf], [0xc0, 0x80], [0xc1, 0xbf], [0xc3], [0xe0, 0x9f, 0xbf], [0xed, 0xa0, 0x80],
            [0xe2, 0x82],
            [0xf0, 0x8f, 0xbf, 0xbf], [0xf4, 0x90, 0x80, 0x80], [0xf0, 0x9f, 0x98], [0xf5, 0x80, 0x80, 0x80],
            [0xff],
        ]
        for sequence in bad {
            for before in [0, 1, 6, 7, 8, 15] {
                let start = Array(#"{"name":""#.utf8) + Array(repeating: UInt8(ascii: "a"), count: before)
                let json =
                    start + sequence + Array(#"b","height":1}"#.utf8) + Array(repeating: 0x20, count: 64)
                #expect(
                    fault(json, as: TestSchema.person) == .malformedJSON(.invalidUTF8, offset: start.count),
                    "\(sequence) behind \(before)")
            }
        }
    }

    private func outcome(_ json: [UInt8]) -> Result<DecodedMessage, TranscodeError> {
        do throws(TranscodeError) {
            return .success(try decode(json, as: TestSchema.person))
        } catch { return .failure(error) }
    }

    private static func scalar(_ random: inout SeededGenerator) -> Unicode.Scalar {
        let choices: [ClosedRange<UInt32>] = [
            0x20...0x7e, 0x20...0x7e, 0...0x1f, 0x80...0x7ff, 0x800...0xd7ff, 0x1_0000...0x10_ffff,
        ]
        let range = choices.randomElement(using: &random) ?? 0...0
        return Unicode.Scalar(UInt32.random(in: range, using: &random)) ?? "?"
    }

    private static func plain(_ scalar: Unicode.Scalar) -> String {
        scalar.value < 0x20 || scalar == "\"" || scalar == "\\" ? escaped(scalar) : String(Character(scalar))
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        String(Character(scalar)).utf16.map { unit in
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
    }
}

@Suite struct WordTests {
    @Test func hexadecimalDigitsAreReadWhateverTheirCase() {
        for value in stride(from: 0, through: 0xffff, by: 7) as StrideThrough<UInt32> {
            let digits = String(value, radix: 16)
            let text = String(repeating: "0", count: 4 - digits.count) + digits
            for spelling in [text, text.uppercased()] {
                let word = UInt32(truncatingIfNeeded: Array(spelling.utf8).span.word(at: 0))
                guard word.asHexDigits != value else { continue }
                Issue.record("\(spelling): \(word.asHexDigits ?? 0)")
            }
        }
    }

    @Test(arguments: 0..<4) func whatIsNoHexadecimalDigitIsRefused(place: Int) {
        for byte in 0...255 as ClosedRange<UInt8>
        where !Character(Unicode.Scalar(byte)).isHexDigit || byte > 0x7f {
            var text = Array("0aF9".utf8)
            text[place] = byte
            #expect(UInt32(truncatingIfNeeded: text.span.word(at: 0)).asHexDigits == nil, "\(byte)")
        }
    }

    @Test func onlyFourBytesAreSpaces() {
        for byte in 0...255 as ClosedRange<UInt8> {
            let isSpace = [0x20, 0x0a, 0x0d, 0x09].contains(byte)
            for place in [0, 3, 7] {
                var bytes = Array(repeating: UInt8(ascii: " "), count: 8)
                bytes[place] = byte
                #expect(bytes.span.word(at: 0).nonSpaces.firstMarkedByte == (isSpace ? 8 : place))
            }
        }
    }

    @Test func theStatesOfUTF8AgreeWithTheStandardLibrary() {
        var random = SeededGenerator(seed: 36)
        let edges: [UInt8] = [
            0x00, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc1, 0xc2, 0xe0, 0xed, 0xf0, 0xf4, 0xf5,
        ]
        for _ in 0..<5_000 {
            let bytes = (0..<Int.random(in: 1...6, using: &random)).map { _ in
                edges.randomElement(using: &random) ?? 0
            }
            var state = UTF8States.start
            for byte in bytes { state = UTF8States.row(of: byte) &>> (state & 63) }
            #expect(
                (state & 63 == UTF8States.start) == (String(validating: bytes, as: UTF8.self) != nil),
                "\(bytes)")
        }
    }

    @Test func anIndexFindsItsNamesAndNoOthers() {
        let names = [
            "", "a", "name", "mass", "eye_color", "original_language", "original_currency",
            "0123456789abcdef",
        ]
        var slots: [PerfectIndex.Slot] = [PerfectIndex.Slot()]
        let index = PerfectIndex.append(names.enumerated().map { ($1, $0) }, to: &slots)
        func find(_ name: String) -> Int32? {
            let ends = NameEnds(Array(name.utf8))
            let slot = slots[index.slot(of: ends)]
            let isName = slot.first == ends.first && slot.last == ends.last && slot.length == ends.length
            return isName ? slot.value : nil
        }
        for (value, name) in names.enumerated() { #expect(find(name) == Int32(value)) }
        for name in ["b", "names", "nam", "eye_colour", "mas", "original_langu"] {
            #expect(find(name) == nil)
        }
    }
}
