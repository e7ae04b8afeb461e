internal import Dispatch
internal import Foundation
internal import Glibc
internal import PorticoEventLoop
internal import Synchronization

/// Entries in a directory, one checksummed file each, bounded in bytes; those that are read least leave first. The
/// answers and the images each have one; both may be in the same directory, because each knows its own files by their kind.
///
/// A file appears under its name only when it is whole: it is written beside it, synced and renamed, and the directory is
/// synced. What cannot be read is removed and reported. File names are hashes of keys; the key inside must be equal. All
/// file work happens on queues of its own, never on the threads of tasks or event loops: reads do not wait for writes, and
/// those of different files seldom for each other.
package final class DiskStore: Sendable {
    /// Told of a file that had to be removed.
    package typealias Dropped = @Sendable (_ file: String) -> Void

    package struct Settings: Sendable {
        package var directory: String
        /// The ending of its files: `image`.
        package var kind: String
        /// Of all files together.
        package var limitBytes: Int
        /// Of one entry's data.
        package var entryLimitBytes: Int
        package var packing: DiskEntry.Packing

        package init(
            directory: String, kind: String, limitBytes: Int, entryLimitBytes: Int,
            packing: DiskEntry.Packing = .whereItSaves
        ) {
            self.packing = packing
            self.directory = directory
            self.kind = kind
            self.limitBytes = limitBytes
            self.entryLimitBytes = entryLimitBytes
        }
    }

    /// What it has done since the start, and what it holds.
    package struct Statistics: Equatable, Sendable {
        package var bytes: Int
        package var entries: Int
        package var hits: Int
        /// Entries that could not be read back.
        package var dropped: Int
        /// Entries that could not be written: a full disk, or more to write than it can take.
        package var unwritten: Int

        package init(bytes: Int, entries: Int, hits: Int, dropped: Int, unwritten: Int) {
            self.bytes = bytes
            self.entries = entries
            self.hits = hits
            self.dropped = dropped
            self.unwritten = unwritten
        }
    }

    private enum Access {
        case readingAndWriting, reading
    }

    private let settings: Settings
    private let access: Access
    private let dropped: Dropped
    /// A file is always read on the same one.
    private let reading = (0..<4).map { DispatchQueue(label: "portico.disk.reading.\($0)") }
    private let writing = DispatchQueue(label: "portico.disk.writing")
    private let index: Mutex<DiskIndex>
    private let hits = Atomic(0)
    private let droppedCount = Atomic(0)
    private let unwritten = Atomic(0)

    /// Nil: the directory cannot be made or written to.
    package convenience init?(_ settings: Settings, dropped: @escaping Dropped) {
        let files = FileManager.default
        try? files.createDirectory(atPath: settings.directory, withIntermediateDirectories: true)
        let probe = "\(settings.directory)/probe.\(settings.kind)\(Self.unfinished)"
        guard files.createFile(atPath: probe, contents: Data([0])) else { return nil }
        try? files.removeItem(atPath: probe)
        self.init(settings, .readingAndWriting, dropped)
    }

    /// One that only reads what another has left, and changes nothing: what it is given to keep is counted as unwritten.
    ///
    /// Nil: the directory cannot be read either.
    package convenience init?(reading settings: Settings, dropped: @escaping Dropped) {
        guard DirectoryListing.canBeRead(settings.directory) else { return nil }
        self.init(settings, .reading, dropped)
    }

    private init(_ settings: Settings, _ access: Access, _ dropped: @escaping Dropped) {
        self.settings = settings
        self.access = access
        self.dropped = dropped
        index = Mutex(DiskIndex(limitBytes: settings.limitBytes))
        for queue in reading { queue.suspend() }  // until it is known what there is
        writing.async { [self] in
            scan()
            for queue in reading { queue.resume() }
        }
    }

    package var statistics: Statistics {
        let (bytes, entries) = index.withLock { ($0.bytes, $0.count) }
        return Statistics(
            bytes: bytes, entries: entries, hits: hits.load(ordering: .relaxed),
            dropped: droppedCount.load(ordering: .relaxed), unwritten: unwritten.load(ordering: .relaxed))
    }

    /// False: surely not kept. Does not block.
    package func mayHold(_ key: String, group: String = "") -> Bool {
        let name = name(key, group)
        return index.withLock { !$0.isScanned || $0.contains(name) }
    }

    /// Nil: not kept, or no longer what was written; then it is gone.
    package func entry(for key: String, group: String = "") async -> DiskEntry? {
        let name = name(key, group)
        let queue = reading[name.file.utf8.reduce(0) { $0 + Int($1) } % reading.count]
        return await on(queue) { [self] in read(key, name) }
    }

    /// As ``entry(for:group:)``, if the kernel has the whole file in memory and it is no longer than `limitBytes`; nil says
    /// nothing. Does not wait for a disk.
    package func entryAtHand(for key: String, group: String = "", limitBytes: Int) -> DiskEntry? {
        let name = recentName(key, group)
        let (isKept, waiting, open) = index.withLock {
            ($0.isScanned && $0.contains(name), $0.waitingEntry(name), $0.openFile(name))
        }
        // The file, if there is one, is older.
        if let waiting { return waiting.data.count <= limitBytes ? waiting : nil }
        guard isKept, let content = contentAtHand(name, open, limitBytes),
            let entry = DiskEntry(content, limitBytes: settings.entryLimitBytes), entry.key == key
        else { return nil }
        index.withLock { $0.touch(name) }
        hits.add(1, ordering: .relaxed)
        return entry
    }

    private func recentName(_ key: String, _ group: String) -> DiskName {
        if let name = index.withLock({ $0.recentName(key, group) }) { return name }
        let name = name(key, group)
        index.withLock { $0.asked(for: key, group, named: name) }
        return name
    }

    /// - Parameter open: its file, if it is open; one that has been replaced or removed since says nothing.
    private func contentAtHand(_ name: DiskName, _ open: OpenFile?, _ limitBytes: Int) -> [UInt8]? {
        if let open, let content = open.readAtHand(limitBytes: limitBytes) { return content }
        guard let file = OpenFile(path(name.file)) else { return nil }
        index.withLock { $0.opened(file, as: name) }
        return file.readAtHand(limitBytes: limitBytes)
    }

    /// Nothing is said when it cannot be kept: the entry will be fetched again.
    package func keep(_ entry: DiskEntry, group: String = "") async {
        let name = name(entry.key, group)
        guard case .readingAndWriting = access else { return outdated(name) }
        await on(writing) { [self] in write(index.withLock { $0.write(entry, as: name) }) }
    }

    /// As ``keep(_:group:)``, later. Does not block.
    package func keepBehind(_ entry: DiskEntry, group: String = "") {
        let name = name(entry.key, group)
        guard case .readingAndWriting = access else { return outdated(name) }
        guard index.withLock({ $0.enqueue(entry, as: name) }) else {
            unwritten.add(1, ordering: .relaxed)
            return
        }
        writing.async { [self] in
            if let next = index.withLock({ $0.takeWrite() }) { write(next) }
        }
    }

    /// Makes all entries of a group void, those on their way too. Does not block; the files go later.
    package func void(group: String) {
        let files = index.withLock { $0.void(DiskName.hashed(group)) }
        guard !files.isEmpty else { return }
        writing.async { [self] in files.forEach(delete) }
    }

    /// Returns when what was to be written is on disk.
    package func settle() async { await on(writing) {} }

    /// There is a newer entry, which cannot take the place of the file.
    private func outdated(_ name: DiskName) {
        index.withLock { $0.remove(name) }
        unwritten.add(1, ordering: .relaxed)
    }

    private static let unfinished = ".partial"

    private func name(_ key: String, _ group: String) -> DiskName {
        DiskName(key: key, group: group, kind: settings.kind)
    }

    private func path(_ file: String) -> String { "\(settings.directory)/\(file)" }

    private func on<Value: Sendable>(
        _ queue: DispatchQueue, _ work: @escaping @Sendable () -> Value
    ) async -> Value {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: work()) }
        }
    }

    private func read(_ key: String, _ name: DiskName) -> DiskEntry? {
        let (isKept, waiting) = index.withLock { ($0.contains(name), $0.waitingEntry(name)) }
        if let waiting { return waiting }
        guard isKept else { return nil }
        guard let content = OpenFile(path(name.file))?.read() else {
            index.withLock { $0.remove(name) }
            // Most often somebody else has; what cannot be read must not take up space uncounted.
            delete(name.file)
            return nil
        }
        guard let entry = DiskEntry(content, limitBytes: settings.entryLimitBytes) else {
            index.withLock { $0.remove(name) }
            delete(name.file)
            droppedCount.add(1, ordering: .relaxed)
            dropped(name.file)
            return nil
        }
        // A foreign entry under this name is not ours to serve, and as unlikely as two equal hashes.
        guard entry.key == key else { return nil }
        index.withLock { $0.touch(name) }
        hits.add(1, ordering: .relaxed)
        return entry
    }

    private func write(_ write: DiskIndex.Write) {
        // A random part, because another process may write the same entry.
        let temporary = path("\(write.name.file).\(UInt32.random(in: 0...UInt32.max))\(Self.unfinished)")
        guard write.entry.data.count <= settings.entryLimitBytes,
            let bytes = write.entry.encoded(settings.packing),
            put(bytes, in: temporary),
            // Glibc's own, because Foundation's moveItem refuses to replace.
            unsafe rename(temporary, path(write.name.file)) == 0
        else {
            index.withLock { $0.unwritten() }
            unwritten.add(1, ordering: .relaxed)
            return deletePath(temporary)
        }
        try? FileHandle(forReadingAtPath: settings.directory)?.synchronize()
        index.withLock { $0.written(write, bytes: bytes.count) }.forEach(delete)
    }

    /// False: not all of it.
    private func put(_ bytes: [UInt8], in path: String) -> Bool {
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let handle = FileHandle(forWritingAtPath: path)
        else { return false }
        do {
            try handle.write(contentsOf: Data(bytes))
            try handle.synchronize()
            try handle.close()
            return true
        } catch {
            return false
        }
    }

    private func delete(_ file: String) {
        guard case .readingAndWriting = access else { return }
        deletePath(path(file))
    }

    private func deletePath(_ path: String) { try? FileManager.default.removeItem(atPath: path) }

    /// Finds what earlier runs left, the oldest first; unfinished files are removed.
    private func scan() {
        let ending = ".\(settings.kind)"
        let found = DirectoryListing.files(in: settings.directory) {
            $0.hasSuffix(ending) || $0.hasSuffix(Self.unfinished)
        }
        for file in found where file.name.hasSuffix(Self.unfinished) && file.name.contains("\(ending).") {
            delete(file.name)
        }
        for file in found.sorted(by: { $0.modifiedAt < $1.modifiedAt }) where file.name.hasSuffix(ending) {
            let group = DiskName.group(of: file.name)
            index.withLock { $0.found(file.name, group: group, bytes: file.bytes) }.forEach(delete)
        }
        index.withLock { $0.scanEnded() }
    }
}
