/// Pictures in memory, bounded in bytes; those that are asked for least leave first.
package struct ImageMemory: Sendable {
    package enum Lookup: Equatable, Sendable {
        case missing
        case fresh(StoredImage)
        /// - isRefreshDue: true for one reader at a time; that one refreshes it.
        case stale(StoredImage, isRefreshDue: Bool)
    }

    /// A failure is remembered so long, in seconds: enough for a screen full of one broken picture.
    package static let placeholderSeconds: Int64 = 30
    /// Between two attempts to refresh one picture, in seconds.
    package static let refreshPauseSeconds: Int64 = 60

    private struct Entry: Sendable {
        var image: StoredImage
        var refreshNotBefore: Int64
    }

    private var entries: [String: Entry] = [:]
    private var uses: S3FIFO<String>
    private var freshSeconds: Int64

    package init(limitBytes: Int, fresh: Duration) {
        uses = S3FIFO(limitBytes: limitBytes)
        freshSeconds = fresh.components.seconds
    }

    /// What does not fit any more leaves.
    package mutating func adapt(limitBytes: Int, fresh: Duration) {
        freshSeconds = fresh.components.seconds
        for leaving in uses.adapt(limitBytes: limitBytes) {
            entries[leaving] = nil
            evictions += 1
        }
    }

    package var bytes: Int { uses.bytes }
    package var count: Int { entries.count }
    package private(set) var evictions = 0

    package mutating func lookup(_ key: String, now: Int64) -> Lookup {
        guard let slot = entries.index(forKey: key) else { return .missing }
        let entry = entries.values[slot]
        let age = now - entry.image.fetchedAt
        if entry.image.isPlaceholder {
            return age < Self.placeholderSeconds ? .fresh(entry.image) : .missing
        }
        uses.touch(key)
        guard age >= freshSeconds else { return .fresh(entry.image) }
        let isDue = entry.refreshNotBefore <= now
        if isDue { entries.values[slot].refreshNotBefore = now + Self.refreshPauseSeconds }
        return .stale(entry.image, isRefreshDue: isDue)
    }

    package mutating func keep(_ image: StoredImage, for key: String) {
        let bytes = image.bytes + key.utf8.count
        // Most often where nothing is to be kept in memory at all.
        guard bytes <= uses.limitBytes else { return forget(key) }
        entries[key] = Entry(image: image, refreshNotBefore: 0)
        for leaving in uses.insert(key, bytes: bytes) {
            entries[leaving] = nil
            evictions += 1
        }
    }

    private mutating func forget(_ key: String) {
        guard entries.removeValue(forKey: key) != nil else { return }
        uses.remove(key)
        evictions += 1
    }

    /// False: `old` is no longer what is kept.
    package mutating func replace(_ old: StoredImage, by new: StoredImage, for key: String) -> Bool {
        guard let kept = entries[key]?.image, kept.message == old.message else { return false }
        var new = new
        new.fetchedAt = kept.fetchedAt
        keep(new, for: key)
        return true
    }
}
