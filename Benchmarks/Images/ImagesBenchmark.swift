import Foundation
import PorticoServer
import PorticoUpstream

/// Pictures through a whole server, from memory and from disk, against nginx with the same files; the store by itself;
/// and what shrinking PNGs saves.
///
/// In the clock: a request over loopback TCP to the last byte of its answer. Both servers and their clients have a process
/// each; in each round all are measured one behind the other, and the ratio is the middle one of the rounds'.
enum ImagesBenchmark {
    private static let seconds = 1.0
    /// Many short ones: how the kernel deals eight connections out to two loops, or two workers, is new in each.
    private static let roundCount = 9

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
        for folder in folder.map({ [$0] }) ?? PNGSaving.folders { try PNGSaving.run(folder) }
    }

    private static func serving(_ set: PictureSet, _ directory: String) throws(BenchmarkFault) {
        var table = Table(["served", "images/s", "GB/s", "ratio"])
        var rounds: [[PictureLoad.Result]] = []
        let nginx = try nginx(set, directory)
        if nginx == nil { print("nginx is not installed: no comparison") }
        let memory = try ServeChild.server(role: "pictures", ServedPictures.Place.memory.words)
        let disk = try ServeChild.server(
            role: "pictures", ServedPictures.Place.disk(directory: directory + "/cache").words)
        defer {
            memory.end()
            disk.end()
        }
        for _ in 0..<roundCount {
            let peer = try nginx.map { nginx throws(BenchmarkFault) in try load(.http, nginx.port) }
            let own = [try load(.portico, memory.port), try load(.portico, disk.port)]
            rounds.append((peer.map { [$0] } ?? []) + own)
        }
        let names = ["Portico, from memory", "Portico, from disk, verified"]
        for (row, name) in ((nginx == nil ? [] : ["nginx, sendfile"]) + names).enumerated() {
            let results = rounds.map { $0[row] }.sorted { $0.bytesPerSecond < $1.bytesPerSecond }
            let ratios = rounds.map { $0[row].bytesPerSecond / $0[0].bytesPerSecond }.sorted()
            let middle = results[roundCount / 2]
            table.add([
                name, middle.picturesPerSecond.digits(0), (middle.bytesPerSecond / 1e9).digits(2),
                nginx == nil ? "–" : ratios[roundCount / 2].digits(2) + "×",
            ])
        }
        print(table.text)
    }

    private static func nginx(_ set: PictureSet, _ directory: String) throws(BenchmarkFault) -> Nginx? {
        do {
            for (name, picture) in zip(set.names, set.pictures) {
                try Data(picture).write(to: URL(fileURLWithPath: "\(directory)/\(name)"))
            }
            return try Nginx(serving: directory, workers: ProcessInfo.processInfo.activeProcessorCount)
        } catch let fault as BenchmarkFault {
            throw fault
        } catch {
            throw .file(directory, reason: "\(error)")
        }
    }

    private static func load(
        _ kind: PictureLoad.Kind, _ port: UInt16
    ) throws(BenchmarkFault) -> PictureLoad.Result {
        let load = PictureLoad(port: port, kind: kind, seconds: seconds)
        let child = try ServeChild(role: "picture-load", load.words)
        guard let result = child.line().flatMap({ PictureLoad.Result(line: $0) }), child.hasSucceeded() else {
            throw .wrongResult("The server on port \(port) does not answer.")
        }
        return result
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
