package import PorticoEventLoop

/// The files that were read last, still open: opening and closing costs as much as a fifth of reading a picture. Bounded; the
/// one that was opened first is closed first.
package struct OpenFiles: Sendable {
    private let limit: Int

    private var files: [String: OpenFile] = [:]
    /// In a ring, by when they were opened; the place that `next` names is taken next.
    private var names: [String] = []
    private var next = 0

    package init(limit: Int) {
        precondition(limit > 0, "the ring has a place at least: a bug in the caller")
        self.limit = limit
    }

    package var count: Int { files.count }

    package subscript(name: String) -> OpenFile? { files[name] }

    package mutating func add(_ file: OpenFile, _ name: String) {
        defer { files[name] = file }
        guard files[name] == nil else { return }
        guard names.count == limit else { return names.append(name) }
        // One that was removed and came again stands there twice, and is closed early: it is opened again.
        files[exchange(&names[next], with: name)] = nil
        next = (next + 1) % limit
    }

    package mutating func remove(_ name: String) { files[name] = nil }
}
