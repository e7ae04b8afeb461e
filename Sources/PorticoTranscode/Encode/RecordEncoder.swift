package import PorticoSchema
import PorticoWire

// Encoded messages as compact proto3 JSON. Worked example, `Person { string name = 1; int64 born = 2; }`:
//
//     0a 04 59 6f 64 61  10 80 07
//     {"name":"Yoda",    "born":"896"}
//
// One pass suffices while fields come in order, each singular field and map key once, as canonical messages have them.
// A message that is not like that is brought to canonical form first and read again.

/// Writes JSON for encoded messages of one type. Compiled once, used by any thread.
package struct RecordEncoder: Sendable {
    private let layout: MessageLayout
    private let maximumDepth: Int

    /// - Parameter maximumDepth: of nested messages, the root included.
    package init(schema: Schema, message: MessageID, maximumDepth: Int = 100) {
        layout = MessageLayout(schema: schema, message: message)
        self.maximumDepth = maximumDepth
    }

    /// Appends the message as JSON: fields by number under their JSON names, defaults and unknown fields left out, 64-bit
    /// integers as strings, bytes as base64, enums by name, map entries by key.
    /// - Throws: ``TranscodeError/malformedProtobuf(_:offset:)``; nothing has then been appended.
    package func encode(_ message: Span<UInt8>, into json: inout [UInt8]) throws(TranscodeError) {
        let start = json.count
        do throws(EncodeStop) {
            return try write(message, into: &json)
        } catch {
            json.removeLast(json.count - start)
            switch error {
            case .failed(let error): throw error
            case .outOfOrder: break
            }
        }
        try writeOrdered(layout.canonical(message, maximumDepth: maximumDepth), into: &json)
    }

    private func writeOrdered(_ message: [UInt8], into json: inout [UInt8]) throws(TranscodeError) {
        do throws(EncodeStop) {
            try write(message.span, into: &json)
        } catch {
            guard case .failed(let error) = error else {
                preconditionFailure("a canonical message is in order: a bug in the writer, never bad input")
            }
            throw error
        }
    }

    private func write(_ message: Span<UInt8>, into json: inout [UInt8]) throws(EncodeStop) {
        var writer = RecordWriter(tables: layout.tables, maximumDepth: maximumDepth)
        try writer.write(0, 0..<message.count, depth: 1, to: &json, in: message)
    }
}

/// Why writing stopped.
enum EncodeStop: Error {
    /// The message is sound, but not in canonical order.
    case outOfOrder
    case failed(TranscodeError)
}
