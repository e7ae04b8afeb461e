internal import PorticoEventLoop

/// Which entries a directory holds, and which are on their way there. The files are the store's business.
struct DiskIndex: Sendable {
    /// An entry to be written, unless its group has been made void meanwhile.
    struct Write: Sendable {
        let name: DiskName
        let entry: DiskEntry
        fileprivate let epoch: Int
    }

    /// Entries that wait to be written are in memory too; what comes when these are so many bytes is not kept.
    static let waitingLimitBytes = 32 << 20

    /// Files that stay open: few against the descriptors that connections take. As many names are remembered.
    private static let recentLimit = 512
    /// Names of longer keys are not remembered.
    private static let recentKeyBytes = 1024

    private struct Key: Hashable, Sendable {
        let key: String
        let group: String
    }

    private var uses: S3FIFO<String>
    private var waiting: [String: Write] = [:]
    /// In the order of their coming; a name that has been taken or made void meanwhile is passed over.
    private var order: [String] = []
    private var waitingBytes = 0
    /// Being written now: neither waiting nor among the files.
    private var current: Write?
    private var epochs: [String: Int] = [:]
    /// Opening and closing one costs as much as a fifth of reading a picture.
    private var openFiles = Recent<String, OpenFile>(limit: Self.recentLimit)
    /// A name is made of hashes, which cost 2 µs: a twentieth of serving a picture.
    private var names = Recent<Key, DiskName>(limit: Self.recentLimit)
    private(set) var isScanned = false

    init(limitBytes: Int) { uses = S3FIFO(limitBytes: limitBytes) }

    /// Of all files together.
    var bytes: Int { uses.bytes }
    var count: Int { uses.count }

    func contains(_ name: DiskName) -> Bool { uses.contains(name.file) || waitingEntry(name) != nil }

    /// Not written yet, but as good.
    func waitingEntry(_ name: DiskName) -> DiskEntry? {
        if let write = waiting[name.file] { return write.entry }
        return current.flatMap { $0.name == name && isCurrent($0) ? $0.entry : nil }
    }

    mutating func touch(_ name: DiskName) { uses.touch(name.file) }

    /// Nil: nobody has asked for it of late.
    func recentName(_ key: String, _ group: String) -> DiskName? { names[Key(key: key, group: group)] }

    mutating func asked(for key: String, _ group: String, named name: DiskName) {
        if key.utf8.count <= Self.recentKeyBytes { names.add(name, Key(key: key, group: group)) }
    }

    /// The entry's file, if it is open.
    func openFile(_ name: DiskName) -> OpenFile? { openFiles[name.file] }

    /// Stays open while it is among the last ones, and the entry is what it was.
    mutating func opened(_ file: OpenFile, as name: DiskName) {
        if uses.contains(name.file) { openFiles.add(file, name.file) }
    }

    /// False: too much waits already.
    mutating func enqueue(_ entry: DiskEntry, as name: DiskName) -> Bool {
        let replaced = waiting[name.file]?.entry.data.count ?? 0
        guard waitingBytes - replaced + entry.data.count <= Self.waitingLimitBytes else { return false }
        if waiting[name.file] == nil { order.append(name.file) }
        waiting[name.file] = write(entry, as: name)
        waitingBytes += entry.data.count - replaced
        return true
    }

    func write(_ entry: DiskEntry, as name: DiskName) -> Write {
        Write(name: name, entry: entry, epoch: epochs[name.group, default: 0])
    }

    /// The next to be written; ``written(_:bytes:)`` or ``unwritten()`` must follow.
    mutating func takeWrite() -> Write? {
        for (place, file) in order.enumerated() {
            guard let write = waiting.removeValue(forKey: file) else { continue }
            order.removeFirst(place + 1)
            waitingBytes -= write.entry.data.count
            current = write
            return write
        }
        order = []
        return nil
    }

    private func isCurrent(_ write: Write) -> Bool { epochs[write.name.group, default: 0] == write.epoch }

    /// The file has its name now.
    ///
    /// - Returns: the files that must go: others for lack of space, or itself when it came too late.
    mutating func written(_ write: Write, bytes: Int) -> [String] {
        current = nil
        guard isCurrent(write) else { return [write.name.file] }
        openFiles.remove(write.name.file)
        return closed(uses.insert(write.name.file, bytes: bytes))
    }

    mutating func unwritten() { current = nil }

    /// A file of an earlier run.
    ///
    /// - Returns: the files that must go.
    mutating func found(_ file: String, group: String, bytes: Int) -> [String] {
        epochs[group] == nil ? closed(uses.insert(file, bytes: bytes)) : [file]
    }

    mutating func scanEnded() { isScanned = true }

    mutating func remove(_ name: DiskName) {
        uses.remove(name.file)
        openFiles.remove(name.file)
    }

    /// All entries of `group` are void, those on their way too.
    ///
    /// - Returns: the files that must go.
    mutating func void(_ group: String) -> [String] {
        epochs[group, default: 0] += 1
        for (file, write) in waiting where write.name.group == group {
            waiting[file] = nil
            waitingBytes -= write.entry.data.count
        }
        let files = uses.keys.filter { DiskName.group(of: $0) == group }
        for file in files { uses.remove(file) }
        return closed(files)
    }

    /// What leaves is open no longer, or its blocks would still be taken.
    private mutating func closed(_ leaving: [String]) -> [String] {
        for file in leaving { openFiles.remove(file) }
        return leaving
    }
}

/// The name of an entry's file: `GROUP-KEY.KIND`, or `KEY.KIND` without a group. Both are hashes, so that nothing in a
/// key can lead out of the directory.
struct DiskName: Hashable, Sendable {
    /// Empty: none.
    let group: String
    let file: String

    private static let groupLength = 8

    init(key: String, group: String, kind: String) {
        let group = Self.hashed(group)
        self.group = group
        file = (group.isEmpty ? "" : "\(group)-") + "\(SHA256.name(Array(key.utf8))).\(kind)"
    }

    /// As a file's name tells it.
    static func group(of file: String) -> String {
        file.firstIndex(of: "-").map { String(file[..<$0]) } ?? ""
    }

    static func hashed(_ group: String) -> String {
        group.isEmpty ? "" : String(SHA256.name(Array(group.utf8)).prefix(groupLength))
    }
}
