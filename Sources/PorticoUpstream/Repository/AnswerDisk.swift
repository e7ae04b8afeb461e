internal import PorticoConfig

/// The last good answers on disk. The shell between answers and the store's entries; it knows what time it is outside.
final class AnswerDisk: Sendable {
    /// Where the answers of one method are.
    struct Place: Sendable {
        /// Everything but the request that decides what an answer is: the schemas, the upstream, how it is decoded. When one
        /// of them changes, what was kept is not found any more.
        let method: String

        /// - Parameter fingerprint: of the schemas.
        init(route: String, baseURL: String, mode: String, fingerprint: String) {
            method = "\(route) \(mode) \(baseURL) \(fingerprint)"
        }

        fileprivate func name(_ key: AnswerKey) -> String {
            "\(method) \(Self.hex(key.identity.digest)) \(Self.hex(key.request))"
        }

        private static func hex(_ bytes: [UInt8]) -> String {
            String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
        }

        private static let digits = Array("0123456789abcdef".utf8)
    }

    private let store: DiskStore
    private let clock: any UpstreamClock

    /// Nil: the environment names no directory, or one that cannot be used.
    init?(_ configuration: Configuration, _ surroundings: UpstreamClient.Surroundings) {
        guard let directory = configuration.cache.directory else { return nil }
        let events = surroundings.events
        let largest = configuration.upstreams.values.map(\.maxBodyBytes).max() ?? 0
        let store = DiskStore(
            .init(
                directory: directory, kind: "answer", limitBytes: configuration.cache.diskBytes,
                entryLimitBytes: largest),
            dropped: { events(.diskEntryDropped(file: $0)) })
        guard let store else {
            events(.directoryUnusable(directory: directory))
            return nil
        }
        self.store = store
        clock = surroundings.clock
    }

    var statistics: DiskStore.Statistics { store.statistics }

    /// Does not block.
    func mayHold(_ key: AnswerKey, _ place: Place) -> Bool {
        store.mayHold(place.name(key), group: place.method)
    }

    /// Does not block.
    func keepBehind(_ answer: StoredAnswer, for key: AnswerKey, _ place: Place) {
        store.keepBehind(
            DiskEntry(
                key: place.name(key), contentType: "", fetchedAt: clock.secondsSince1970,
                data: AnswerFile.encode(answer)),
            group: place.method)
    }

    /// Its age is told by the time outside. A file from the future, after that time was set back, counts as new.
    func answer(for key: AnswerKey, _ place: Place) async -> StoredAnswer? {
        guard let entry = await store.entry(for: place.name(key), group: place.method) else { return nil }
        let age = Duration.seconds(max(0, clock.secondsSince1970 - entry.fetchedAt))
        return AnswerFile.decode(entry.data, fetchedAt: clock.now - age)
    }

    /// Does not block.
    func void(_ place: Place) { store.void(group: place.method) }

    /// Returns when what was to be written is on disk.
    func settle() async { await store.settle() }
}
