internal import CLinux
internal import Glibc

/// A file's bytes, read at once into storage of its size.
package enum FileContent {
    /// Nil: it is not there, not a file, or cannot be read. May wait for the disk.
    package static func read(_ path: String) -> [UInt8]? {
        withFile(path) { descriptor, sizeBytes in bytes(descriptor, sizeBytes, flags: 0) }
    }

    /// From the kernel's memory, without waiting for the disk; nil also: not all of it is there, or it is longer than
    /// `limitBytes`, or its file system cannot tell.
    package static func readAtHand(_ path: String, limitBytes: Int) -> [UInt8]? {
        withFile(path) { descriptor, sizeBytes in
            guard sizeBytes <= limitBytes,
                let bytes = bytes(descriptor, sizeBytes, flags: Int32(RWF_NOWAIT_FLAG)),
                bytes.count == sizeBytes
            else { return nil }
            return bytes
        }
    }

    private static func withFile(_ path: String, _ body: (Int32, Int) -> [UInt8]?) -> [UInt8]? {
        // Without waiting even where there is a pipe of that name.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var facts = stat()
        guard unsafe fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
        return body(descriptor, Int(facts.st_size))
    }

    /// Fewer when the file has become shorter meanwhile; nil: an error.
    private static func bytes(_ descriptor: Int32, _ sizeBytes: Int, flags: Int32) -> [UInt8]? {
        var hasFailed = false
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: sizeBytes) { storage, count in
            while count < storage.count {
                var rest = unsafe iovec(
                    iov_base: storage.baseAddress?.advanced(by: count), iov_len: storage.count - count)
                let got = unsafe preadv2(descriptor, &rest, 1, off_t(count), flags)
                if got < 0, errno == EINTR { continue }
                hasFailed = got < 0
                guard got > 0 else { break }
                count += got
            }
        }
        return hasFailed ? nil : bytes
    }
}
