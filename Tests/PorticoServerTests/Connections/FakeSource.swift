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

    private let asked = Atomic(0)
    /// Calls that were not answered from what is kept.
    var askedCount: Int { asked.load(ordering: .relaxed) }

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
        asked.add(1, ordering: .relaxed)
        report.yield(.asked(name))
        switch name {
        case "Echo", "Write": return Answer(message: call.request, origin: .miss, skippedItems: 2)
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

    // MARK: Observing

    private struct Audience {
        var listeners: [Int: @Sendable (Observed) -> Void] = [:]
        var joined = 0
        var version: UInt64 = 0
    }
    private let audience = Mutex(Audience())
    var observerCount: Int { audience.withLock { $0.listeners.count } }

    /// "Echo" tells the request at once, "Never" nothing, others that there is no such thing.
    func observe(
        _ call: Call, tell: @escaping @Sendable (Observed) -> Void
    ) throws(CallError) -> Observation {
        let name = names[call.method.index]
        let (id, version) = audience.withLock { audience in
            audience.joined += 1
            audience.version += 1
            audience.listeners[audience.joined] = tell
            return (audience.joined, audience.version)
        }
        report.yield(.asked(name))
        switch name {
        case "Echo": tell(.answer(Self.answer(call.request, version)))
        case "Never": break
        default: tell(.failed(CallError(.notFound, "the upstream `fake` has no such thing")))
        }
        return Observation { [self] in
            let isGone = audience.withLock { $0.listeners.removeValue(forKey: id) != nil }
            if isGone { report.yield(.cancelled(name)) }
        }
    }

    /// Tells all who observe.
    func tell(_ message: [UInt8], _ origin: Answer.Origin = .miss) {
        let (listeners, version) = audience.withLock { audience in
            audience.version += 1
            return (Array(audience.listeners.values), audience.version)
        }
        for tell in listeners { tell(.answer(Self.answer(message, version, origin))) }
    }

    private static func answer(
        _ message: [UInt8], _ version: UInt64, _ origin: Answer.Origin = .miss
    ) -> ObservedAnswer {
        ObservedAnswer(
            message: message, fetchedAt: .now - .seconds(2), origin: origin,
            cursor: Array("\(message.count) ".utf8) + message.prefix(8), version: version)
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
        let writing = MethodDescriptor(
            name: "Write", service: "test.v1.Test", input: MessageID(0), output: MessageID(0),
            binding: .upstream(
                UpstreamBinding(
                    base: "fake", method: .post, path: PathTemplate(path: Template([]), query: []))),
            location: here)
        let control = ["GetEnvironment", "GetFlags", "ListMethods", "GetSchema"].map { name in
            MethodDescriptor(
                name: name, service: "portico.v1.Control", input: MessageID(0), output: MessageID(0),
                binding: .builtIn, documentation: "About \(name).", location: here)
        }
        return Schema(
            messages: [empty], enums: [], methods: tested + [writing] + control, fileDescriptorSet: [1, 2, 3])
    }()
}
