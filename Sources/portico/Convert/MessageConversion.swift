import PorticoSchema
import PorticoTranscode
import PorticoWire

/// Turns messages of one type from one format into another.
///
/// `{"count":1}\n{"count":2}\n` from ndjson to delimited is `02 08 01  02 08 02`: each message behind its length.
struct MessageConversion {
    typealias Format = ConvertCommand.Format

    /// Input that is not what its format says.
    struct Fault: Error, Equatable {
        /// `2:14` in text, `byte 31` in binary.
        let place: String
        let reason: String
    }

    struct Result: Equatable {
        var output: [UInt8] = []
        var messages = 0
        /// List elements that did not fit the schema and were left out.
        var skippedItems = 0
    }

    private let decoder: RecordDecoder
    private let encoder: RecordEncoder
    private let layout: MessageLayout

    init(schema: Schema, message: MessageID) {
        decoder = RecordDecoder(schema: schema, message: message)
        encoder = RecordEncoder(schema: schema, message: message)
        layout = MessageLayout(schema: schema, message: message)
    }

    func convert(_ input: [UInt8], from: Format, to: Format) throws(Fault) -> Result {
        var result = Result()
        for range in try messages(in: input, from) {
            guard to != .binary || result.messages == 0 else {
                throw Fault(
                    place: place(range.lowerBound, in: input, from),
                    reason: "binary holds one message and this is the second; write ndjson or delimited")
            }
            do throws(TranscodeError) {
                let record = try record(input.span.extracting(range), from, counting: &result.skippedItems)
                try append(record, to: &result.output, to)
            } catch {
                throw Fault(
                    place: place(range.lowerBound + (error.offset ?? 0), in: input, from),
                    reason: error.description)
            }
            result.messages += 1
        }
        return result
    }

    // MARK: One message

    private func record(
        _ bytes: Span<UInt8>, _ format: Format, counting skippedItems: inout Int
    ) throws(TranscodeError) -> [UInt8] {
        switch format {
        case .json, .ndjson:
            let decoded = try decoder.decode(bytes)
            skippedItems += decoded.skippedItems
            return decoded.bytes
        case .binary, .delimited: return try layout.canonical(bytes)
        }
    }

    private func append(_ record: [UInt8], to output: inout [UInt8], _ format: Format) throws(TranscodeError)
    {
        switch format {
        case .json:
            var json: [UInt8] = []
            try encoder.encode(record.span, into: &json)
            output += JSONIndenter.indented(json)
            output.append(UInt8(ascii: "\n"))
        case .ndjson:
            try encoder.encode(record.span, into: &output)
            output.append(UInt8(ascii: "\n"))
        case .binary: output += record
        case .delimited:
            var writer = ProtobufWriter(exchange(&output, with: []))
            writer.varint(UInt64(record.count))
            output = writer.bytes
            output += record
        }
    }

    // MARK: Cutting the input

    private func messages(in input: [UInt8], _ format: Format) throws(Fault) -> [Range<Int>] {
        switch format {
        case .json, .binary: [input.indices]
        case .ndjson: Self.lines(of: input)
        case .delimited: try delimitedMessages(in: input)
        }
    }

    /// Lines of more than white space.
    private static func lines(of input: [UInt8]) -> [Range<Int>] {
        var lines: [Range<Int>] = []
        var start = 0
        while start < input.count {
            let end = input[start...].firstIndex(of: UInt8(ascii: "\n")) ?? input.count
            let isBlank = input[start..<end].allSatisfy { $0 == UInt8(ascii: " ") || $0 == 9 || $0 == 13 }
            if !isBlank { lines.append(start..<end) }
            start = end + 1
        }
        return lines
    }

    private func delimitedMessages(in input: [UInt8]) throws(Fault) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var cursor = ProtobufCursor(input.indices)
        while cursor.offset < cursor.end {
            do throws(ProtobufError) {
                ranges.append(try cursor.lengthDelimited(in: input.span))
            } catch {
                throw Fault(
                    place: "byte \(error.offset)",
                    reason:
                        "the length of message \(ranges.count + 1) is cut off or says more bytes than follow")
            }
        }
        return ranges
    }

    private func place(_ offset: Int, in input: [UInt8], _ format: Format) -> String {
        switch format {
        case .json, .ndjson: TextPosition(of: offset, in: input.span).description
        case .binary, .delimited: "byte \(offset)"
        }
    }
}
