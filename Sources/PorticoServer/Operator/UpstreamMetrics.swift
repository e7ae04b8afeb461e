package import PorticoUpstream

extension UpstreamStatistics {
    /// As the operator's metrics show them.
    package var families: [MetricFamily] { upstreamFamilies + storeFamilies + diskFamilies + [savings] }

    private var upstreamFamilies: [MetricFamily] {
        [
            MetricFamily(
                "portico_upstream_calls_total", "HTTP calls to upstreams, by how they ended.", .counter,
                upstreams.flatMap { upstream in
                    CallTally.Outcome.allCases.map { outcome in
                        .init(
                            labels: [.init("upstream", upstream.name), .init("outcome", outcome.rawValue)],
                            value: Double(upstream.calls[outcome]))
                    }
                }),
            perUpstream("portico_upstream_retries_total", "Calls made again.", .counter) { $0.calls.retries },
            perUpstream(
                "portico_upstream_breaker_state",
                "0: closed, calls go through; 1: probing, one does; 2: open, none does.", .gauge
            ) { $0.breaker.metricValue },
            perUpstream("portico_upstream_calls_running", "HTTP calls under way.", .gauge) { $0.running },
            perUpstream("portico_upstream_calls_waiting", "Calls that wait for their turn.", .gauge) {
                $0.waiting
            },
        ]
    }

    private var storeFamilies: [MetricFamily] {
        [
            perStore("portico_cache_bytes", "Bytes kept in memory.", .gauge) { $0.bytes },
            perStore("portico_cache_entries", "Entries kept in memory.", .gauge) { $0.entries },
            perStore("portico_cache_evictions_total", "Entries that had to leave memory.", .counter) {
                $0.evictions
            },
        ]
    }

    private var diskFamilies: [MetricFamily] {
        [
            perDisk("portico_disk_bytes", "Bytes of the files kept.", .gauge, \.bytes),
            perDisk("portico_disk_entries", "Files kept.", .gauge, \.entries),
            perDisk("portico_disk_hits_total", "Entries read back.", .counter, \.hits),
            perDisk(
                "portico_disk_dropped_total", "Files that were not what had been written, and were removed.",
                .counter, \.dropped),
            perDisk(
                "portico_disk_unwritten_total", "Entries that could not be written.", .counter, \.unwritten),
        ]
    }

    private var savings: MetricFamily {
        MetricFamily(
            "portico_image_saved_bytes_total", "Bytes that images did not cost, by what saved them.",
            .counter,
            ImageSavings.Way.allCases.map {
                .init(labels: [.init("by", $0.rawValue)], value: Double(imageSavings[$0, default: 0]))
            })
    }

    private func perUpstream(
        _ name: String, _ help: String, _ kind: MetricFamily.Kind, _ number: (Upstream) -> Int
    ) -> MetricFamily {
        MetricFamily(
            name, help, kind,
            upstreams.map { .init(labels: [.init("upstream", $0.name)], value: Double(number($0))) })
    }

    private var stores: [(name: String, store: Store)] { [("answers", answers), ("images", images)] }

    private func perStore(
        _ name: String, _ help: String, _ kind: MetricFamily.Kind, _ number: (Store) -> Int
    ) -> MetricFamily {
        MetricFamily(
            name, help, kind,
            stores.map { .init(labels: [.init("cache", $0.name)], value: Double(number($0.store))) })
    }

    private func perDisk(
        _ name: String, _ help: String, _ kind: MetricFamily.Kind, _ number: (DiskStore.Statistics) -> Int
    ) -> MetricFamily {
        MetricFamily(
            name, help, kind,
            stores.compactMap { name, store in
                store.disk.map { .init(labels: [.init("cache", name)], value: Double(number($0))) }
            })
    }
}

extension Breaker.State {
    fileprivate var metricValue: Int {
        switch self {
        case .closed: 0
        case .probing: 1
        case .open: 2
        }
    }
}
