import Testing

@testable import portico

@Suite struct MessageConversionTests {
    private typealias Format = ConvertCommand.Format
    private let conversion = MessageConversion(
        schema: SampleSchema.schema, message: SampleSchema.message("Animal"))

    /// One animal, `{"name":"Ox","weightGrams":"700000"}`, in each format.
    private static let samples: [(ConvertCommand.Format, [UInt8])] = {
        let record: [UInt8] = [0x0a, 2, 0x4f, 0x78, 0x10, 0xe0, 0xdc, 0x2a]
        return [
            (.json, Array("{\n  \"name\": \"Ox\",\n  \"weightGrams\": \"700000\"\n}\n".utf8)),
            (.ndjson, Array("{\"name\":\"Ox\",\"weightGrams\":\"700000\"}\n".utf8)),
            (.binary, record),
            (.delimited, [UInt8(record.count)] + record),
        ]
    }()

    @Test(arguments: samples, samples) func everyFormatTurnsIntoEveryOther(
        from: (ConvertCommand.Format, [UInt8]), to: (ConvertCommand.Format, [UInt8])
    ) throws {
        let result = try conversion.convert(from.1, from: from.0, to: to.0)
        #expect(result.output == to.1)
        #expect(result.messages == 1)
    }

    @Test func manyLinesBecomeManyMessagesAndBlankOnesNone() throws {
        let input = Array("{\"name\":\"a\"}\r\n\n  \n{\"name\":\"b\"}".utf8)
        let result = try conversion.convert(input, from: .ndjson, to: .delimited)
        #expect(result.output == [3, 0x0a, 1, 0x61, 3, 0x0a, 1, 0x62])
    }

    @Test(arguments: [ConvertCommand.Format.ndjson, .delimited])
    func noMessagesAreNoFault(format: ConvertCommand.Format) throws {
        #expect(try conversion.convert([], from: format, to: .ndjson).output == [])
    }

    @Test func itemsThatDoNotFitAreLeftOutAndCounted() throws {
        let herd = MessageConversion(schema: SampleSchema.schema, message: SampleSchema.message("Herd"))
        let input = Array(#"{"animals":[{"name":"a"},{"name":[]},{"name":"c"}]}"#.utf8)
        let result = try herd.convert(input, from: .json, to: .ndjson)
        #expect(
            String(decoding: result.output, as: UTF8.self)
                == "{\"animals\":[{\"name\":\"a\"},{\"name\":\"c\"}]}\n")
        #expect(result.skippedItems == 1)
    }

    @Test(arguments: [
        ("{\n \"name\": ?}", ConvertCommand.Format.json, "2:10"),
        ("{}\n{\"name\":\"é\",}", .ndjson, "2:13"),
        ("", .json, "1:1"),
        ("{\"weightGrams\":\"x\"}", .json, "1:16"),
    ]) func badTextIsToldByLineAndColumn(text: String, format: ConvertCommand.Format, place: String) {
        #expect(fault(Array(text.utf8), from: format, to: .ndjson)?.place == place)
    }

    @Test(arguments: [
        ([0x0a, 5, 0x61], ConvertCommand.Format.binary, "byte 1"),
        ([3, 0x0a, 1, 0x61, 9, 0x0a], .delimited, "byte 4"),
        ([3, 0x0a, 1, 0x61, 2, 0x0a, 7], .delimited, "byte 6"),
    ]) func badBytesAreToldByOffset(bytes: [UInt8], format: ConvertCommand.Format, place: String) {
        #expect(fault(bytes, from: format, to: .json)?.place == place)
    }

    @Test func binaryTakesOneMessageOnly() {
        let found = fault(Array("{}\n{}\n".utf8), from: .ndjson, to: .binary)
        #expect(found?.place == "2:1")
        #expect(found?.reason.contains("second") == true)
    }

    private func fault(
        _ input: [UInt8], from: ConvertCommand.Format, to: ConvertCommand.Format
    ) -> MessageConversion.Fault? {
        do throws(MessageConversion.Fault) {
            _ = try conversion.convert(input, from: from, to: to)
            return nil
        } catch { return error }
    }
}
