internal import Glibc

/// The files of a directory with their sizes and times. By libc: Foundation takes ten times as long for it, and a store
/// looks through 100,000 files when it starts.
enum DirectoryListing {
    struct File: Equatable, Sendable {
        let name: String
        let bytes: Int
        /// Nanoseconds since 1970.
        let modifiedAt: Int64
    }

    static func canBeRead(_ directory: String) -> Bool {
        guard let stream = unsafe opendir(directory) else { return false }
        unsafe closedir(stream)
        return true
    }

    /// Regular files whose names `isWanted`; none when the directory cannot be read. Others may come and go meanwhile.
    static func files(in directory: String, _ isWanted: (String) -> Bool) -> [File] {
        guard let stream = unsafe opendir(directory) else { return [] }
        defer { unsafe closedir(stream) }
        let descriptor = unsafe dirfd(stream)
        var files: [File] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe name(of: entry)
            guard isWanted(name) else { continue }
            var facts = stat()
            guard unsafe fstatat(descriptor, name, &facts, AT_SYMLINK_NOFOLLOW) == 0,
                facts.st_mode & S_IFMT == S_IFREG
            else { continue }
            files.append(
                File(
                    name: name, bytes: Int(facts.st_size),
                    modifiedAt: Int64(facts.st_mtim.tv_sec) * 1_000_000_000 + Int64(facts.st_mtim.tv_nsec)))
        }
        return files
    }

    private static func name(of entry: UnsafeMutablePointer<dirent>) -> String {
        unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
