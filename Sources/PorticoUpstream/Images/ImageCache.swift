package import PorticoConfig
internal import PorticoWire
internal import Synchronization

/// Pictures from memory, else from disk, else from their upstream; the placeholder when there is none to be had.
package final class ImageCache: Sendable {
    /// A picture below the base of one image upstream.
    package struct Source: Sendable {
        package var client: UpstreamClient
        /// Percent-encoded, below the base.
        package var path: String
        package var query: String?

        package init(client: UpstreamClient, path: String, query: String? = nil) {
            self.client = client
            self.path = path
            self.query = query
        }

        /// Without the environment's own query items, which may be secret.
        fileprivate var key: String {
            "\(client.name) \(client.place) \(path)" + (query.map { "?\($0)" } ?? "")
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
    private let settings: Configuration.Images
    private let surroundings: UpstreamClient.Surroundings

    /// How long a refresh that nobody waits for may take.
    private static let refreshLimit = Duration.seconds(30)

    private struct Found: Sendable {
        let image: StoredImage
        let origin: Answer.Origin
    }

    package convenience init(_ settings: Configuration.Images, _ surroundings: UpstreamClient.Surroundings) {
        let disk = settings.directory.flatMap { directory in
            let events = surroundings.events
            let store = DiskStore(
                .init(
                    directory: directory, kind: "image", limitBytes: settings.maxBytes,
                    entryLimitBytes: settings.maxImageBytes),
                dropped: { events(.diskEntryDropped(file: $0)) })
            if store == nil { events(.directoryUnusable(directory: directory)) }
            return store
        }
        let memory = ImageMemory(limitBytes: settings.memoryBytes, fresh: settings.fresh)
        self.init(settings, surroundings, memory, disk)
    }

    /// Goes on from `previous` with other settings: the pictures stay. Calls that `previous` has begun end there.
    ///
    /// Nothing is put into the directory in another way: what concerns it needs a restart.
    convenience init(_ settings: Configuration.Images, following previous: ImageCache) {
        var memory = previous.memory.withLock { $0 }
        memory.adapt(limitBytes: settings.memoryBytes, fresh: settings.fresh)
        self.init(settings, previous.surroundings, memory, previous.disk)
    }

    private init(
        _ settings: Configuration.Images, _ surroundings: UpstreamClient.Surroundings, _ memory: ImageMemory,
        _ disk: DiskStore?
    ) {
        self.settings = settings
        self.surroundings = surroundings
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

    /// From memory; nil: ask ``answer(for:deadline:)``. Does not block.
    package func cachedAnswer(for source: Source) -> Answer? {
        let now = surroundings.clock.secondsSince1970
        switch memory.withLock({ $0.lookup(source.key, now: now) }) {
        case .missing: return nil
        case .fresh(let image): return answer(Found(image: image, origin: .hit))
        case .stale(let image, let isRefreshDue):
            if isRefreshDue { refresh(source) }
            return answer(Found(image: image, origin: .stale))
        }
    }

    package func answer(
        for source: Source, deadline: ContinuousClock.Instant
    ) async throws(UpstreamError) -> Answer {
        if let cached = cachedAnswer(for: source) { return cached }
        let outcome = await flights.outcome(
            for: FlightKey(key: source.key, isRefresh: false), .until(deadline),
            late: .deadline(upstream: source.client.name)
        ) { [self] flight in
            if let kept = await fromDisk(source) { return .success(kept) }
            return await fetched(source) { [flights] in flights.deadline(of: flight) }
        }
        return answer(try outcome.get())
    }

    /// The placeholder, for what is not even asked for.
    package func placeholder(because reason: String) -> Answer {
        let image = StoredImage(placeholderBecause: reason, fetchedAt: surroundings.clock.secondsSince1970)
        return Answer(message: image.message, origin: .miss)
    }

    private func answer(_ found: Found) -> Answer {
        let age = max(0, surroundings.clock.secondsSince1970 - found.image.fetchedAt)
        return Answer(message: found.image.message, origin: found.origin, age: .seconds(age))
    }

    private func fromDisk(_ source: Source) async -> Found? {
        guard let entry = await disk?.entry(for: source.key) else { return nil }
        let image = StoredImage(data: entry.data, contentType: entry.contentType, fetchedAt: entry.fetchedAt)
        memory.withLock { $0.keep(image, for: source.key) }
        let isFresh = .seconds(surroundings.clock.secondsSince1970 - entry.fetchedAt) < settings.fresh
        if !isFresh { refresh(source) }
        return Found(image: image, origin: isFresh ? .hit : .stale)
    }

    /// From the network, or the placeholder.
    private func fetched(
        _ source: Source, _ deadline: @escaping @Sendable () -> ContinuousClock.Instant
    ) async -> Result<Found, UpstreamError> {
        let image: StoredImage
        do {
            image = try await download(source, deadline)
        } catch .cancelled {
            return .failure(.cancelled)
        } catch {
            image = StoredImage(
                placeholderBecause: CallError(error).message, fetchedAt: surroundings.clock.secondsSince1970)
        }
        memory.withLock { $0.keep(image, for: source.key) }
        return .success(Found(image: image, origin: .miss))
    }

    private func download(
        _ source: Source, _ deadline: @Sendable () -> ContinuousClock.Instant
    ) async throws(UpstreamError) -> StoredImage {
        let name = source.client.name
        let request = UpstreamClient.Request(
            path: source.path, query: source.query, accept: "image/*", bodyLimitBytes: settings.maxImageBytes)
        let response = try await source.client.send(request, deadline: deadline) {
            response throws(UpstreamError) in
            guard !(200..<300).contains(response.status) else { return }
            throw .refused(
                upstream: name, status: response.status, text: nil,
                retryAfter: source.client.retryAfter(of: response))
        }
        guard let format = ImageFormat(signature: response.body) else {
            throw .unreadable(upstream: name, offset: 0, reason: "not a picture of a known format")
        }
        guard format.isWhole(response.body) else {
            throw .unreadable(
                upstream: name, offset: response.body.count,
                reason: "the \(format.rawValue) is broken or cut short")
        }
        let now = surroundings.clock.secondsSince1970
        await disk?.keep(
            DiskEntry(key: source.key, contentType: format.rawValue, fetchedAt: now, data: response.body))
        return StoredImage(data: response.body, contentType: format.rawValue, fetchedAt: now)
    }

    /// Behind an answer that has been given; a failure leaves the old picture in place.
    private func refresh(_ source: Source) {
        let key = FlightKey(key: source.key, isRefresh: true)
        guard !flights.isInFlight(key) else { return }
        let deadline = surroundings.clock.now + Self.refreshLimit
        Task { [self] in
            _ = await flights.outcome(
                for: key, .until(deadline), late: .deadline(upstream: source.client.name)
            ) {
                [self] flight in
                do throws(UpstreamError) {
                    let image = try await download(source) { [flights] in flights.deadline(of: flight) }
                    memory.withLock { $0.keep(image, for: source.key) }
                    return .success(Found(image: image, origin: .miss))
                } catch {
                    return .failure(error)
                }
            }
        }
    }
}
