import Foundation
import PorticoEventLoop

/// nginx with one page of people under every path.
struct StaticUpstream {
    /// Ends with a slash.
    let baseURL: String
    private let nginx: ChildProgram

    /// Nil: nginx is not installed.
    static func start(page: [UInt8]) throws(BenchmarkFault) -> StaticUpstream? {
        guard let program = ChildProgram.path(of: "nginx") else { return nil }
        let folder = FileManager.default.temporaryDirectory.appending(path: "portico-upstream-\(UUID())")
        let port = try freePort()
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(page).write(to: folder.appending(path: "people.json"))
            try Data(configuration(folder.path, port).utf8).write(to: folder.appending(path: "nginx.conf"))
        } catch {
            throw .file(folder.path, reason: "cannot be written")
        }
        let nginx = try ChildProgram(
            program, ["-e", "stderr", "-p", folder.path, "-c", folder.path + "/nginx.conf"])
        return StaticUpstream(baseURL: "http://127.0.0.1:\(port)/", nginx: nginx)
    }

    func stop() { nginx.stop() }

    private static func configuration(_ folder: String, _ port: Int) -> String {
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

    private static func freePort() throws(BenchmarkFault) -> Int {
        do {
            let socket = try ListeningSocket(try SocketAddress(parsing: "127.0.0.1:0"))
            return socket.address.port ?? 0
        } catch {
            throw .wrongResult("There is no port to be had: \(error)")
        }
    }
}
