internal import CLinux
internal import Glibc

/// A file that is open to be read, once or again and again.
package final class OpenFile: Sendable {
    private let descriptor: Descriptor

    /// Nil: it is not there, not a file, or cannot be opened.
    package init?(_ path: String) {
        // Without waiting even where there is a pipe of that name.
        let number = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard number >= 0 else { return nil }
        descriptor = Descriptor(owning: number)
    }

    /// All bytes, read at once into storage of their size; nil: it cannot be read, or is no file. May wait for the disk.
    package func read() -> [UInt8]? {
        guard let facts else { return nil }
        return bytes(facts.sizeBytes, flags: 0)
    }

    /// From the kernel's memory, without waiting for the disk; nil also: not all of it is there, it is longer than `limitBytes`,
    /// its file system cannot tell, or no name leads to it any more: it was removed, or another has taken its place.
    package func readAtHand(limitBytes: Int) -> [UInt8]? {
        guard let facts, facts.hasName, facts.sizeBytes <= limitBytes,
            let bytes = bytes(facts.sizeBytes, flags: Int32(RWF_NOWAIT_FLAG)), bytes.count == facts.sizeBytes
        else { return nil }
        return bytes
    }

    private var facts: (sizeBytes: Int, hasName: Bool)? {
        var facts = stat()
        guard unsafe fstat(descriptor.number, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            return nil
        }
        return (Int(facts.st_size), facts.st_nlink > 0)
    }

    /// Fewer when the file has become shorter meanwhile; nil: an error.
    private func bytes(_ sizeBytes: Int, flags: Int32) -> [UInt8]? {
        var hasFailed = false
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: sizeBytes) { storage, count in
            while count < storage.count {
                var rest = unsafe iovec(
                    iov_base: storage.baseAddress?.advanced(by: count), iov_len: storage.count - count)
                let got = unsafe preadv2(descriptor.number, &rest, 1, off_t(count), flags)
                if got < 0, errno == EINTR { continue }
                hasFailed = got < 0
                guard got > 0 else { break }
                count += got
            }
        }
        return hasFailed ? nil : bytes
    }
}
