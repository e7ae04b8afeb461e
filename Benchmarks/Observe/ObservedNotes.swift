import PorticoSchema
import PorticoUpstream
import PorticoWire
import Synchronization

/// What is observed: one text of a kilobyte, which every write makes another one.
enum ObservedNotes {
    static let get = "benchmark.v1.Notes/Get"
    static let touch = "benchmark.v1.Notes/Touch"

    private static let place = SourceLocation(file: "notes.proto", line: 1, column: 1)

    static let schema: Schema = {
        func field(_ name: String, _ number: Int, _ type: FieldType) -> FieldDescriptor {
            FieldDescriptor(
                name: name, jsonName: name, number: number, type: type, cardinality: .implicit,
                location: place)
        }
        let messages = [
            MessageDescriptor(fullName: "benchmark.v1.GetRequest", fields: [], location: place),
            MessageDescriptor(
                fullName: "benchmark.v1.Note",
                fields: [field("version", 1, .int64), field("text", 2, .string)],
                location: place),
        ]
        func method(_ name: String, _ http: HTTPMethod) -> MethodDescriptor {
            MethodDescriptor(
                name: name, service: "benchmark.v1.Notes", input: MessageID(0), output: MessageID(1),
                binding: .upstream(
                    UpstreamBinding(
                        base: "notes", method: http,
                        path: PathTemplate(path: Template([.literal("note")]), query: []))),
                location: place)
        }
        var touch = method("Touch", .post)
        touch.invalidates = [MethodID(0)]
        return Schema(
            messages: messages, enums: [], methods: [method("Get", .get), touch], fileDescriptorSet: [])
    }()

    /// The upstream: each POST counts the version up.
    final class Upstream: HTTPTransport {
        private let version = Atomic(1)

        func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
            let version =
                request.method == .post
                ? version.add(1, ordering: .relaxed).newValue : version.load(ordering: .relaxed)
            let text = String(repeating: "observed ", count: 112)
            return HTTPResponse(status: 200, body: Array(#"{"version":\#(version),"text":"\#(text)"}"#.utf8))
        }
    }
}
