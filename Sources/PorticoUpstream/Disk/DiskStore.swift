internal import Dispatch
internal import Foundation
internal import Glibc
internal import Synchronization

/// Entries in a directory, one checksummed file each, bounded in bytes; the least recently used leave first.
///
/// A file appears under its name only when it is whole: it is written beside it, synced and renamed. What cannot be read
/// is removed and reported. File names are hashes of keys; the key inside must be equal. All file work happens on one
/// queue of its own, never on the threads of tasks or event loops.
package final class DiskStore: Sendable {
    /// Told of a file that had to be removed.
    package typealias Dropped = @Sendable (_ file: String) -> Void

    private static let suffix = ".entry"
    private static let temporarySuffix = ".partial"

    private let directory: String
    private let entryLimitBytes: Int
    private let dropped: Dropped
    private let queue = DispatchQueue(label: "portico.disk")
    private let recency: Mutex<RecencyList<String>>

    /// Nil: the directory cannot be made or written to.
    ///
    /// - Parameters:
    ///   - limitBytes: of all files together.
    ///   - entryLimitBytes: of one entry's data.
    package init?(directory: String, limitBytes: Int, entryLimitBytes: Int, dropped: @escaping Dropped) {
        let files = FileManager.default
        try? files.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let probe = "\(directory)/probe\(Self.temporarySuffix)"
        guard files.createFile(atPath: probe, contents: Data([0])) else { return nil }
        try? files.removeItem(atPath: probe)
        self.directory = directory
        self.entryLimitBytes = entryLimitBytes
        self.dropped = dropped
        recency = Mutex(RecencyList(limitBytes: limitBytes))
        queue.async { [self] in scan() }
    }

    /// Of all files together.
    package var bytes: Int { recency.withLock { $0.bytes } }

    /// Nil: not kept, or no longer what was written; then it is gone.
    package func entry(for key: String) async -> DiskEntry? {
        await onQueue { [self] in read(key) }
    }

    /// Nothing is said when it cannot be kept: the entry will be fetched again.
    package func keep(_ entry: DiskEntry) async {
        await onQueue { [self] in write(entry) }
    }

    private func onQueue<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: work()) }
        }
    }

    private func file(for key: String) -> String { SHA256.name(Array(key.utf8)) + Self.suffix }

    private func read(_ key: String) -> DiskEntry? {
        let name = file(for: key)
        guard recency.withLock({ $0.contains(name) }) else { return nil }
        let content = FileManager.default.contents(atPath: "\(directory)/\(name)")
        guard let content, let entry = DiskEntry([UInt8](content), limitBytes: entryLimitBytes) else {
            remove(name)
            dropped(name)
            return nil
        }
        // A foreign entry under this name is not ours to serve, and as unlikely as two equal hashes.
        guard entry.key == key else { return nil }
        recency.withLock { $0.touch(name) }
        return entry
    }

    private func write(_ entry: DiskEntry) {
        guard entry.data.count <= entryLimitBytes, let bytes = entry.encoded() else { return }
        let name = file(for: entry.key)
        let temporary = "\(directory)/\(name)\(Self.temporarySuffix)"
        guard FileManager.default.createFile(atPath: temporary, contents: nil),
            let handle = FileHandle(forWritingAtPath: temporary)
        else { return }
        do {
            try handle.write(contentsOf: Data(bytes))
            try handle.synchronize()
            try handle.close()
        } catch {
            try? FileManager.default.removeItem(atPath: temporary)
            return
        }
        // Glibc's own, because Foundation's moveItem refuses to replace.
        guard unsafe rename(temporary, "\(directory)/\(name)") == 0 else { return }
        for leaving in recency.withLock({ $0.insert(name, bytes: bytes.count) }) { remove(leaving) }
    }

    private func remove(_ name: String) {
        recency.withLock { $0.remove(name) }
        try? FileManager.default.removeItem(atPath: "\(directory)/\(name)")
    }

    /// Finds what earlier runs left, the oldest first; unfinished files are removed.
    private func scan() {
        let files = FileManager.default
        var found: [(name: String, bytes: Int, used: Date)] = []
        for name in (try? files.contentsOfDirectory(atPath: directory)) ?? [] {
            let path = "\(directory)/\(name)"
            if name.hasSuffix(Self.temporarySuffix) { try? files.removeItem(atPath: path) }
            guard name.hasSuffix(Self.suffix), let facts = try? files.attributesOfItem(atPath: path) else {
                continue
            }
            let bytes = (facts[.size] as? NSNumber)?.intValue ?? 0
            found.append((name, bytes, facts[.modificationDate] as? Date ?? .distantPast))
        }
        for entry in found.sorted(by: { $0.used < $1.used }) {
            for leaving in recency.withLock({ $0.insert(entry.name, bytes: entry.bytes) }) { remove(leaving) }
        }
    }
}
