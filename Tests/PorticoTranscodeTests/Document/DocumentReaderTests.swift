import PorticoSchema
import Testing

@testable import PorticoTranscode

struct DocumentReaderTests {
    private func read(_ text: String, _ syntax: DocumentReader.Syntax = .strict) throws(DocumentFaults)
        -> JSONDocument
    {
        try DocumentReader.read(Array(text.utf8), file: "f", syntax: syntax)
    }

    private func faults(_ text: String, _ syntax: DocumentReader.Syntax = .strict) -> [String] {
        do {
            _ = try read(text, syntax)
            return []
        } catch {
            return error.faults.map(\.description)
        }
    }

    @Test func everyNameAndValueKeepsItsPlace() throws {
        let text = """
            {
              "a": [1, "ü", {"b": null}], // a comment
              "ü": /* one */ true,
            }
            """
        let document = try read(text, .relaxed)
        func place(_ line: Int, _ column: Int) -> PorticoSchema.SourceLocation {
            .init(file: "f", line: line, column: column)
        }
        guard case .object(let members) = document.content,
            case .array(let elements)? = document["a"]?.content
        else { throw DocumentFault(document.location, "not an object with a list") }
        #expect(document.location == place(1, 1))
        #expect(members.map(\.nameLocation) == [place(2, 3), place(3, 3)])
        #expect(elements.map(\.location) == [place(2, 9), place(2, 12), place(2, 17)])
        #expect(document["ü"]?.location == place(3, 18))
    }

    @Test(
        arguments: [
            ("null", .null), (" true ", .bool(true)), ("-0.5e+10", .number("-0.5e+10")),
            ("12345678901234567890", .number("12345678901234567890")),
            ("\"\"", .string("")), (#""\"\\\/\b\f\n\r\t""#, .string("\"\\/\u{8}\u{c}\n\r\t")),
            (#""\u00fc\ud83d\ude00""#, .string("ü😀")),
            ("[]", .array([])), ("{}", .object([])),
            ("[1,[2]]", .array([.number("1"), .array([.number("2")])])),
            (#"{"b":1,"a":2}"#, .object([.init("b", .number("1")), .init("a", .number("2"))])),
            ("\u{feff}1", .number("1")),
        ] as [(String, JSONValue)])
    func aValueIsReadAsItIsWritten(text: String, value: JSONValue) throws {
        #expect(try read(text).value == value)
        #expect(try read(value.compactText).value == value)
    }

    @Test(arguments: [
        ("", ["1:1: the text is empty; it should hold one object: { … }"]),
        ("  \n ", ["2:2: the text is empty; it should hold one object: { … }"]),
        ("1 2", ["1:3: nothing may follow the document's closing bracket"]),
        ("{", ["1:2: the file ends inside an object; expected }"]),
        ("[1", ["1:3: the text ends here; expected , or ]"]),
        ("[1 2]", ["1:3: a comma is missing here"]),
        ("[1,]", ["1:3: a comma may not stand before the closing bracket"]),
        ("[,1]", ["1:2: expected a value, found `,`"]),
        ("[1}", ["1:3: expected , or ], found `}`"]),
        ("{a: 1}", ["1:2: a name needs quotes: \"a\""]),
        ("{\"a\" 1}", ["1:6: expected : behind the name \"a\""]),
        ("{\"a\": }", ["1:7: expected a value, found `}`"]),
        ("{\"a\": 1, \"a\": 2}", ["1:10: `a` occurs twice in this object; first at line 1"]),
        ("\"abc", ["1:1: this text is never closed; expected \" on the same line"]),
        ("\"a\nb\"", ["1:1: this text is never closed; expected \" on the same line"]),
        ("\"\\x\"", ["1:2: a wrong escape; a backslash itself is written \\\\"]),
        ("\"\\ud800\"", ["1:2: a wrong escape; a backslash itself is written \\\\"]),
        ("\"\\ud800\\u0041\"", ["1:2: a wrong escape; a backslash itself is written \\\\"]),
        ("\"\\u12g4\"", ["1:2: a wrong escape; a backslash itself is written \\\\"]),
        ("\"\u{1}\"", ["1:2: a control character inside a text; write it as an escape"]),
        ("True", ["1:1: `True` is not a value; did you mean true?"]),
        ("[yes]", ["1:2: `yes` is not a value; a text needs quotes"]),
        (
            "[01, 1., .5, +1, -]",
            [
                "1:2: `01` is not a value, nor a number", "1:6: `1.` is not a value, nor a number",
                "1:10: `.5` is not a value, nor a number", "1:14: `+1` is not a value, nor a number",
                "1:18: `-` is not a value, nor a number",
            ]
        ),
        ("[ü]", ["1:2: expected a value, found `ü`"]),
        ("// x\n1", ["1:1: comments are not allowed here"]),
    ])
    func whatIsWrongIsSaidWithItsPlace(text: String, expected: [String]) {
        #expect(faults(text) == expected.map { "f:\($0)" })
    }

    @Test(arguments: ["[1, /* never", "[1, / 2]"]) func aBrokenCommentIsAFault(text: String) {
        #expect(faults(text, .relaxed).count == 1)
    }

    @Test func severalFaultsAreFoundInOneReading() {
        let found = faults("{\n  \"a\": tru,\n  b: 1\n  \"c\": \"\\q\",\n  \"a\": 2\n}")
        #expect(
            found == [
                "f:2:8: `tru` is not a value; a text needs quotes", "f:3:3: a name needs quotes: \"b\"",
                "f:3:7: a comma is missing here", "f:4:9: a wrong escape; a backslash itself is written \\\\",
                "f:5:3: `a` occurs twice in this object; first at line 2",
            ])
    }

    @Test func faultsAreBounded() {
        let found = faults("[" + String(repeating: "x ,", count: 1_000) + "1]")
        #expect(found.count == DocumentReader.maximumFaults)
    }

    @Test func nestingIsBounded() {
        let depth = DocumentReader.maximumDepth
        #expect(faults(String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).isEmpty)
        let deep = faults(String(repeating: "[", count: 100_000))
        #expect(deep == ["f:1:\(depth + 1): nested deeper than \(depth) levels"])
    }

    @Test func bytesThatAreNotUTF8AreRefused() {
        #expect {
            try DocumentReader.read([0x22, 0x61, 0xff, 0x22], file: "f")
        } throws: { error in
            (error as? DocumentFaults)?.faults.map(\.description) == [
                "f:1:3: the file is not UTF-8 from here on"
            ]
        }
    }

    @Test func everyPrefixOfADocumentIsRefusedAndNothingTraps() {
        let text = Array(#"{"a": [1, -2.5e3, "x\u00fcy\n", {"b": null}], "c": true /* ü */,}"#.utf8)
        for end in 0..<text.count {
            #expect(throws: DocumentFaults.self) {
                try DocumentReader.read(Array(text[..<end]), file: "f", syntax: .relaxed)
            }
        }
        for index in text.indices {
            for byte: UInt8 in [0, 0x22, 0x2f, 0x5b, 0x5c, 0x7d, 0x80, 0xff] {
                var changed = text
                changed[index] = byte
                _ = try? DocumentReader.read(changed, file: "f", syntax: .relaxed)
            }
        }
    }
}
