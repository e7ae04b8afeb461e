import Foundation

/// One page of people under every path: from nginx, else from ``PageServer``.
struct StaticUpstream {
    let name: String
    let port: UInt16
    private let server: ServeChild
    /// Of nginx.
    private let folder: URL?

    var baseURL: String { "http://127.0.0.1:\(port)/" }

    static func start() throws(BenchmarkFault) -> StaticUpstream {
        guard let program = ServeChild.path(of: "nginx") else {
            let server = try ServeChild.server(role: "pages", [])
            return StaticUpstream(
                name: "Portico's own HTTP server (no nginx here)", port: server.port, server: server,
                folder: nil)
        }
        let folder = FileManager.default.temporaryDirectory.appending(path: "portico-upstream-\(UUID())")
        let port = try ServeChild.freePort()
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(UpstreamBenchmark.page()).write(to: folder.appending(path: "people.json"))
            try Data(configuration(folder.path, port).utf8).write(to: folder.appending(path: "nginx.conf"))
        } catch {
            throw .file(folder.path, reason: "cannot be written")
        }
        let server = try ServeChild(
            program: program, ["-e", "stderr", "-p", folder.path, "-c", folder.path + "/nginx.conf"])
        let upstream = StaticUpstream(name: "nginx", port: port, server: server, folder: folder)
        while !WireProbe.isAnswered(DistinctCall.http(0), by: port) {
            guard server.isRunning else { throw .peer("nginx did not start.") }
        }
        return upstream
    }

    func stop() {
        server.terminate()
        if let folder { try? FileManager.default.removeItem(at: folder) }
    }

    private static func configuration(_ folder: String, _ port: UInt16) -> String {
        """
        daemon off; master_process off; worker_processes 1; pid \(folder)/pid; error_log stderr crit;
        events { worker_connections 1024; }
        http {
            access_log off; keepalive_requests 100000000; default_type application/json;
            client_body_temp_path \(folder)/a; proxy_temp_path \(folder)/b; fastcgi_temp_path \(folder)/c;
            uwsgi_temp_path \(folder)/d; scgi_temp_path \(folder)/e;
            server { listen 127.0.0.1:\(port); root \(folder); location / { try_files /people.json =404; } }
        }
        """
    }
}
