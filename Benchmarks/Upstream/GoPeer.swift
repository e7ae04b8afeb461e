import Foundation

/// `peers/upstream.go`, built and running.
struct GoPeer {
    let server: ServeChild
    private let binary: URL

    /// Nil: Go is not installed.
    static func start(upstream: String) throws(BenchmarkFault) -> GoPeer? {
        guard let go = ServeChild.path(of: "go") else { return nil }
        let source = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "peers/upstream.go").path
        let binary = FileManager.default.temporaryDirectory.appending(path: "portico-peer-\(UUID())")
        guard try ServeChild(program: go, ["build", "-o", binary.path, source]).hasSucceeded() else {
            throw .release("`go build \(source)` failed.")
        }
        return GoPeer(server: try ServeChild.server(program: binary.path, [upstream]), binary: binary)
    }

    func stop() {
        server.terminate()
        try? FileManager.default.removeItem(at: binary)
    }
}
