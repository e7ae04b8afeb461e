import PorticoSchema
import PorticoUpstream
import PorticoWire
import Synchronization

/// What one observer was told, in order.
final class Ear: Sendable {
    private let stream: AsyncStream<Observed>
    private let continuation: AsyncStream<Observed>.Continuation
    private let count = Atomic(0)
    var heard: Int { count.load(ordering: .relaxed) }

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func hear(_ observed: Observed) {
        count.add(1, ordering: .relaxed)
        continuation.yield(observed)
    }

    /// The next one: JSON and origin, or the error.
    func next(as message: MessageID = TestSchema.itemID) async throws -> String {
        var iterator = stream.makeAsyncIterator()
        switch await iterator.next() {
        case .answer(let observed)?:
            let answer = observed.answer(at: observed.fetchedAt)
            return "\(observed.origin) \(try answer.json(message))"
        case .failed(let error)?: return error.text
        case nil: return "end"
        }
    }
}

extension Harness {
    func observe(
        _ method: MethodID = TestSchema.item, _ request: [UInt8] = Request.text(1, "7")
    ) throws -> (Ear, Observation) {
        let ear = Ear()
        let observation = try repository.observe(
            Call(method: method, request: request, deadline: clock.now)
        ) { ear.hear($0) }
        return (ear, observation)
    }

    /// Returns when all that is observed waits for its next refresh, and nothing else sleeps.
    func pause() async {
        while true {
            let observed = repository.observed
            if observed.subjects > 0, observed.pausing == observed.subjects,
                clock.sleeperCount == observed.pausing
            {
                return
            }
            await Task.yield()
        }
    }
}
