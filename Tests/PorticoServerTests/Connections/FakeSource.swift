import PorticoEventLoop
import PorticoSchema
import PorticoUpstream
import PorticoWire
import Synchronization

/// A repository whose methods each behave in one way; ``schema`` names them.
final class FakeSource: AnswerSource {
    enum Event: Equatable, Sendable { case asked(String), cancelled(String) }

    private let kept = Mutex<[[UInt8]: Answer]>([:])
    private let names: [String]
    let events: AsyncStream<Event>
    private let report: AsyncStream<Event>.Continuation

    init(_ schema: Schema) {
        names = schema.methods.map(\.name)
        (events, report) = AsyncStream.makeStream()
    }

    private let changes = Atomic<UInt64>(0)
    var generation: UInt64 { changes.load(ordering: .relaxed) }

    func keep(_ request: [UInt8], _ answer: Answer) {
        kept.withLock { $0[request] = answer }
        changes.add(1, ordering: .relaxed)
    }

    func cachedAnswer(to method: MethodID, request: Span<UInt8>) -> Answer? {
        let request = Array(copying: request)
        return kept.withLock { $0[request] }
    }

    func answer(to call: Call) async throws(CallError) -> Answer {
        let name = names[call.method.index]
        report.yield(.asked(name))
        switch name {
        case "Echo": return Answer(message: call.request, origin: .miss, skippedItems: 2)
        case "Remember":
            let answer = Answer(message: call.request, origin: .hit, age: .seconds(3))
            keep(call.request, answer)
            return answer
        case "Large": return Answer(message: [UInt8](repeating: 7, count: 300_000), origin: .miss)
        case "Never":
            await Self.untilCancelled()
            report.yield(.cancelled(name))
            throw CallError(.cancelled, "nobody waits")
        default: throw CallError(.notFound, "the upstream `fake` has no such thing")
        }
    }

    private static func untilCancelled() async {
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        await withTaskCancellationHandler {
            for await _ in stream {}
        } onCancel: {
            continuation.finish()
        }
    }

    static let schema: Schema = {
        let here = SourceLocation(file: "test.proto", line: 1, column: 1)
        let empty = MessageDescriptor(fullName: "test.v1.Any", fields: [], location: here)
        let upstream = MethodBinding.upstream(
            UpstreamBinding(base: "fake", method: .get, path: PathTemplate(path: Template([]), query: [])))
        let tested = ["Echo", "Remember", "Large", "Never", "Fail"].map { name in
            MethodDescriptor(
                name: name, service: "test.v1.Test", input: MessageID(0), output: MessageID(0),
                binding: upstream, location: here)
        }
        let control = ["GetEnvironment", "GetFlags", "ListMethods", "GetSchema"].map { name in
            MethodDescriptor(
                name: name, service: "portico.v1.Control", input: MessageID(0), output: MessageID(0),
                binding: .builtIn, documentation: "About \(name).", location: here)
        }
        return Schema(messages: [empty], enums: [], methods: tested + control, fileDescriptorSet: [1, 2, 3])
    }()
}
