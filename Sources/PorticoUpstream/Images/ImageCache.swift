package import PorticoConfig
internal import PorticoWire
internal import Synchronization

/// Pictures from memory, else from disk, else from their upstream; the placeholder when there is none to be had.
package final class ImageCache: Sendable {
    /// A picture below the base of one image upstream.
    package struct Source: Sendable {
        package let client: UpstreamClient
        /// Percent-encoded, below the base.
        package let path: String
        package let query: String?
        /// Without the environment's own query items, which may be secret.
        let key: String

        package init(client: UpstreamClient, path: String, query: String? = nil) {
            self.client = client
            self.path = path
            self.query = query
            key = "\(client.name) \(client.place) \(path)" + (query.map { "?\($0)" } ?? "")
        }
    }

    private struct FlightKey: Hashable, Sendable {
        let key: String
        /// A refresh goes to the network at once.
        let isRefresh: Bool
    }

    private let memory: Mutex<ImageMemory>
    private let disk: DiskStore?
    private let flights: Flights<FlightKey, Found>
    private let download: ImageDownload
    private let changes = Atomic<UInt64>(0)
    let savings: ImageSavings
    /// Nil: pictures stay as they come.
    private let shrinker: IdleShrinker?
    private let settings: Configuration.Images
    private let surroundings: UpstreamClient.Surroundings

    /// How long a refresh that nobody waits for may take.
    private static let refreshLimit = Duration.seconds(30)

    /// A larger file is not read and checked on a loop, where others wait meanwhile: a tenth of a millisecond's worth.
    private static let atHandBytes = 256 << 10

    /// The ending of its files.
    package static let diskKind = "image"

    /// Of one entry's data: the picture, and some room for what is kept beside it.
    package static func diskEntryLimit(_ settings: Configuration.Images) -> Int {
        settings.maxImageBytes + 16 << 10
    }

    private struct Found: Sendable {
        let image: StoredImage
        let origin: Answer.Origin
    }

    package convenience init(_ settings: Configuration.Images, _ surroundings: UpstreamClient.Surroundings) {
        let disk = settings.directory.flatMap { Self.disk(settings, in: $0, surroundings.events) }
        let memory = ImageMemory(limitBytes: settings.memoryBytes, fresh: settings.fresh)
        self.init(settings, surroundings, memory, disk, ImageSavings())
    }

    /// Pictures in a directory that cannot be written to are served all the same.
    private static func disk(
        _ settings: Configuration.Images, in directory: String, _ events: @escaping UpstreamEvents
    ) -> DiskStore? {
        let place = DiskStore.Settings(
            directory: directory, kind: diskKind, limitBytes: settings.maxBytes,
            entryLimitBytes: diskEntryLimit(settings), packing: .asItIs)
        let dropped: DiskStore.Dropped = { events(.diskEntryDropped(file: $0)) }
        if let store = DiskStore(place, dropped: dropped) { return store }
        let store = DiskStore(reading: place, dropped: dropped)
        events(
            store == nil
                ? .directoryUnusable(directory: directory) : .directoryReadOnly(directory: directory))
        return store
    }

    /// Goes on from `previous` with other settings: the pictures stay. Calls that `previous` has begun end there.
    ///
    /// Nothing is put into the directory in another way: what concerns it needs a restart.
    convenience init(_ settings: Configuration.Images, following previous: ImageCache) {
        var memory = previous.memory.withLock { $0 }
        memory.adapt(limitBytes: settings.memoryBytes, fresh: settings.fresh)
        self.init(settings, previous.surroundings, memory, previous.disk, previous.savings)
    }

    private init(
        _ settings: Configuration.Images, _ surroundings: UpstreamClient.Surroundings, _ memory: ImageMemory,
        _ disk: DiskStore?, _ savings: ImageSavings
    ) {
        self.settings = settings
        self.savings = savings
        self.surroundings = surroundings
        download = ImageDownload(settings: settings, clock: surroundings.clock, savings: savings)
        shrinker = settings.shrinkPNG ? IdleShrinker() : nil
        self.memory = Mutex(memory)
        self.disk = disk
        flights = Flights(clock: surroundings.clock)
    }

    package var statistics: UpstreamStatistics.Store {
        memory.withLock { memory in
            .init(
                bytes: memory.bytes, entries: memory.count, evictions: memory.evictions,
                disk: disk?.statistics)
        }
    }

    /// Changes whenever a picture takes another's place.
    package var generation: UInt64 { changes.load(ordering: .relaxed) }

    /// Returns when what was to be written is on disk.
    package func settle() async { await disk?.settle() }

    /// Refreshes under way.
    package var refreshCount: Int { flights.count }

    /// From memory, the kernel's too; nil: ask ``answer(for:known:deadline:)``. Does not block.
    ///
    /// - Parameter known: the etag of the picture that the client has.
    package func cachedAnswer(for source: Source, known: String? = nil) -> Answer? {
        found(source).map { answer($0, known: known) }
    }

    package func answer(
        for source: Source, known: String? = nil, deadline: ContinuousClock.Instant
    ) async throws(UpstreamError) -> Answer {
        if let cached = cachedAnswer(for: source, known: known) { return cached }
        let outcome = await flights.outcome(
            for: FlightKey(key: source.key, isRefresh: false), .until(deadline),
            late: .deadline(upstream: source.client.name)
        ) { [self] flight in
            if let kept = await fromDisk(source) { return .success(kept) }
            return await fetched(source) { [flights] in flights.deadline(of: flight) }
        }
        return answer(try outcome.get(), known: known)
    }

    /// The placeholder, for what is not even asked for.
    package func placeholder(because reason: String) -> Answer {
        let image = StoredImage(placeholderBecause: reason, fetchedAt: surroundings.clock.secondsSince1970)
        return Answer(message: image.message, origin: .miss)
    }

    private func answer(_ found: Found, known: String?) -> Answer {
        let image = found.image
        let isKnown = known == image.etag && !image.isPlaceholder
        let message = isKnown ? image.notModified : image.message
        if isKnown { savings.add(image.message.count - message.count, by: .notModified) }
        return Answer(
            message: message, deflated: isKnown ? .notWorthwhile : image.deflated, origin: found.origin,
            age: .seconds(max(0, surroundings.clock.secondsSince1970 - image.fetchedAt)))
    }

    private func found(_ source: Source) -> Found? {
        shrinker?.requested()
        let now = surroundings.clock.secondsSince1970
        switch memory.withLock({ $0.lookup(source.key, now: now) }) {
        case .missing:
            guard let entry = disk?.entryAtHand(for: source.key, limitBytes: Self.atHandBytes) else {
                return nil
            }
            return restored(entry, for: source)
        case .fresh(let image): return Found(image: image, origin: .hit)
        case .stale(let image, let isRefreshDue):
            if isRefreshDue { refresh(source, image) }
            return Found(image: image, origin: .stale)
        }
    }

    private func fromDisk(_ source: Source) async -> Found? {
        guard let entry = await disk?.entry(for: source.key) else { return nil }
        return restored(entry, for: source)
    }

    private func restored(_ entry: consuming DiskEntry, for source: Source) -> Found? {
        guard let image = ImageFile.image(entry, limitBytes: Self.diskEntryLimit(settings)) else {
            return nil
        }
        memory.withLock { $0.keep(image, for: source.key) }
        let isFresh = .seconds(surroundings.clock.secondsSince1970 - image.fetchedAt) < settings.fresh
        if !isFresh { refresh(source, image) }
        return Found(image: image, origin: isFresh ? .hit : .stale)
    }

    /// From the network, or the placeholder.
    private func fetched(
        _ source: Source, _ deadline: @escaping @Sendable () -> ContinuousClock.Instant
    ) async -> Result<Found, UpstreamError> {
        do {
            let image = try await download.image(source, replacing: nil, deadline)
            keep(image, for: source)
            shrinkLater(image, for: source)
            return .success(Found(image: image, origin: .miss))
        } catch .cancelled {
            return .failure(.cancelled)
        } catch {
            let image = StoredImage(
                placeholderBecause: CallError(error).message, fetchedAt: surroundings.clock.secondsSince1970)
            memory.withLock { $0.keep(image, for: source.key) }
            changes.add(1, ordering: .relaxed)
            return .success(Found(image: image, origin: .miss))
        }
    }

    private func keep(_ image: StoredImage, for source: Source) {
        memory.withLock { $0.keep(image, for: source.key) }
        changes.add(1, ordering: .relaxed)
        keepOnDisk(image, for: source)
    }

    private func keepOnDisk(_ image: StoredImage, for source: Source) {
        guard let disk else { return }
        if let packed = image.packed { savings.add(image.message.count - packed.count, by: .deflating) }
        disk.keepBehind(ImageFile.entry(image, key: source.key))
    }

    /// The smaller picture takes the place of this one, unless another has taken it meanwhile.
    private func shrinkLater(_ image: StoredImage, for source: Source) {
        guard let shrinker, image.contentType == ImageFormat.png.rawValue, let data = image.data else {
            return
        }
        shrinker.offer(data) { [weak self] small in
            guard let self else { return }
            let smaller = image.shrunk(to: small)
            guard memory.withLock({ $0.replace(image, by: smaller, for: source.key) }) else { return }
            changes.add(1, ordering: .relaxed)
            savings.add(data.count - small.count, by: .shrinking)
            keepOnDisk(smaller, for: source)
        }
    }

    /// Behind an answer that has been given; a failure leaves the old picture in place.
    private func refresh(_ source: Source, _ old: StoredImage) {
        let key = FlightKey(key: source.key, isRefresh: true)
        guard !flights.isInFlight(key) else { return }
        let deadline = surroundings.clock.now + Self.refreshLimit
        Task { [self] in
            _ = await flights.outcome(
                for: key, .until(deadline), late: .deadline(upstream: source.client.name)
            ) { [self] flight in
                do throws(UpstreamError) {
                    let image = try await download.image(source, replacing: old) { [flights] in
                        flights.deadline(of: flight)
                    }
                    keep(image, for: source)
                    if image.message != old.message { shrinkLater(image, for: source) }
                    return .success(Found(image: image, origin: .miss))
                } catch {
                    return .failure(error)
                }
            }
        }
    }
}
