import PorticoUpstream
import PorticoWire
import Synchronization

/// What the server has done since its start, gathered when an operator asks.
///
/// Each event loop counts in a ``LoopMetrics`` of its own, so that counting never contends; the other modules' numbers
/// come from functions that are asked at the same moment. The lock is held to read the two lists, never while asking.
package final class Metrics: Sendable {
    package typealias Source = @Sendable () -> [MetricFamily]

    private struct Sources {
        var loops: [LoopMetrics] = []
        var others: [Source] = []
    }
    private let sources = Mutex(Sources())

    package init() {}

    /// For a new event loop.
    package func makeLoopMetrics() -> LoopMetrics {
        let metrics = LoopMetrics()
        sources.withLock { $0.loops.append(metrics) }
        return metrics
    }

    /// Numbers from elsewhere: upstream calls, caches. Called on the operator's loop: it must not block.
    package func add(_ source: @escaping Source) {
        sources.withLock { $0.others.append(source) }
    }

    /// Connections open now.
    package var openConnections: Int {
        sources.withLock { $0.loops }.reduce(0) {
            $0 + $1.connectionsOpened.value - $1.connectionsClosed.value
        }
    }

    package var families: [MetricFamily] {
        let (loops, others) = sources.withLock { ($0.loops, $0.others) }
        func sum(_ number: (LoopMetrics) -> Int) -> [MetricFamily.Sample] {
            [.init(value: Double(loops.reduce(0) { $0 + number($1) }))]
        }
        let byCode = StatusCode.allCases.map { code in
            let total = loops.reduce(0) { $0 + $1.calls(endedWith: code) }
            return MetricFamily.Sample(labels: [.init("code", code.name)], value: Double(total))
        }
        let byOrigin = Self.origins.map { origin, name in
            let total = loops.reduce(0) { $0 + $1.answers(from: origin) }
            return MetricFamily.Sample(labels: [.init("source", name)], value: Double(total))
        }
        let own = [
            MetricFamily(
                "portico_connections_open", "Client connections open now.", .gauge,
                [.init(value: Double(openConnections))]),
            MetricFamily(
                "portico_connections_total", "Client connections accepted.", .counter,
                sum { $0.connectionsOpened.value }),
            MetricFamily("portico_calls_total", "Calls that ended, by code.", .counter, byCode),
            MetricFamily(
                "portico_answers_total", "Answers given, by where they came from.", .counter, byOrigin),
            MetricFamily(
                "portico_received_bytes_total", "Bytes read from clients.", .counter,
                sum { $0.receivedBytes.value }),
            MetricFamily(
                "portico_sent_bytes_total", "Bytes written to clients.", .counter, sum { $0.sentBytes.value }),
        ]
        return own + others.flatMap { $0() }
    }

    private static let origins: [(Answer.Origin, String)] = [
        (.hit, "hit"), (.stale, "stale"), (.miss, "miss"),
    ]

    /// Prometheus' text format, version 0.0.4.
    package var text: String {
        families.reduce(into: "") { text, family in family.write(to: &text) }
    }
}
