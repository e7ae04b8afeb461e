import PorticoServer
import PorticoUpstream
import Testing

@Suite struct UpstreamMetricsTests {
    private static func statistics(disk: DiskStore.Statistics?) -> UpstreamStatistics {
        var calls = CallTally()
        calls.ended(.succeeded)
        calls.ended(.timedOut)
        calls.ended(.timedOut)
        calls.retried()
        return UpstreamStatistics(
            upstreams: [.init(name: "tv", calls: calls, breaker: .open, running: 3, waiting: 4)],
            answers: .init(bytes: 100, entries: 2, evictions: 1, disk: disk),
            images: .init(bytes: 7, entries: 1, evictions: 0, disk: nil),
            imageSavings: [.shrinking: 11, .notModified: 12])
    }

    private func text(disk: DiskStore.Statistics?) -> String {
        let metrics = Metrics()
        metrics.add { Self.statistics(disk: disk).families }
        return metrics.text
    }

    @Test(arguments: [
        "portico_upstream_calls_total{upstream=\"tv\",outcome=\"succeeded\"} 1",
        "portico_upstream_calls_total{upstream=\"tv\",outcome=\"timed_out\"} 2",
        "portico_upstream_calls_total{upstream=\"tv\",outcome=\"breaker_open\"} 0",
        "portico_upstream_retries_total{upstream=\"tv\"} 1",
        "portico_upstream_breaker_state{upstream=\"tv\"} 2",
        "portico_upstream_calls_running{upstream=\"tv\"} 3",
        "portico_upstream_calls_waiting{upstream=\"tv\"} 4",
        "portico_cache_bytes{cache=\"answers\"} 100", "portico_cache_bytes{cache=\"images\"} 7",
        "portico_cache_entries{cache=\"answers\"} 2", "portico_cache_evictions_total{cache=\"answers\"} 1",
        "portico_disk_dropped_total{cache=\"answers\"} 5", "portico_disk_bytes{cache=\"answers\"} 9",
        "portico_image_saved_bytes_total{by=\"shrinking\"} 11",
        "portico_image_saved_bytes_total{by=\"not_modified\"} 12",
        "portico_image_saved_bytes_total{by=\"resuming\"} 0",
    ])
    func operatorsSeeUpstreamsAndCaches(line: String) {
        let disk = DiskStore.Statistics(bytes: 9, entries: 1, hits: 2, dropped: 5, unwritten: 0)
        #expect(text(disk: disk).split(separator: "\n").contains { $0 == line })
    }

    @Test func whatIsNotOnDiskHasNoDiskNumbers() {
        #expect(!text(disk: nil).contains("portico_disk_bytes{"))
    }
}
