internal import Synchronization

/// Bytes that pictures did not cost since the start, by what saved them.
package final class ImageSavings: Sendable {
    package enum Way: String, CaseIterable, Sendable {
        /// Kept on disk deflated.
        case deflating
        /// PNGs made smaller without loss.
        case shrinking
        /// Not sent to a client that had the picture.
        case notModified = "not_modified"
        /// Not fetched again when a download broke off.
        case resuming
    }

    private let deflated = Atomic(0)
    private let shrunk = Atomic(0)
    private let notModified = Atomic(0)
    private let resumed = Atomic(0)

    func add(_ bytes: Int, by way: Way) {
        switch way {
        case .deflating: deflated.add(bytes, ordering: .relaxed)
        case .shrinking: shrunk.add(bytes, ordering: .relaxed)
        case .notModified: notModified.add(bytes, ordering: .relaxed)
        case .resuming: resumed.add(bytes, ordering: .relaxed)
        }
    }

    package subscript(way: Way) -> Int {
        switch way {
        case .deflating: deflated.load(ordering: .relaxed)
        case .shrinking: shrunk.load(ordering: .relaxed)
        case .notModified: notModified.load(ordering: .relaxed)
        case .resuming: resumed.load(ordering: .relaxed)
        }
    }

    /// As they are now.
    var counts: [Way: Int] { Dictionary(uniqueKeysWithValues: Way.allCases.map { ($0, self[$0]) }) }
}
