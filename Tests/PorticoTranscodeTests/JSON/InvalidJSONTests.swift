import PorticoTranscode
import Testing

/// Each stands alone as a value; the tests put it where a field is read, where it is skipped, and in nested places.
private let invalidValues: [(text: String, problem: JSONProblem)] = [
    ("tru", .unexpectedByte(UInt8(ascii: "}"))), ("True", .unexpectedByte(UInt8(ascii: "T"))),
    ("nul", .unexpectedByte(UInt8(ascii: "}"))), ("nulL", .unexpectedByte(UInt8(ascii: "L"))),
    ("falsy", .unexpectedByte(UInt8(ascii: "y"))), ("NaN", .unexpectedByte(UInt8(ascii: "N"))),
    ("01", .invalidNumber), ("-", .invalidNumber), ("-01", .invalidNumber), ("1.", .invalidNumber),
    ("1.e3", .invalidNumber), ("1e", .invalidNumber), ("1e+", .invalidNumber), ("-x", .invalidNumber),
    (".5", .unexpectedByte(UInt8(ascii: "."))), ("+1", .unexpectedByte(UInt8(ascii: "+"))),
    ("0x10", .unexpectedByte(UInt8(ascii: "x"))), ("1_000", .unexpectedByte(UInt8(ascii: "_"))),
    ("'a'", .unexpectedByte(UInt8(ascii: "'"))), ("\"\u{1}\"", .controlCharacter(1)),
    ("\"\n\"", .controlCharacter(10)), ("\"\u{0}\"", .controlCharacter(0)), (#""\x""#, .invalidEscape),
    (#""\u12g4""#, .invalidEscape), (#""\u12""#, .invalidEscape), (#""\ud800""#, .loneSurrogate),
    (#""\ud800x""#, .loneSurrogate), (#""\ud800\n""#, .loneSurrogate), (#""\ud800\ud800""#, .loneSurrogate),
    (#""\udc00""#, .loneSurrogate), (#""\ud800\u0041""#, .loneSurrogate),
    ("[1,]", .unexpectedByte(UInt8(ascii: "]"))), ("[,1]", .unexpectedByte(UInt8(ascii: ","))),
    ("[1 2]", .unexpectedByte(UInt8(ascii: "2"))), ("[1}", .unexpectedByte(UInt8(ascii: "}"))),
    (#"{"a":1,}"#, .unexpectedByte(UInt8(ascii: "}"))), (#"{"a" 1}"#, .unexpectedByte(UInt8(ascii: "1"))),
    (#"{"a"}"#, .unexpectedByte(UInt8(ascii: "}"))), ("{a:1}", .unexpectedByte(UInt8(ascii: "a"))),
    ("{1:1}", .unexpectedByte(UInt8(ascii: "1"))), (#"{"a":1]"#, .unexpectedByte(UInt8(ascii: "]"))),
    (#"{"a":1 "b":2}"#, .unexpectedByte(UInt8(ascii: "\""))),
    ("/* */1", .unexpectedByte(UInt8(ascii: "/"))), ("1//", .unexpectedByte(UInt8(ascii: "/"))),
    ("\u{a0}1", .unexpectedByte(0xc2)), ("\u{c}1", .unexpectedByte(0xc)),
]

private let places = ["{\"unknown\":@}", "{\"allOne\":{\"unknown\":@}}", "{\"unknown\":[[@]]}"]

@Test(arguments: invalidValues) func aSkippedValueThatIsNotJSONFailsTheDecode(
    text: String, problem: JSONProblem
) {
    for place in places {
        for mode in [DecodeOptions.Mode.strict, .lossy] {
            let json = place.split(separator: "@").joined(separator: text)
            guard case .malformedJSON = fault(json, mode: mode) else {
                Issue.record("\(json) was accepted")
                return
            }
        }
    }
    guard case .malformedJSON(problem, _) = fault("{\"unknown\":\(text)}") else {
        Issue.record("\(text): \(String(describing: fault("{\"unknown\":\(text)}")))")
        return
    }
}

@Test(arguments: invalidValues) func aFieldsValueThatIsNotJSONFailsTheDecode(
    text: String, problem: JSONProblem
) {
    for (name, _) in TestSchema.scalars {
        for json in [
            "{\"\(name)One\":\(text)}", "{\"\(name)List\":[\(text)]}",
            "{\"allList\":[{\"\(name)One\":\(text)}]}",
        ] {
            guard case .malformedJSON = fault(json, mode: .lossy) else {
                Issue.record("\(json): \(String(describing: fault(json, mode: .lossy)))")
                return
            }
        }
    }
}

private let invalidUTF8: [[UInt8]] = [
    [0x80], [0xbf], [0xc0, 0x80], [0xc1, 0xbf], [0xc2], [0xc2, 0x41], [0xe0, 0x80, 0x80], [0xe0, 0x9f, 0xbf],
    [0xe1, 0x80], [0xed, 0xa0, 0x80], [0xed, 0xbf, 0xbf], [0xef, 0xbf], [0xf0, 0x80, 0x80, 0x80],
    [0xf0, 0x8f, 0xbf, 0xbf], [0xf1, 0x80, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xff],
    [0xfe],
]

@Test(arguments: invalidUTF8) func textThatIsNotUTF8IsRefusedWhereverItStands(bytes: [UInt8]) {
    for length in 0..<20 {
        let text = Array(repeating: UInt8(ascii: "a"), count: length) + bytes + [UInt8(ascii: "b")]
        for (before, after) in [("{\"stringOne\":\"", "\"}"), ("{\"unknown\":[\"", "\"]}"), ("{\"", "\":1}")]
        {
            let json = Array(before.utf8) + text + Array(after.utf8)
            #expect(
                fault(json, mode: .lossy) == .malformedJSON(.invalidUTF8, offset: before.utf8.count + length))
        }
    }
}

@Test func everyScalarOfUnicodeIsRead() throws {
    for start in stride(from: UInt32(0x20), to: 0x110000, by: 4099) {
        let text = String(String.UnicodeScalarView((start..<start + 7).compactMap { Unicode.Scalar($0) }))
        guard !text.contains("\""), !text.contains("\\") else { continue }
        let bytes = Array("{\"stringOne\":\"\(text)\"}".utf8)
        let record = try decode(bytes)
        let fields = try MessageFields(
            schema: TestSchema.schema, message: TestSchema.all, bytes: record.bytes)
        #expect(fields.text("string_one") == text)
    }
}

@Test(arguments: [
    ("", TranscodeError.emptyBody), (" \n", .emptyBody), ("{}x", .malformedJSON(.trailingBytes, offset: 2)),
    ("{} {}", .malformedJSON(.trailingBytes, offset: 3)),
    ("\u{feff}{}", .malformedJSON(.byteOrderMark, offset: 0)),
    ("{", .malformedJSON(.unexpectedEnd, offset: 1)), ("x", .malformedJSON(.unexpectedByte(0x78), offset: 0)),
]) func aBodyThatIsNotOneJSONObjectIsRefused(json: String, error: TranscodeError) {
    #expect(fault(json) == error)
}

@Test(arguments: [("[", "]"), ("{\"a\":", "}"), ("[{\"a\":", "}]")])
func nestingIsBoundedWithoutTheMachinesStack(open: String, close: String) {
    let levels = open.utf8.filter { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") }.count
    for depth in [98, 99, 100, 1000, 200_000] where depth % levels == 0 || depth > 100 {
        let count = depth / levels
        let json =
            "{\"unknown\":" + String(repeating: open, count: count) + (close == "]" ? "" : "1")
            + String(repeating: close, count: count) + "}"
        let error = fault(json)
        if count * levels <= 99 {
            #expect(error == nil)
        } else if case .malformedJSON(.tooDeep(limit: 100), _) = error {
            continue
        } else {
            Issue.record("depth \(depth): \(String(describing: error))")
        }
    }
}

@Test func nestedMessagesAreBoundedToo() {
    let json = String(repeating: "{\"allOne\":", count: 100_000)
    #expect(fault(json) == .malformedJSON(.tooDeep(limit: 100), offset: 100 * 10))
}
