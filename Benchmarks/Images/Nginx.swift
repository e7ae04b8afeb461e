import Foundation

/// nginx, serving the same files from disk (the page cache, in truth) by `sendfile`; absent: the comparison is skipped.
final class Nginx {
    let port: UInt16
    private let process: Process
    private let folder: String

    private static let program = "/usr/sbin/nginx"

    /// Nil: not installed, or not to be started.
    init?(serving directory: String, workers: Int) throws {
        guard FileManager.default.isExecutableFile(atPath: Self.program) else { return nil }
        port = try ServeChild.freePort()
        folder = directory + "/nginx"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let settings = """
            daemon off; worker_processes \(workers); pid \(folder)/pid; error_log \(folder)/error.log; user root;
            events { worker_connections 256; }
            http { access_log off; sendfile on; tcp_nopush on; keepalive_requests 10000000; types { image/jpeg jpg; }
              open_file_cache max=1000 inactive=60s;
              server { listen 127.0.0.1:\(port); root \(directory); } }
            """
        try settings.write(toFile: "\(folder)/nginx.conf", atomically: true, encoding: .utf8)
        process = Process()
        process.executableURL = URL(fileURLWithPath: Self.program)
        process.arguments = ["-c", "\(folder)/nginx.conf", "-p", folder]
        process.standardError = FileHandle.nullDevice
        try process.run()
        // It writes its number once it listens.
        for _ in 0..<500 where !FileManager.default.fileExists(atPath: "\(folder)/pid") {
            Thread.sleep(forTimeInterval: 0.01)
        }
    }

    deinit {
        process.terminate()
        process.waitUntilExit()
    }
}
