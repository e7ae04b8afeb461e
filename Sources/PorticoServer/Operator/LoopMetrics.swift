package import PorticoUpstream
package import PorticoWire

/// What one event loop has done. Its own thread counts, the operator's reads.
package final class LoopMetrics: Sendable {
    package let connectionsOpened = Counter()
    package let connectionsClosed = Counter()
    package let receivedBytes = Counter()
    package let sentBytes = Counter()
    /// By the raw value of ``StatusCode``.
    private let calls: [17 of Counter]
    private let hits = Counter()
    private let staleAnswers = Counter()
    private let misses = Counter()

    init() {
        calls = InlineArray { _ in Counter() }
        assert(StatusCode.allCases.count == calls.count, "a status code without a counter")
    }

    /// A call has ended.
    package func callEnded(_ code: StatusCode) { callsEnded(code, 1) }

    package func callsEnded(_ code: StatusCode, _ count: Int) { calls[Int(code.rawValue)].add(count) }

    /// Answers were given, from the cache or not.
    package func answered(_ count: Int, from origin: Answer.Origin) {
        switch origin {
        case .hit: hits.add(count)
        case .stale: staleAnswers.add(count)
        case .miss: misses.add(count)
        }
    }

    func calls(endedWith code: StatusCode) -> Int { calls[Int(code.rawValue)].value }

    func answers(from origin: Answer.Origin) -> Int {
        switch origin {
        case .hit: hits.value
        case .stale: staleAnswers.value
        case .miss: misses.value
        }
    }
}
