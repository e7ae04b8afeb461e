/// Why bytes could not become a record, or a record not text. Offsets count bytes from the start of the input;
/// ``TextPosition`` turns one into line and column when a person is to read it.
package enum TranscodeError: Error, Equatable, Sendable {
    /// A body of no bytes, or of white space only.
    case emptyBody
    /// Not JSON by RFC 8259, or nested deeper than the limit.
    case malformedJSON(JSONProblem, offset: Int)
    /// JSON, but not of the schema's shape. `path` is the JSON's own: `people[3].height`.
    case mismatch(Mismatch, path: String, offset: Int)
    /// The object that the message maps onto is absent or null: `data`.
    case rootMissing(path: String)
    /// Not a protobuf message of its type.
    case malformedProtobuf(ProtobufProblem, offset: Int)
    /// A field that the message does not have, or whose type the operation does not take.
    case unknownField(name: String, message: String)
    /// A view that its messages cannot carry; the text says what is missing.
    case unsuitableView(String)
    /// A page is asked for by a text that no answer gave.
    case invalidCursor

    /// Where the input stopped making sense; nil when that is nowhere in particular.
    package var offset: Int? {
        switch self {
        case .malformedJSON(_, let offset), .mismatch(_, _, let offset), .malformedProtobuf(_, let offset):
            offset
        case .emptyBody, .rootMissing, .unknownField, .unsuitableView, .invalidCursor: nil
        }
    }
}

/// What RFC 8259 forbids at an offset.
package enum JSONProblem: Equatable, Sendable {
    case unexpectedByte(UInt8)
    case unexpectedEnd
    case byteOrderMark
    case trailingBytes
    case invalidNumber
    /// A control character that stands unescaped in a string.
    case controlCharacter(UInt8)
    case invalidEscape
    /// Half of a surrogate pair.
    case loneSurrogate
    case invalidUTF8
    case tooDeep(limit: Int)
}

/// How a JSON value misses the type its field has in the schema.
package enum Mismatch: Equatable, Sendable {
    /// `expected` is what the field takes, in words: `a number`.
    case wrongType(expected: Expected)
    case outOfRange(Expected)
    case notBase64
    /// `null` as an element of a list or a value of a map.
    case nullElement
    case missing(field: String)
    case twoOfOneof(name: String)

    package enum Expected: String, Sendable {
        case object = "an object"
        case array = "an array"
        case string = "a string"
        case bool = "true or false"
        case integer = "a whole number"
        case int32 = "a signed 32-bit number"
        case int64 = "a signed 64-bit number"
        case uint32 = "an unsigned 32-bit number"
        case uint64 = "an unsigned 64-bit number"
        case float = "a 32-bit floating-point number"
        case double = "a number"
        case enumeration = "an enum name or number"
        case bytes = "base64 text"
    }
}

/// What the protobuf encoding forbids at an offset.
package enum ProtobufProblem: Equatable, Sendable {
    /// A varint, length, tag or group that the encoding does not allow, or the end in the middle of a value.
    case malformed
    /// A string field that is not UTF-8.
    case invalidUTF8
    case tooDeep(limit: Int)
}

extension TranscodeError: CustomStringConvertible {
    /// One sentence without a final stop, fit for an error text that begins with the upstream's name.
    package var description: String {
        switch self {
        case .emptyBody: "the body is empty"
        case .malformedJSON(let problem, let offset): "malformed JSON at byte \(offset): \(problem)"
        case .mismatch(let mismatch, let path, let offset):
            "\(path.isEmpty ? "the root" : path) does not fit the schema: \(mismatch) (byte \(offset))"
        case .rootMissing(let path): "the JSON has no object at \(path)"
        case .malformedProtobuf(let problem, let offset): "malformed protobuf at byte \(offset): \(problem)"
        case .unknownField(let name, let message): "\(message) has no suitable field \(name)"
        case .unsuitableView(let reason): reason
        case .invalidCursor: "the cursor is none that an answer gave"
        }
    }
}

extension JSONProblem: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unexpectedByte(let byte) where (0x21..<0x7f).contains(byte):
            "unexpected \(Character(UnicodeScalar(byte)))"
        case .unexpectedByte(let byte): "unexpected byte 0x\(String(byte, radix: 16))"
        case .unexpectedEnd: "unexpected end"
        case .byteOrderMark: "a byte order mark"
        case .trailingBytes: "more bytes after the end"
        case .invalidNumber: "an invalid number"
        case .controlCharacter(let byte): "an unescaped control character 0x\(String(byte, radix: 16))"
        case .invalidEscape: "an invalid escape"
        case .loneSurrogate: "half of a surrogate pair"
        case .invalidUTF8: "invalid UTF-8"
        case .tooDeep(let limit): "nested deeper than \(limit)"
        }
    }
}

extension Mismatch: CustomStringConvertible {
    package var description: String {
        switch self {
        case .wrongType(let expected): "expected \(expected.rawValue)"
        case .outOfRange(let expected): "out of range for \(expected.rawValue)"
        case .notBase64: "expected base64 text"
        case .nullElement: "null is not an element"
        case .missing(let field): "the required field \(field) is missing"
        case .twoOfOneof(let name): "more than one member of the oneof \(name) is set"
        }
    }
}

extension ProtobufProblem: CustomStringConvertible {
    package var description: String {
        switch self {
        case .malformed: "invalid or cut off"
        case .invalidUTF8: "a string that is not UTF-8"
        case .tooDeep(let limit): "nested deeper than \(limit)"
        }
    }
}
