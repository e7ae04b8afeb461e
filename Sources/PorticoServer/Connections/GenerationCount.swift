import Synchronization

/// How many generations of ``Services`` there have been, and how many are still in memory: the running one, and those
/// that calls in flight began with.
package final class GenerationCount: Sendable {
    private let all = Atomic(0)
    private let ended = Atomic(0)

    package init() {}

    /// The number of the newest generation, counted from 1.
    package var newest: Int { all.load(ordering: .relaxed) }
    package var living: Int { all.load(ordering: .relaxed) - ended.load(ordering: .relaxed) }

    func made() { all.add(1, ordering: .relaxed) }
    func freed() { ended.add(1, ordering: .relaxed) }

    var families: [MetricFamily] {
        [
            MetricFamily(
                "portico_configuration_generation",
                "The configuration that runs, counted from 1 at the start.", .gauge,
                [.init(value: Double(newest))]),
            MetricFamily(
                "portico_generations_in_memory",
                "The configuration that runs, and older ones that calls in flight still use.", .gauge,
                [.init(value: Double(living))]),
        ]
    }
}
