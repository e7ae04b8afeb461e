import Foundation
import PorticoServer
import PorticoUpstream

/// Pictures through a whole server, from memory and from disk, against nginx with the same files; the store by itself;
/// and what shrinking PNGs saves.
///
/// In the clock: a request over loopback TCP to the last byte of its answer. Clients and Portico share one process.
enum ImagesBenchmark {
    private static let connections = 8
    private static let seconds = 3.0

    static func run(pictures folder: String?) throws(BenchmarkFault) {
        let set = PictureSet()
        let directory = NSTemporaryDirectory() + "portico-images-\(ProcessInfo.processInfo.processIdentifier)"
        defer { try? FileManager.default.removeItem(atPath: directory) }
        do {
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        } catch {
            throw .file(directory, reason: "\(error)")
        }
        print("\nimages: \(set.pictures.count) pictures, \((Double(set.bytes) / 1e6).digits(1)) MB")
        try serving(set, directory)
        try storing(set, directory + "/store")
        try PNGSaving.run(folder ?? "Environments/Sandbox")
    }

    private static func serving(_ set: PictureSet, _ directory: String) throws(BenchmarkFault) {
        var table = Table(["served", "images/s", "GB/s", "ratio"])
        let nginx = try nginx(set, directory)
        func add(_ name: String, _ result: PictureLoad.Result) {
            table.add([
                name, result.picturesPerSecond.digits(0), (result.bytesPerSecond / 1e9).digits(2),
                nginx.map { (result.bytesPerSecond / $0.bytesPerSecond).digits(2) + "×" } ?? "–",
            ])
        }
        if let nginx { add("nginx, sendfile", nginx) } else { print("nginx is not installed: no comparison") }
        add("Portico, from memory", try portico(set, directory: nil, memoryBytes: 1 << 30))
        add("Portico, from disk, verified", try portico(set, directory: directory + "/cache", memoryBytes: 0))
        print(table.text)
    }

    private static func nginx(_ set: PictureSet, _ directory: String) throws(BenchmarkFault) -> PictureLoad
        .Result?
    {
        do {
            for (name, picture) in zip(set.names, set.pictures) {
                try Data(picture).write(to: URL(fileURLWithPath: "\(directory)/\(name)"))
            }
            guard
                let nginx = try Nginx(
                    serving: directory, workers: ProcessInfo.processInfo.activeProcessorCount)
            else { return nil }
            return try load(set, .http, nginx.port)
        } catch let fault as BenchmarkFault {
            throw fault
        } catch {
            throw .file(directory, reason: "\(error)")
        }
    }

    private static func portico(
        _ set: PictureSet, directory: String?, memoryBytes: Int
    ) throws(BenchmarkFault) -> PictureLoad.Result {
        guard let served = ServedPictures(set, directory: directory, memoryBytes: memoryBytes) else {
            throw .wrongResult("The image upstream cannot be set up.")
        }
        let (server, port) = try waiting {
            try await served.fill()
            return try await served.serve()
        }
        let result = try load(set, .portico, port)
        try waiting { await server.drain() }
        return result
    }

    /// Starts anew until the server listens, then measures once to warm up and once for the figure.
    private static func load(
        _ set: PictureSet, _ kind: PictureLoad.Kind, _ port: Int
    ) throws(BenchmarkFault) -> PictureLoad.Result {
        let load = PictureLoad(port: port, kind: kind, set: set, connections: connections)
        for _ in 0..<50 {
            if load.run(lasting: 0.3) != nil, let result = load.run(lasting: seconds) { return result }
            Thread.sleep(forTimeInterval: 0.1)
        }
        throw .wrongResult("The server on port \(port) does not answer.")
    }

    private static func storing(_ set: PictureSet, _ directory: String) throws(BenchmarkFault) {
        let settings = DiskStore.Settings(
            directory: directory, kind: "image", limitBytes: 1 << 30, entryLimitBytes: 1 << 20)
        let entries = zip(set.names, set.pictures).map {
            DiskEntry(key: $0, contentType: "image/jpeg", fetchedAt: 1, data: $1)
        }
        guard let store = DiskStore(settings, dropped: { _ in }) else {
            throw .file(directory, reason: "cannot be used as a store")
        }
        let clock = ContinuousClock()
        let (written, read, whole) = try waiting {
            let written = await clock.measure { for entry in entries { await store.keep(entry) } }
            var whole = 0
            let read = await clock.measure {
                for entry in entries where await store.entry(for: entry.key) == entry { whole += 1 }
            }
            return (written, read, whole)
        }
        guard whole == entries.count else {
            throw .wrongResult("The store lost \(entries.count - whole) pictures.")
        }
        let limits = ImageLimits(pixels: .max, frames: 1, allowsSVG: false)
        let inspected = clock.measure {
            for picture in set.pictures { _ = try? ImageInspector.inspect(picture.span, within: limits) }
        }
        var table = Table(["store", "images/s", "MB/s"])
        for (name, time) in [("write, synced", written), ("read, verified", read), ("inspect", inspected)] {
            table.add([
                name, (Double(entries.count) / time.inSeconds).digits(0),
                (Double(set.bytes) / 1e6 / time.inSeconds).digits(0),
            ])
        }
        print("\n\(table.text)")
        try starting()
    }

    /// The scan of a store of 100,000 small entries.
    private static func starting() throws(BenchmarkFault) {
        let directory = NSTemporaryDirectory() + "portico-scan-\(ProcessInfo.processInfo.processIdentifier)"
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let count = 100_000
        do {
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        } catch {
            throw .file(directory, reason: "\(error)")
        }
        for number in 0..<count {
            let name = SHA256.name(Array("\(number)".utf8))
            _ = FileManager.default.createFile(atPath: "\(directory)/\(name).image", contents: Data([1]))
        }
        let settings = DiskStore.Settings(
            directory: directory, kind: "image", limitBytes: 1 << 30, entryLimitBytes: 1 << 20)
        let clock = ContinuousClock()
        let start = clock.now
        guard let store = DiskStore(settings, dropped: { _ in }) else {
            throw .file(directory, reason: "cannot be used as a store")
        }
        let ready = clock.now - start
        try waiting { await store.settle() }
        let scanned = clock.now - start
        guard store.statistics.entries == count else { throw .wrongResult("The scan missed files.") }
        print("\nstart with \(count) entries: at hand after \(ready.short), scanned after \(scanned.short)")
    }

    /// The benchmarks' thread has nothing else to do than to wait.
    private static func waiting<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value
    ) throws(BenchmarkFault) -> Value {
        let (done, box) = (DispatchSemaphore(value: 0), Box<Value>())
        Task {
            do { box.set(.success(try await work())) } catch { box.set(.failure(error)) }
            done.signal()
        }
        done.wait()
        do {
            return try box.get()
        } catch {
            throw .wrongResult("\(error)")
        }
    }
}
