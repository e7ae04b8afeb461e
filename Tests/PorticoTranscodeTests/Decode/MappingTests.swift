import PorticoSchema
import PorticoTranscode
import Testing

@Test(arguments: [
    (#"{"int32One":5}"#, #"{"int32One":5}"#), (#"{"int32One":"5"}"#, #"{"int32One":5}"#),
    (#"{"int32One":5.0}"#, #"{"int32One":5}"#), (#"{"int32One":50e-1}"#, #"{"int32One":5}"#),
    (#"{"int32One":"0.5E1"}"#, #"{"int32One":5}"#), (#"{"int32One":-0}"#, "{}"),
    (#"{"int32One":0e999999999}"#, "{}"),
    (#"{"int32One":"\u0035"}"#, #"{"int32One":5}"#),
    (#"{"int32One":2147483647}"#, #"{"int32One":2147483647}"#),
    (#"{"int32One":-2147483648}"#, #"{"int32One":-2147483648}"#),
    (#"{"int64One":-9223372036854775808}"#, #"{"int64One":"-9223372036854775808"}"#),
    (#"{"int64One":"9223372036854775807"}"#, #"{"int64One":"9223372036854775807"}"#),
    (#"{"uint64One":18446744073709551615}"#, #"{"uint64One":"18446744073709551615"}"#),
    (#"{"uint64One":1844674407370955161500e-2}"#, #"{"uint64One":"18446744073709551615"}"#),
    (
        #"{"sint32One":-3,"sint64One":-4,"sfixed32One":-5,"sfixed64One":-6}"#,
        #"{"sint32One":-3,"sint64One":"-4","sfixed32One":-5,"sfixed64One":"-6"}"#
    ),
    (#"{"fixed32One":4294967295,"fixed64One":"1"}"#, #"{"fixed32One":4294967295,"fixed64One":"1"}"#),
    (
        #"{"boolOne":true,"boolList":[false,true],"boolOptional":false}"#,
        #"{"boolOne":true,"boolOptional":false,"boolList":[false,true]}"#
    ),
]) func wholeNumbersAreReadFromNumbersAndText(json: String, expected: String) throws {
    #expect(try reread(json) == expected)
}

@Test(
    arguments: [
        ("0.1", "0.1"), ("1e22", "1e+22"), ("1e23", "1e+23"), ("-1.50", "-1.5"), ("5e-324", "5e-324"),
        ("1e-400", nil),
        ("\"NaN\"", "\"NaN\""), ("\"Infinity\"", "\"Infinity\""), ("\"-Infinity\"", "\"-Infinity\""),
        ("-0", "-0.0"),
        ("9007199254740993", "9007199254740992"), ("1.7976931348623157e308", "1.7976931348623157e+308"),
        ("0.30000000000000004", "0.30000000000000004"), ("\"2.5\"", "2.5"),
        ("123456789012345678901234567890", "1.2345678901234568e+29"),
    ] as [(String, String?)]) func doublesAreRoundedOnce(text: String, expected: String?) throws
{
    let field = expected.map { "\"doubleOne\":\($0)" } ?? ""
    #expect(try reread("{\"doubleOne\":\(text)}") == "{\(field)}")
}

@Test(arguments: [
    ("0.1", "0.1"), ("16777217.0000000000000001", "1.6777218e+07"), ("16777217", "16777216"),
    ("3.4028235e38", "3.4028235e+38"),
    // By way of a double this would round to 7.006492e-46 twice over, to zero.
    ("7.006492321624086e-46", "1e-45"),
]) func floatsAreRoundedFromTheirTextNotFromADouble(text: String, expected: String) throws {
    #expect(try reread("{\"floatOne\":\(text)}") == "{\"floatOne\":\(expected)}")
}

@Test(arguments: [
    ("int32", "2147483648"), ("int32", "-2147483649"), ("int64", "9223372036854775808"), ("uint32", "-1"),
    ("uint32", "4294967296"), ("uint64", "18446744073709551616"), ("uint64", "-1"), ("sint32", "1e10"),
    ("fixed32", "1e99999999999"), ("sfixed64", "\"9223372036854775808\""), ("double", "1e309"),
    ("float", "3.5e38"),
    ("color", "2147483648"), ("uint64", "184467440737095516150"),
]) func numbersOutOfRangeAreRefused(type: String, text: String) {
    guard case .mismatch(.outOfRange, "\(type)One", let offset) = fault("{\"\(type)One\":\(text)}") else {
        Issue.record("\(String(describing: fault("{\"\(type)One\":\(text)}")))")
        return
    }
    #expect(offset == type.utf8.count + 7)
}

@Test(arguments: [
    ("int32", "1.5"), ("int32", "\"\""), ("int32", "\" 1\""), ("int32", "\"0x1\""), ("int32", "\"01\""),
    ("int32", "true"),
    ("int32", "{}"), ("int32", "[1]"), ("uint64", "1e-1"), ("int64", "\"NaN\""), ("double", "\"inf\""),
    ("double", "\"1.\""),
    ("bool", "1"), ("bool", "\"true\""), ("string", "true"), ("string", "{}"), ("string", "[]"),
    ("bytes", "1"),
    ("all", "\"\""), ("all", "[]"), ("color", "true"), ("color", "1.5"),
    ("int64", "12345678901234567890123e-3"),
]) func valuesOfAnotherTypeAreRefused(type: String, text: String) {
    guard case .mismatch(.wrongType, "\(type)One", _) = fault("{\"\(type)One\":\(text)}") else {
        Issue.record("\(String(describing: fault("{\"\(type)One\":\(text)}")))")
        return
    }
}

@Test(arguments: [
    (#""""#, "{}"), (#""plain""#, #"{"stringOne":"plain"}"#), ("12.50", #"{"stringOne":"12.50"}"#),
    (#""\"\\\/\b\f\n\r\t""#, #"{"stringOne":"\"\\/\b\f\n\r\t"}"#),
    (#""\u0000\u001f""#, #"{"stringOne":"\u0000\u001f"}"#),
    (#""\u00e9\u20AC\ud83d\ude00""#, #"{"stringOne":"é€😀"}"#), (#""héé€€😀😀z""#, #"{"stringOne":"héé€€😀😀z"}"#),
]) func textIsUnescaped(text: String, expected: String) throws {
    #expect(try reread("{\"stringOne\":\(text)}") == expected)
}

@Test(arguments: [0, 1, 7, 8, 9, 126, 127, 128, 129, 16_383, 16_384, 100_000])
func textOfAnyLengthHasTheShortestLength(length: Int) throws {
    let text = String(repeating: "x", count: length)
    let json = Array(
        "{\"stringOne\":\"\(text)\",\"stringList\":[\"\(text)\",\"\",\"\(text)\"],\"allOne\":{\"stringOne\":\"\(text)\"}}"
            .utf8)
    let record = try decode(json)
    let canonical = try canonical(record.bytes.span, as: TestSchema.all, in: TestSchema.schema)
    #expect(record.bytes.count == canonical.count)
    #expect(try jsonText(of: record.bytes) == jsonText(of: canonical))
}

@Test(arguments: [
    (#""""#, "{}"), (#""TWE=""#, #"{"bytesOne":"TWE="}"#), (#""TWE""#, #"{"bytesOne":"TWE="}"#),
    (#""-_-_""#, #"{"bytesOne":"+/+/"}"#), (#""+\/+\/""#, #"{"bytesOne":"+/+/"}"#),
    (#""AA==""#, #"{"bytesOne":"AA=="}"#),
]) func bytesAreReadInBothAlphabetsPaddedOrNot(text: String, expected: String) throws {
    #expect(try reread("{\"bytesOne\":\(text)}") == expected)
}

@Test(arguments: ["A", "AAAAA", "AA=", "AAA==", "A===", "====", "AA==AA", "A A=", "A*AA", "é", "AAAA="])
func textThatIsNotBase64IsRefused(text: String) {
    #expect(fault("{\"bytesOne\":\"\(text)\"}") == .mismatch(.notBase64, path: "bytesOne", offset: 12))
}

@Test(arguments: [
    (#""RED""#, "\"RED\"", 0), (#""ROUGE""#, "\"RED\"", 0), ("1", "\"RED\"", 0),
    (#""n/a""#, "\"NOT_GIVEN\"", 0),
    (#""n\/a""#, "\"NOT_GIVEN\"", 0), (#""NOT_GIVEN""#, "\"NOT_GIVEN\"", 0), ("-1", "\"MINUS\"", 0),
    ("77", "77", 0),
    (#""77""#, "77", 0), (#""red""#, "\"COLOR_UNSPECIFIED\"", 1), (#""""#, "\"COLOR_UNSPECIFIED\"", 1),
]) func enumsAreReadByNameAliasNumberAndTheUpstreamsSpelling(text: String, expected: String, unknown: Int)
    throws
{
    let json = Array("{\"colorOptional\":\(text)}".utf8)
    let record = try decode(json)
    #expect(record.unknownEnumValues == unknown)
    #expect(try jsonText(of: record.bytes) == "{\"colorOptional\":\(expected)}")
}

@Test(arguments: [
    (#"{"stringMap":{"b":1,"a":2}}"#, #"{"stringMap":{"a":2,"b":1}}"#),
    (#"{"int32Map":{"-1":1,"2":0}}"#, #"{"int32Map":{"-1":1,"2":0}}"#),
    (#"{"messageMap":{"x":{},"y":{"int32One":1}}}"#, #"{"messageMap":{"x":{},"y":{"int32One":1}}}"#),
    (#"{"messageMap":{"x":{"int32One":1},"x":{"int64One":2},"\u0078":{}}}"#, #"{"messageMap":{"x":{}}}"#),
    (#"{"int32Map":{}}"#, "{}"), (#"{"int32Map":{"1":1,"1":2,"3":3,"1":4}}"#, #"{"int32Map":{"1":4,"3":3}}"#),
]) func mapsAreReadAndTheirLastValueCounts(json: String, expected: String) throws {
    #expect(try reread(json) == expected)
}

@Test(arguments: [
    #"{"int32Map":{"x":1}}"#, #"{"int32Map":{"":1}}"#, #"{"boolMap":{"1":""}}"#, #"{"int32Map":{"1":null}}"#,
    #"{"uint32Map":{"-1":1}}"#, #"{"int32Map":[]}"#, #"{"int32List":[null]}"#, #"{"allList":[null]}"#,
    #"{"int32List":1}"#,
    #"{"allList":{}}"#, #"{"messageMap":{"a":1}}"#, #"{"allOne":{"int32List":[1,"x"]}}"#,
]) func listsAndMapsOfTheWrongShapeAreRefused(json: String) {
    guard case .mismatch = fault(json) else {
        Issue.record("\(json): \(String(describing: fault(json)))")
        return
    }
}

@Test(arguments: [
    (#"{"eye_color":"a","name":""}"#, #"{"eyes":"a"}"#), (#"{"eyeColor":"a","name":""}"#, #"{"eyes":"a"}"#),
    (#"{"eyes":"a","name":""}"#, #"{"eyes":"a"}"#), (#"{"ey\u0065s":"a","name":""}"#, #"{"eyes":"a"}"#),
    (#"{"EYES":"a","name":""}"#, "{}"), (#"{"eyes":"a","eye_color":"b","name":""}"#, #"{"eyes":"b"}"#),
    (
        #"{"name":"x","images":{"large":"l","z":[1],"small":"s","size":{"width":4}}}"#,
        #"{"name":"x","small":"s","large":"l","width":4}"#
    ),
    (#"{"images":null,"name":"x","small":"s"}"#, #"{"name":"x"}"#),
    (
        #"{"images":{"small":"s","large":"l"},"name":"x","images":{"small":"t"}}"#,
        #"{"name":"x","small":"t"}"#
    ),
    (#"{"images":{"small":"s","size":{"width":0}},"name":"x","images":null}"#, #"{"name":"x"}"#),
]) func keysAreFoundByEveryNameAndByPath(json: String, expected: String) throws {
    #expect(try reread(json, as: TestSchema.person) == expected)
}

@Test(arguments: [
    (#"{"int32One":1,"int32One":2}"#, #"{"int32One":2}"#), (#"{"int32One":1,"int32One":0}"#, "{}"),
    (#"{"int32One":1,"int32One":null}"#, "{}"), (#"{"int32One":null,"int32One":1}"#, #"{"int32One":1}"#),
    (#"{"int32List":[1,2],"int32List":[3]}"#, #"{"int32List":[3]}"#),
    (#"{"int64List":[1,2],"boolOne":true,"int64List":[]}"#, #"{"boolOne":true}"#),
    (#"{"allOne":{"int32One":1},"allOne":{"int64One":2}}"#, #"{"allOne":{"int64One":"2"}}"#),
    (#"{"int32Map":{"1":1},"int32Map":{"2":2}}"#, #"{"int32Map":{"2":2}}"#),
    (#"{"pickText":"a","pickText":"b"}"#, #"{"pickText":"b"}"#),
    (#"{"pickText":"a","pickText":null,"pickNumber":0}"#, #"{"pickNumber":0}"#),
    (
        #"{"allOne":{"stringOne":"a","stringOne":"b"},"stringOne":"c","stringOne":"d"}"#,
        #"{"stringOne":"d","allOne":{"stringOne":"b"}}"#
    ),
]) func ofARepeatedKeyTheLastValueCounts(json: String, expected: String) throws {
    #expect(try reread(json) == expected)
}

@Test(arguments: [
    #"{"pickText":"a","pickNumber":1}"#, #"{"pickNumber":0,"pickText":""}"#,
    #"{"pickAll":{},"pickText":"a"}"#,
]) func twoMembersOfAOneofAreRefused(json: String) {
    guard case .mismatch(.twoOfOneof(name: "pick"), _, _) = fault(json) else {
        Issue.record("\(json): \(String(describing: fault(json)))")
        return
    }
}

@Test func nullIsAbsentForEveryField() throws {
    let names = TestSchema.schema[TestSchema.all].fields.map { "\"\($0.jsonName)\":null" }
    #expect(try reread("{\(names.joined(separator: ","))}") == "{}")
}

@Test func defaultsAreWrittenOnlyWhereTheirPresenceCounts() throws {
    let implicit =
        #"{"doubleOne":0,"int32One":0,"boolOne":false,"stringOne":"","bytesOne":"","colorOne":0,"int32List":[]}"#
    #expect(try reread(implicit) == "{}")
    let explicit =
        #"{"doubleOptional":0,"boolOptional":false,"stringOptional":"","bytesOptional":"","colorOptional":0}"#
    #expect(
        try reread(explicit)
            == #"{"doubleOptional":0,"boolOptional":false,"stringOptional":"","bytesOptional":"","colorOptional":"COLOR_UNSPECIFIED"}"#
    )
}
