internal import Foundation
internal import PorticoEventLoop

/// A store's directory looked at from outside, by a tool, perhaps while a server uses it: what each of them does to a file
/// is whole, and a file that is gone meanwhile is no fault.
package struct DiskInventory: Sendable {
    /// An entry's file.
    package struct File: Equatable, Sendable {
        package let name: String
        package let bytes: Int
        /// Nanoseconds since 1970.
        package let writtenAt: Int64
    }

    /// What a look into a file finds.
    package enum Finding: Equatable, Sendable {
        case whole(DiskEntry)
        /// Not what was written, or never written by a store.
        case damaged
        case gone
    }

    private let directory: String
    private let kind: String

    /// - Parameter kind: the ending of its files, as in ``DiskStore/Settings``.
    package init(directory: String, kind: String) {
        self.directory = directory
        self.kind = kind
    }

    /// The oldest first.
    package func files() -> [File] {
        DirectoryListing.files(in: directory) { $0.hasSuffix(".\(kind)") }
            .map { File(name: $0.name, bytes: $0.bytes, writtenAt: $0.modifiedAt) }
            .sorted { ($0.writtenAt, $0.name) < ($1.writtenAt, $1.name) }
    }

    /// Reads the whole file and checks it.
    ///
    /// - Parameter limitBytes: of the inflated data.
    package func look(into file: File, limitBytes: Int) -> Finding {
        guard let content = OpenFile("\(directory)/\(file.name)")?.read() else { return .gone }
        return DiskEntry(content, limitBytes: limitBytes).map(Finding.whole) ?? .damaged
    }

    /// False: it is still there.
    package func remove(_ file: File) -> Bool {
        let path = "\(directory)/\(file.name)"
        try? FileManager.default.removeItem(atPath: path)
        return !FileManager.default.fileExists(atPath: path)
    }
}
