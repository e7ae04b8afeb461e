import PorticoSchema
import PorticoTranscode
import Testing

private func decode(
    _ json: String, mode: DecodeOptions.Mode = .lossy, root: [String] = []
) throws(TranscodeError) -> DecodedMessage {
    try decode(Array(json.utf8), as: TestSchema.people, mode: mode, root: root)
}

@Test(arguments: [
    (#"{"results":[{"name":"a"},{"height":1},{"name":"c"}]}"#, #"{"people":[{"name":"a"},{"name":"c"}]}"#, 1),
    (
        #"{"results":[{"name":"a","height":"tall"},null,1,"x",[],{"name":null},{"name":"b"}]}"#,
        #"{"people":[{"name":"b"}]}"#, 6
    ),
    (#"{"results":[{"name":"a","text":"x","number":1}]}"#, "{}", 1),
    (
        #"{"results":[{"name":"a","films":["x",{}]},{"name":"b","films":["y"]}]}"#,
        #"{"people":[{"name":"b","films":["y"]}]}"#, 1
    ),
    (
        #"{"results":[{"name":"a","friends":[{},{"name":"f"},{}]}]}"#,
        #"{"people":[{"name":"a","friends":[{"name":"f"}]}]}"#, 2
    ),
    // The inner losses go with the outer item.
    (#"{"results":[{"friends":[{},{}]},{"name":"b"}]}"#, #"{"people":[{"name":"b"}]}"#, 1),
    (
        #"{"results":[{"images":[],"name":"a"},{"name":"b","name":"c","height":true}],"count":"7"}"#,
        #"{"count":7}"#, 2
    ),
    (#"{"results":[]}"#, "{}", 0), (#"{"results":null}"#, "{}", 0),
]) func anItemThatDoesNotFitIsLeftOutAndCounted(json: String, expected: String, skipped: Int) throws {
    let decoded = try decode(json)
    #expect(try jsonText(of: decoded.bytes, as: TestSchema.people) == expected)
    #expect(decoded.skippedItems == skipped)
}

@Test(arguments: [
    (#"{"results":[{"name":"a"},{"height":1}]}"#, "results[1]", Mismatch.missing(field: "name"), 25),
    (#"{"results":[{},{"name":"b"}]}"#, "results[0]", .missing(field: "name"), 12),
    (
        #"{"results":[{"name":"a"},{"name":"b","height":"tall"}]}"#, "results[1].height",
        .wrongType(expected: .uint32), 46
    ),
    (
        #"{"results":[{"name":"a","images":{"size":{"width":1.5}}}]}"#, "results[0].images.size.width",
        .wrongType(expected: .integer), 50
    ),
    (
        #"{"results":[{"name":"a","films":["x",["y"]]}]}"#, "results[0].films[1]",
        .wrongType(expected: .string), 37
    ),
    (#"{"results":[null]}"#, "results[0]", .nullElement, 12),
    (#"{"best":{}}"#, "best", .missing(field: "name"), 8),
    (#"{"count":"many"}"#, "count", .wrongType(expected: .int32), 9),
    ("[]", "", .wrongType(expected: .object), 0),
]) func strictReadingNamesThePlace(json: String, path: String, mismatch: Mismatch, offset: Int) throws {
    #expect(throws: TranscodeError.mismatch(mismatch, path: path, offset: offset)) {
        try decode(json, mode: .strict)
    }
}

@Test(arguments: [#"{"count":"many"}"#, #"{"best":{}}"#, #"{"results":{}}"#, "[]", "1", "null"])
func whatIsNoItemOfAListFailsLossyReadingToo(json: String) {
    #expect(throws: TranscodeError.self) { try decode(json) }
}

@Test(arguments: [DecodeOptions.Mode.lossy, .strict])
func everyTruncationFails(mode: DecodeOptions.Mode) {
    let json = Array(
        #" {"count":82,"next":null,"results":[{"name":"L\u00e9\ud83d\ude00","films":["é1","2"],"images":{"small":"s"}},{"x":[{},1e5,true]}],"z":-1.5}"#
            .utf8)
    for count in 0..<json.count {
        let part = Array(json[..<count])
        do throws(TranscodeError) {
            _ = try decode(part, as: TestSchema.people, mode: mode)
            Issue.record("\(count) bytes were accepted")
        } catch {
            switch error {
            case .emptyBody: #expect(count <= 1)
            case .malformedJSON(_, let offset): #expect(offset <= count)
            default: Issue.record("\(count) bytes: \(error)")
            }
        }
    }
}

@Test(arguments: [
    (#"{"data":{"count":1}}"#, ["data"], #"{"count":1}"#),
    (#"{"a":[{}],"data":{"x":{"count":1},"y":2}}"#, ["data", "x"], #"{"count":1}"#),
    (#"{"data":{"count":1},"data":{"next":"n"}}"#, ["data"], #"{"next":"n"}"#),
    (#"{"d\u0061ta":{"count":1}}"#, ["data"], #"{"count":1}"#),
]) func aMessageMayBeginBelowTheRoot(json: String, root: [String], expected: String) throws {
    #expect(try jsonText(of: decode(json, root: root).bytes, as: TestSchema.people) == expected)
}

@Test(arguments: [
    "{}", #"{"data":null}"#, #"{"data":{}}"#, #"{"data":{"x":null}}"#, #"{"data":7}"#,
    #"{"data":{"x":{}},"data":1}"#, "[]", "null",
])
func aMissingRootIsAnErrorOfItsOwn(json: String) {
    #expect(throws: TranscodeError.rootMissing(path: "data.x")) { try decode(json, root: ["data", "x"]) }
}

@Test func malformedJSONOutsideTheRootFailsToo() {
    #expect(throws: TranscodeError.malformedJSON(.invalidNumber, offset: 16)) {
        try decode(#"{"data":{},"x":01}"#, root: ["data"])
    }
    #expect(throws: TranscodeError.malformedJSON(.trailingBytes, offset: 12)) {
        try decode(#"{"data":{}} x"#, root: ["data"])
    }
}
