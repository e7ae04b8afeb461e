import PorticoConfig
import PorticoTranscode
import PorticoWire

/// `Control/GetFlags`: a client's feature flags, evaluated for its Hello.
struct FlagAnswers: Sendable {
    private let evaluator: FlagEvaluator

    init(_ evaluator: FlagEvaluator) { self.evaluator = evaluator }

    /// - Parameter request: `portico.v1.GetFlagsRequest`; without names it asks for all.
    func answer(
        to request: Span<UInt8>, from client: Hello, atSeconds now: Int64
    ) throws(ProtobufError) -> [UInt8] {
        var names: [String] = []
        var cursor = ProtobufCursor(0..<request.count)
        while let tag = try cursor.nextTag(in: request) {
            switch tag.field {
            case 1: names.append(try cursor.string(tag, in: request))
            default: try cursor.skip(tag.wireType, in: request)
            }
        }
        let context = FlagContext(client)
        var writer = ProtobufWriter()
        for name in names.isEmpty ? evaluator.names : names {
            let result = evaluator.evaluate(name, for: context, timestamp: now)
            writer.messageField(1) { Self.write(name, result, into: &$0) }
        }
        return writer.bytes
    }

    /// `portico.v1.Flag`; a flag that nobody defined has no value and no variant.
    private static func write(_ name: String, _ result: FlagResult?, into writer: inout ProtobufWriter) {
        writer.stringField(1, name)
        switch result?.value {
        case .bool(let value): writer.boolField(2, value)
        case .string(let value): writer.stringField(3, value)
        case .number(let text): writer.doubleField(4, Double(text) ?? 0)
        case .some(let value) where value != .null: writer.stringField(5, value.compactText)
        case .null, .array, .object, nil: break
        }
        if let result { writer.stringField(6, result.variant) }
        writer.stringField(7, (result?.reason ?? .error).rawValue)
    }
}
