import PorticoConfig
import PorticoEventLoop
import PorticoSchema
import PorticoWire

/// `portico.v1.Control`: what the server says about itself, from memory.
struct ControlService: Sendable {
    private enum Answerer: Sendable {
        /// The same for everybody.
        case fixed([UInt8])
        case flags
    }

    private let answerers: [MethodID: Answerer]
    private let flags: FlagAnswers

    init(configuration: Configuration, schema: Schema) {
        flags = FlagAnswers(FlagEvaluator(flags: configuration.flags))
        var answerers: [MethodID: Answerer] = [:]
        for (index, method) in schema.methods.enumerated() where method.service == "portico.v1.Control" {
            answerers[MethodID(index)] =
                switch method.name {
                case "GetEnvironment": .fixed(Self.environment(configuration))
                case "GetFlags": .flags
                case "ListMethods": .fixed(Self.methods(of: schema))
                case "GetSchema": .fixed(Self.files(of: schema))
                default: nil
                }
        }
        self.answerers = answerers
    }

    /// - Parameter client: flags are evaluated for it.
    func answer(
        to method: MethodID, request: Span<UInt8>, from client: Hello
    ) throws(CallError) -> [UInt8] {
        do throws(ProtobufError) {
            switch answerers[method] {
            case .fixed(let message):
                try ProtobufCursor.check(request)
                return message
            case .flags:
                return try flags.answer(
                    to: request, from: client, atSeconds: Host.wallClockMilliseconds / 1000)
            case nil: break
            }
        } catch {
            throw CallError(error, in: "the request")
        }
        throw CallError(.unimplemented, "the schema has this method of Control, this server does not")
    }

    /// `portico.v1.Environment`
    private static func environment(_ configuration: Configuration) -> [UInt8] {
        var writer = ProtobufWriter()
        writer.stringField(1, configuration.environment.lowercased())
        writer.stringField(2, Server.version)
        return writer.bytes
    }

    /// `portico.v1.MethodList`
    private static func methods(of schema: Schema) -> [UInt8] {
        var writer = ProtobufWriter()
        for method in schema.methods {
            writer.messageField(1) { writer in
                writer.stringField(1, method.route)
                writer.stringField(2, schema[method.input].fullName)
                writer.stringField(3, schema[method.output].fullName)
                if !method.documentation.isEmpty { writer.stringField(4, method.documentation) }
            }
        }
        return writer.bytes
    }

    /// `portico.v1.SchemaFiles`
    private static func files(of schema: Schema) -> [UInt8] {
        var writer = ProtobufWriter()
        writer.bytesField(1, schema.fileDescriptorSet)
        return writer.bytes
    }
}
